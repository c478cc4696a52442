# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# lit: the suite that mirrors the folders of lib/ and tools/. Paths of the build
# come from lit.site.cfg.py, which CMake writes into the build folder.

import ctypes
import ctypes.util
import os
import subprocess

import lit.formats
import lit.util

config.name = "hetcc"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".cu", ".cpp", ".ll", ".test"]
config.excludes = ["Inputs", "TileModel", "benchmarks", "compat", "fuzz", "unit", "CMakeLists.txt"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.het_obj_root, "test")

# Tests see the tools of this build first, then LLVM's (FileCheck, not, …), and
# none of the user's own settings.
config.environment["PATH"] = os.path.pathsep.join(
    [config.het_tools_dir, config.llvm_tools_dir, config.environment["PATH"]]
)
for name in list(config.environment):
    if name.startswith(("HET_", "CUDA_")) or name in ("LIBRARY_PATH", "CPATH", "NVCC_APPEND_FLAGS", "NVCC_PREPEND_FLAGS"):
        del config.environment[name]
config.environment["HET_CACHE_DIR"] = os.path.join(config.test_exec_root, "cache")
# What a program prints does not depend on how busy the machine is.
config.environment["HET_SLOW_LOWERING"] = "0"

config.substitutions.append(("%het_src", config.het_src_root))
config.substitutions.append(("%het_obj", config.het_obj_root))
config.substitutions.append(("%het_bin", config.het_tools_dir))
config.substitutions.append(("%het_lib", config.het_lib_dir))
config.substitutions.append(("%compat", os.path.join(config.test_source_root, "compat")))

# A program of the conformance suite, built once for all tests: NAME -o OUTPUT [-- FLAG...].
suite = os.path.join(config.test_source_root, "conformance", "conformance_program.py")
programs = os.path.join(config.test_exec_root, "conformance", "programs")
config.substitutions.append(("%build_conformance", f"python3 -B {suite} --folder {programs}"))

# A test may require a tool of this build by its name; without it the test is
# UNSUPPORTED, never passed.
for tool in ("hetcc", "hetpkg", "hetrun", "het-opt", "het-lower"):
    if os.access(os.path.join(config.het_tools_dir, tool), os.X_OK):
        config.available_features.add(tool)

# Sizes are those of what is shipped.
if config.het_build_type == "Release" and not config.het_instrumented:
    config.available_features.add("release-build")

# Hostile hetIR comes from the fuzzers' folder.
mutate = os.path.join(config.het_obj_root, "test", "fuzz", "het-mutate")
config.substitutions.append(("%mutate", mutate))
if os.access(mutate, os.X_OK):
    config.available_features.add("het-mutate")

# What a test may need beside the tools: the runtime that programs link with, a
# target to run on, and the programs of other build systems.
if os.path.exists(os.path.join(config.het_lib_dir, "libhetcublas.so")):
    config.available_features.add("libraries")
try:  # the host's back end of libraries
    ctypes.CDLL("libopenblas.so.0")
    config.available_features.add("openblas")
except OSError:
    pass
try:
    ctypes.CDLL("libfftw3f.so.3")
    ctypes.CDLL("libfftw3.so.3")
    config.available_features.add("fftw")
except OSError:
    pass
# NCCL between processes, where it was built with UCX's headers and finds its library.
collectives = os.path.join(config.het_lib_dir, "libhetnccl.so")
if os.path.exists(collectives) and ctypes.util.find_library("ucp"):
    with open(collectives, "rb") as file:
        if b"libucp.so.0" in file.read():
            config.available_features.add("ucx")
targets = os.path.join(config.het_lib_dir, "het", "targets")
if os.path.exists(os.path.join(config.het_lib_dir, "libhetrt.so")):
    config.available_features.add("runtime")
if os.path.isdir(targets) and any(n.startswith("het-host-") for n in os.listdir(targets)):
    config.available_features.add("host")
# A system without /proc is made by a mount namespace, which needs rights.
if subprocess.run(["unshare", "-m", "mount", "-t", "tmpfs", "none", "/proc"], capture_output=True).returncode == 0:
    config.available_features.add("no-proc")
# A program with its process is saved by CRIU, which needs rights and a kernel that it knows.
if lit.util.which("criu", config.environment["PATH"]):
    checked = subprocess.run(["criu", "check"], capture_output=True, text=True)
    if checked.returncode == 0:
        config.available_features.add("criu")
    else:
        lit_config.note("no criu: " + (checked.stderr.splitlines() or ["?"])[-1])
for program in ("ccache", "cmake", "make", "meson", "ninja", "g++", "spirv-dis", "spirv-val", "ptxas", "nvcc"):
    if lit.util.which(program, config.environment["PATH"]):
        config.available_features.add(program)
