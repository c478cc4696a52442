#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Lists every function of an API with its state: of the CUDA runtime and driver APIs, or
of a library under NVIDIA's name (--api cublas, nccl, nvrtc, ...).

  header       the header in runtime/include that declares it
  state        implemented, or unsupported (it names itself and returns
               cudaErrorNotSupported / CUDA_ERROR_NOT_SUPPORTED)
  tested       a file under test/ calls it, also by the name that a header renames

`--write FILE` writes the list as CSV; `--check FILE` fails if the file differs
from the truth, if a declared function is not exported, or an exported one
not declared. The same holds for the names of programs with per-thread default
streams (cudaMemcpy_ptds), which the list leaves out. A name that a header renames (cuMemAlloc is cuMemAlloc_v2) stands
under its new name.
"""
import argparse
import csv
import io
import pathlib
import re
import subprocess
import sys

HEADERS = {
    "runtime": ["cuda_runtime_api.h", "cuda_profiler_api.h", "cuda_gl_interop.h",
                "cuda_d3d9_interop.h", "cuda_d3d10_interop.h", "cuda_d3d11_interop.h"],
    "driver": ["cuda.h", "cudaProfiler.h", "cudaGL.h"],
}
LIBRARIES = {
    "cublas": {"cublas": ["cublas_api.h"], "cublasLt": ["cublasLt.h"], "cublasXt": ["cublasXt.h"]},
    "cufft": {"cufft": ["cufft.h"], "cufftXt": ["cufftXt.h"]},
    "curand": {"curand": ["curand.h"]},
    "cusparse": {"cusparse": ["cusparse.h"]},
    "cusolver": {"cusolver": ["cusolver_common.h"], "cusolverDn": ["cusolverDn.h"],
                 "cusolverSp": ["cusolverSp.h"]},
    "nccl": {"nccl": ["nccl.h"]},
    "cudnn": {"cudnn": ["cudnn.h"]},
    "nvrtc": {"nvrtc": ["nvrtc.h"]},
    "nvjitlink": {"nvJitLink": ["nvJitLink.h"]},
}
# What the names of a library's functions begin with, where that is not its own name; what
# lets a header say the names that programs write.
PREFIX = {"nvjitlink": "nvJitLink"}
OPTIONS = {"nvjitlink": ["-DNVJITLINK_NO_INLINE"]}
PUBLIC = r"(?:cu(?:da|blas|fft|rand|sparse|solver|dnn)?|nccl|nvrtc|nvJitLink)[A-Z]"
NAME = re.compile(rf"\b({PUBLIC}\w*)\s*$")


PER_THREAD = re.compile(r"_(ptsz|ptds)$")


def declared(compiler, include, header, *options):
    """Names of the functions that a header declares at file scope, read from
    the preprocessed text in C (where no braces surround declarations)."""
    text = subprocess.run(
        [compiler, "-E", "-P", "-x", "c", *options, "-I", str(include), "-"],
        input=f"#include <{header}>\n", capture_output=True, text=True, check=True).stdout
    names, depth, run = set(), 0, ""
    for character in text:
        if character in "({":
            if depth == 0 and character == "(" and "typedef" not in run and "static" not in run:
                match = NAME.search(run)
                if match:
                    names.add(match.group(1))
            depth += 1
        elif character in ")}":
            depth -= 1
        elif depth == 0:
            run = "" if character == ";" else run + character
    return names


def exported(nm, library, prefix):
    lines = subprocess.run([nm, "-D", "--defined-only", str(library)],
                           capture_output=True, text=True, check=True).stdout.split("\n")
    names = {line.split()[-1].split("@")[0] for line in lines if " T " in line}
    return {name for name in names if re.match(PUBLIC, name) and name.startswith(prefix)}


def per_thread_problems(compiler, include, there):
    """What is wrong with the functions for per-thread default streams."""
    names = set()
    for headers in HEADERS.values():
        for header in headers:
            names |= declared(compiler, include, header, "-DCUDA_API_PER_THREAD_DEFAULT_STREAM")
    ours = {name for name in there if PER_THREAD.search(name)}
    return [f"{name}: declared for per-thread default streams, not exported"
            for name in sorted(names - there)] + \
           [f"{name}: exported, mapped to by no header" for name in sorted(ours - names)]


def unsupported(table):
    return set(re.findall(r"HET_UNSUPPORTED_\w+\((\w+)\)", table.read_text()))


def refusedByLibrary(folder, api):
    """Names of a library's functions that do nothing but refuse; S in a macro's name stands
    for the types of numbers."""
    refused = set()
    for path in folder.glob("*.cpp"):
        text = path.read_text().replace("\\\n", " ")
        for name in re.findall(rf"\b({api}[\w#]+)[,(][^{{}}]*\{{\s*return refuse\(__func__", text):
            refused.update(name.replace("##S##", type) for type in "SDCZ")
    return refused


def aliases(include):
    """What names mean that a header renames (cuMemAlloc is cuMemAlloc_v2)."""
    renamed = {}
    for path in include.rglob("*.h"):
        if not path.name.startswith("per_thread"):
            renamed.update(re.findall(r"^#define (cu\w+) (cu\w+)$", path.read_text(), re.M))
    return renamed


def words_of_tests(folder, renamed):
    """Not those of the targets' tests, which stand in for drivers of vendors."""
    words = set()
    targets = folder / "unit" / "Target"
    for path in folder.rglob("*"):
        if path.suffix in (".cpp", ".cu", ".c", ".h") and targets not in path.parents:
            words.update(re.findall(r"\b(?:cu|nccl|nvrtc|nvJitLink)\w+", path.read_text(errors="replace")))
    return words | {renamed[word] for word in words if word in renamed}


def make_list(arguments):
    """Rows of the list, and what is wrong with headers and library."""
    root, api = arguments.root, arguments.api
    prefix = PREFIX.get(api, api or "cu")
    there = exported(arguments.nm, arguments.library, prefix)
    refused = refusedByLibrary(root / "libs" / api, api) if api else unsupported(root / "runtime/cuda/Unsupported.def")
    tests = words_of_tests(root / "test", aliases(root / "runtime/include"))
    rows, problems, known = [], [], set()
    for part, headers in (LIBRARIES[api] if api else HEADERS).items():
        for header in headers:
            if not (root / "runtime/include" / header).exists():
                continue
            for name in sorted(declared(arguments.cc, root / "runtime/include", header, *OPTIONS.get(api, []))):
                if name in known or not name.startswith(prefix):
                    continue
                known.add(name)
                if name not in there:
                    problems.append(f"{name}: declared in {header}, not exported")
                state = "unsupported" if name in refused else "implemented"
                rows.append([part, name, header, state, "yes" if name in tests else "no"])
    for name in sorted(there - known):
        # A first form is looked up by name; the headers lead to the second.
        if not PER_THREAD.search(name) and name + "_v2" not in known:
            problems.append(f"{name}: exported, declared in no header")
    if not api:
        problems += per_thread_problems(arguments.cc, root / "runtime/include", there)
    return sorted(rows), problems


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", type=pathlib.Path, required=True)
    parser.add_argument("--library", type=pathlib.Path, required=True)
    parser.add_argument("--api", choices=LIBRARIES)
    parser.add_argument("--cc", default="cc")
    parser.add_argument("--nm", default="nm")
    action = parser.add_mutually_exclusive_group(required=True)
    action.add_argument("--write", type=pathlib.Path)
    action.add_argument("--check", type=pathlib.Path)
    arguments = parser.parse_args()
    rows, problems = make_list(arguments)
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerows([["api", "function", "header", "state", "tested"]] + rows)
    if arguments.write:
        arguments.write.write_text(text.getvalue())
    elif arguments.check.read_text() != text.getvalue():
        problems.append(f"{arguments.check}: out of date; write it again with --write")
    for problem in problems:
        print("error:", problem, file=sys.stderr)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
