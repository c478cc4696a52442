# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#
# command_lines.py FOLDER HETCC [--record]: command lines, generated from the tables
# below, are given to hetcc and, where there is one, to nvcc 13. Each must answer what
# command-lines.tsv says: whether it fails, and which files it writes. Most lines are dry
# runs; those of REAL are carried out, and what they write is looked at.
#
# A row of the table: line, nvcc's answer, hetcc's if it is another, and why.

import concurrent.futures
import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

TABLE = pathlib.Path(__file__).with_name("command-lines.tsv")

SOURCES = {
    "add.cu": "#include \"own.h\"\n__global__ void k(int *p) { *p = ONE; }\n"
              "int main() { k<<<1, 1>>>(nullptr); return 0; }\n",
    "scale.cu": "__global__ void s(int *p) { *p = 2; }\n",
    "plain.cpp": "int plain() { return 1; }\n",
    "main.cpp": "int plain();\nint main() { return plain() - 1; }\n",
    "plain.c": "int inC(void) { return 1; }\n",
    "own.h": "#define ONE 1\n",
    "options.txt": "-DA=1 -O2\n",
    "a b.cu": "__global__ void s(int *p) { *p = 2; }\n",
    "x.ptx": "", "x.cubin": "", "x.fatbin": "", "what.xyz": "", "pre.i": "", "pre.ii": "",
}
MADE = ("g++ -c plain.cpp -o x.o && ar cr libx.a x.o && g++ -shared -fPIC plain.cpp -o libs.so && "
        "cp libs.so libs.so.1 && mkdir -p sub")

PHASES = ["", "-c", "-dc", "-dw", "-dlink", "-lib", "-E", "-M", "-ptx", "-cubin", "-fatbin",
          "-link", "-shared", "-dlto -ltoir", "-run"]
INPUTS = ["add.cu", "plain.cpp", "plain.c", "add.cu scale.cu", "add.cu plain.cpp x.o", "x.o",
          "libx.a libs.so", "x.ptx", "what.xyz", "missing.cu",
          "pre.i pre.ii", ""]
OUTPUTS = ["-o out", "-o out.o", "-o sub/out.x", "-odir sub", "-odir sub -o out", "-odir nosuch"]
# Short name: long name, a value, and what else the line needs.
VALUES = {
    "arch": ("gpu-architecture", "sm_80", ""), "ccbin": ("compiler-bindir", "g++", ""),
    "std": ("std", "c++17", ""), "D": ("define-macro", "A=1", ""), "I": ("include-path", "sub", ""),
    "isystem": ("system-include", "sub", ""), "include": ("pre-include", "own.h", ""),
    "L": ("library-path", "sub", ""), "l": ("library", "m", ""), "o": ("output-file", "out", ""),
    "O": ("optimize", "2", ""), "x": ("x", "cu", ""), "m": ("machine", "64", ""),
    "Xcompiler": ("compiler-options", "-Wall", ""), "Xlinker": ("linker-options", "-s", ""),
    "Xptxas": ("ptxas-options", "-v", ""), "cudart": ("cudart", "shared", ""),
    "rdc": ("relocatable-device-code", "false", ""), "ftz": ("ftz", "true", ""),
    "maxrregcount": ("maxrregcount", "32", ""), "t": ("threads", "2", ""),
    "MF": ("dependency-output", "d.d", "-MD"), "MT": ("dependency-target-name", "name", "-MD"),
    "code": ("gpu-code", "sm_80", "-arch=compute_80"),
    "gencode": ("generate-code", "arch=compute_80,code=sm_80", ""),
    "Werror": ("Werror", "all-warnings", ""), "diag-suppress": ("diag-suppress", "177", ""),
    "optf": ("options-file", "options.txt", ""), "default-stream": ("default-stream", "per-thread", ""),
}
# Behind `-c add.cu`.
FLAGS = """-dlto -lto -restrict -res-usage -ewp -Wreorder -w -g -G -lineinfo -pg -noeh
  -extended-lambda -expt-relaxed-constexpr -m64 -m32 -use_fast_math --use_fast_math -use-fast-math
  -O -Ofast -O4 -Wall -fPIC -std=c++23 -std=gnu++17 -std=c++20 -x=f -arch=sm_35 -arch=sm_70
  -arch=sm_90a -arch=native -arch=all -arch=all-major -arch=sm_999 -arch=90 -code=sm_80 -dopt=off
  -Werror=bogus -cudart=bogus -sanitize=memcheck -maxrregcount=abc -t=abc -t0 -time -MD -MMD -MF=x
  -MT=x -MQ=x -diag-suppress=177,550 -diag-suppress=abc -split-compile=0 -split-compile=x -std
  -prec-div=no -ftz -lineinfo=true -G=1 -E -dc -ptx -opt-info=inline -opt-info=x -Xnvlink=-v
  -ccbin=clang++-22 -ccbin=/nonexistent -forward-unknown-opts -nosuchoption -rdc=true -rdc=1
  -fdevice-syntax-only -clean -objtemp -no-compress -cuda -optix-ir -target-dir=x86_64-linux
  -Xcudafe=--diag_suppress=177 -Xfatbin=-compress-all -o=sub/x.o -c -jobserver -keep""".split()
# Lists, quotes, dependencies and the rest, whole.
OTHERS = """plain.cpp libs.so.1|-c 'a b.cu'|-c add.cu -DA=1,B=2 -D C|-c add.cu '-DT="a b"'|-c add.cu '-DT="a,b"'|-c add.cu '-DT="a'
-c add.cu -Xcompiler -Wall,-Wextra -Xcompiler '"-DA=1,2"'|-c add.cu -I sub,. -I.|-c add.cu -l m,dl
add.cu -lm -ldl -Lsub -o prog|add.cu plain.cpp -o prog -Xlinker -rpath,sub|add.cu -o prog -lcuda
-c add.cu -gencode arch=compute_80,code=[sm_80,compute_80] -gencode=arch=compute_90,code=sm_90
-c add.cu --generate-code=arch=compute_80,code=sm_80 --generate-code=arch=compute_90,code=compute_90
-ptx add.cu -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90|-ptx add.cu -arch=sm_80
-cubin add.cu -arch=all|-cubin add.cu -arch=sm_80 -o k.cubin|-fatbin add.cu -arch=all|-ltoir add.cu
-c -MD add.cu -o sub/x.o|-c -MD -MF d.d -MT 'a b' add.cu|-c -MMD -MP add.cu -odir sub|-MD add.cu -o prog
-M add.cu -o d.d|-MM add.cu -odir sub|-M add.cu -MT name|-MM add.cu scale.cu|-c -MD add.cu scale.cu
-E add.cu -o pre.out|-E -MD add.cu|-M -MF d.d add.cu|-ptx -MD -MF d.d add.cu|-c -MF d.d add.cu
-c add.cu scale.cu -o x.o|-c add.cu plain.cpp -t 2|-c add.cu --threads 0|-lib add.cu plain.cpp -o lib.a
-lib x.o -o sub/lib.a|-lib libx.a x.o|-shared add.cu -o libadd.so -Xcompiler -fPIC|-run add.cu -run-args 1,2
-c add.cu -x cu|-c -x c++ what.xyz|-c -x cu plain.cpp|-x cu what.xyz -c -o o.o|-dlink x.o -o link.o
-c add.cu -forward-unknown-to-host-compiler -pipe -fno-strict-aliasing|-c add.cu -forward-unknown-to-host-compiler -foo bar
add.cu -forward-unknown-to-host-linker -rdynamic|-c add.cu --options-file options.txt|-c add.cu @options.txt
-c add.cu -optf nosuch.txt|-c add.cu -ccbin g++ -ccbin g++|-c add.cu -o a.o -o b.o|-c add.cu -std=c++14 -std=c++17
-c add.cu -arch=sm_80 -arch=sm_90|-c add.cu -cudart none|add.cu -cudart none|add.cu -cudart shared -o prog
-c plain.cpp -std=c++11|-c plain.c -std=c++17|-c -w plain.c|--version|--help|-arch-ls|-code-ls|-c|-v|-lm|-c add.cu -odir
-c add.cu -keep -keep-dir sub|-c -D add.cu|-c add.cu -o|-c ./add.cu|-c sub/../add.cu -o sub/o.o|add.cu x.o libx.a -o prog""".replace("\n", "|").split("|")
# Carried out.
REAL = """-c add.cu|-c add.cu -o sub/x.o|-dc add.cu|-c plain.cpp|-c plain.c -o c.o|-c add.cu plain.cpp|-lib add.cu plain.cpp -o lib.a
-lib x.o -o lib.a|add.cu -o prog|add.cu plain.cpp -o prog -Xcompiler -Wall|main.cpp plain.cpp|main.cpp libx.a -o prog
-shared scale.cu -o libscale.so -Xcompiler -fPIC|-M add.cu -o d.d|-MM add.cu -MP -o d.d|-c -MD add.cu|-c -MMD -MF d.d -MT 'x y' add.cu
-c -MD add.cu -o sub/x.o|-MMD add.cu -o prog|-ptx -MD add.cu|-ptx add.cu scale.cu|-cubin add.cu|-fatbin add.cu -o k.fatbin|-E plain.cpp -o pre.out
-c missing.cu|-c add.cu -DONE=nothing -include own.h|-c 'a b.cu'|-c x.o|-run main.cpp plain.cpp|-c -x cu plain.cpp|-c -MD missing.cu
-dlink x.o -o link.o|-c plain.cpp -O2 -g -std=c++14 -DA=1,B=2|-clean -c add.cu|add.cu -MD -MF d.d -o sub/prog""".replace("\n", "|").split("|")

# Where hetcc's answer is another, and why.
DIFFERENCES = [
    (r"libs\.so\.1", "a library by its version, as g++ has it"),
    (r"x\.ptx", "an object is made of CUDA source; packages have one form whatever their extension"),
    (r"-arch=sm_(35|70)", "the package is for every architecture, also those that nvcc has dropped"),
    (r"-sanitize|-cuda|-optix-ir", "refused by name"),
    (r"-keep|-objtemp", "intermediate files are an object and a package (x.hetpkg)"),
    (r"@options\.txt", "files of options as g++ has them"),
]


def lines():
    """The dry runs."""
    made = [f"{phase} {inputs}".strip() for phase in PHASES for inputs in INPUTS]
    made += [f"{phase} add.cu {output}".strip() for phase in PHASES[:11] for output in OUTPUTS
             if phase not in ("-dw", "-E")]
    for short, (long, value, more) in VALUES.items():
        made += [f"-c add.cu {more} {text}".replace("  ", " ") for text in (
            f"-{short} {value}", f"-{short}={value}", f"-{short}{value}", f"--{long} {value}", f"--{long}={value}")]
    made += [f"-c add.cu {flag}" for flag in FLAGS] + OTHERS
    return list(dict.fromkeys(line for line in made if line))


def shownFiles(text):
    """The files that a dry run's commands would leave behind."""
    files = set()
    for line in text.splitlines():
        if not line.startswith("#$ ") or re.match(r"#\$ [A-Z_]+=", line):
            continue
        listed = re.match(r"#\$ -- Filter Dependencies --(?: > (.*))?$", line.strip())
        if listed:
            files |= {listed[1].strip('" ')} if listed[1] else set()
            continue
        words = shlex.split(line[3:])
        files |= {after for word, after in zip(words, words[1:]) if word in ("-o", "-MF")}
        files |= {word[9:] for word in words if word.startswith("--create=")}
        if re.search(r"\bar`?$", words[0]):
            files.add(next(word for word in words[2:] if not word.startswith("-")))
    return {file for file in files if not file.startswith(("/tmp/", os.environ.get("TMPDIR", "/tmp/")))}


def answer(run, files):
    return "fails" if run.returncode else " ".join(["ok", *sorted(files)])


def start(tool, line, folder, *more):
    return subprocess.run([tool, *more, *shlex.split(line)], cwd=folder, capture_output=True, text=True,
                          errors="replace", stdin=subprocess.DEVNULL)


def dryAnswer(tool, line, folder):
    run = start(tool, line, folder, "--dryrun")
    return answer(run, shownFiles(run.stderr))


def kind(path):
    """What the next tool would see in a file."""
    contents = path.read_bytes()
    if path.suffix in (".ptx", ".cubin", ".fatbin"):
        return "kernels"
    if contents[:4] == b"\x7fELF":
        return {1: "object", 2: "program", 3: "shared"}.get(contents[16], "elf")
    if contents[:8] == b"!<arch>\n":
        members = subprocess.run(["ar", "t", path], capture_output=True, text=True).stdout.split()
        return f"archive-of-{len(members)}"
    if path.suffix == ".d":
        targets, _, sources = contents.decode().replace("\\\n", " ").partition(":")
        first = sources.split()[0] if sources.split() else "nothing"
        return f"{targets.strip()}:{first}{'+own.h' if 'own.h' in sources else ''}".replace(" ", "_")
    return "file"


def makeFolder(folder):
    folder.mkdir(parents=True)
    for name, text in SOURCES.items():
        (folder / name).write_text(text)
    subprocess.run(MADE, shell=True, cwd=folder, check=True)
    return folder


def realAnswer(tool, line, folder):
    makeFolder(folder)
    before = {path: path.stat().st_mtime_ns for path in folder.rglob("*")}
    run = start(tool, line, folder)
    written = [path for path in folder.rglob("*")
               if path.is_file() and before.get(path) != path.stat().st_mtime_ns]
    return answer(run, [f"{path.relative_to(folder)}={kind(path)}" for path in written])


def answers(tool, folder):
    """All answers of a tool, by line; those that are carried out have '! ' in front."""
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        dry = makeFolder(folder / "dry")
        jobs = {line: pool.submit(dryAnswer, tool, line, dry) for line in lines()}
        for number, line in enumerate(REAL):
            jobs["! " + line] = pool.submit(realAnswer, tool, line, folder / str(number))
        return {line: job.result() for line, job in jobs.items()}


def readTable():
    rows = [row.split("\t") for row in TABLE.read_text().splitlines() if not row.startswith("#")]
    return {row[0]: (row + [""] * 3)[1:4] for row in rows}


def record(hetcc, nvcc):
    """Writes the table anew, for the writer to look at."""
    rows = ["# line\tnvcc 13\thetcc, if it answers otherwise\twhy"]
    for line, theirs in nvcc.items():
        row = [line, theirs]
        if hetcc[line] != theirs:
            row += [hetcc[line], next((why for pattern, why in DIFFERENCES if re.search(pattern, line)), "?")]
        rows.append("\t".join(row))
    TABLE.write_text("\n".join(rows) + "\n")


def faults(name, column, found, table):
    texts = []
    for line, got in found.items():
        expected = table.get(line, ["no row"])
        wanted = expected[0] if column == 0 or not expected[1:] or not expected[1] else expected[1]
        if got != wanted:
            texts.append(f"{name} {line}\n  found    {got}\n  expected {wanted}")
    return texts


def findNvcc():
    """nvcc 13, if it is there. Others say other things."""
    tool = shutil.which("nvcc")
    version = start(tool, "--version", ".").stdout if tool else ""
    return [tool] if "release 13." in version and "hetcc" not in version else []


def main():
    folder, tools = pathlib.Path(sys.argv[1]), [sys.argv[2], *findNvcc()]
    found = [answers(tool, folder / f"tool{number}") for number, tool in enumerate(tools)]
    if "--record" in sys.argv:
        record(*found)
        return
    table = readTable()
    texts = faults("hetcc", 1, found[0], table)
    if len(found) == 2:
        texts += faults("nvcc", 0, found[1], table)
    print("\n".join(texts))
    print(f"{len(found[0])} command lines, {len(texts)} faults; " +
          ("compared with nvcc" if len(found) == 2 else "nvcc is not there: compared with the table alone"))
    sys.exit(bool(texts))


main()
