#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""CUDA device functions for which we take more instructions than nvcc. Needs no GPU.

    function-code.py [--arch sm_90] [--least 4] [--filter REGEX] [--keep FOLDER]

Makes a kernel for each function and type of the tables below, which loads the operands,
calls the function and stores the result; compiles all by hetcc and by nvcc, has ptxas and
nvdisasm make machine code, and prints the functions for which ours has at least so many
instructions more, worst first, and how many there are. Few instructions are not fast ones:
what a line shows is where to look.

hetcc, het-lower, nvcc, ptxas and nvdisasm are those on the PATH.
"""

import argparse
import concurrent.futures
import pathlib
import re
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test/Target/PTX/Inputs"))
sys.dont_write_bytecode = True
import ptxas

U, ULL = "unsigned", "unsigned long long"
ROUNDINGS = "rn rz ru rd".split()
HEADERS = "".join("#include <cuda_%s.h>\n" % name for name in ("fp16", "bf16", "fp8"))
KERNEL = ('extern "C" __global__ void {name}({out} *o{parameters}) {{\n'
          "  int t = threadIdx.x + blockIdx.x * blockDim.x;\n  o[t] = {call};\n}}\n")
ATOMIC = ('extern "C" __global__ void {name}({type} *p, const {type} *v, {type} *o) {{\n'
          "  int t = threadIdx.x + blockIdx.x * blockDim.x;\n{before}"
          "  {old}atomic{operation}({place} + (t & 255), {operand});\n{after}}}\n")
INSTRUCTION = re.compile(r"^\s*/\*[0-9a-f]{4,}\*/\s+(?:@!?U?P\w+\s+)?([A-Z][\w.]*)(.*)")
ITSELF = re.compile(r"`\(\.L_x_\d+\)")


class Kernels:
    def __init__(self):
        self.sources = {}

    def call(self, function, operands, out, name=None, expression=None):
        """A kernel of a function whose operands have these types."""
        name = "k_" + re.sub(r"\W+", "_", name or function)
        values = ["p%d[t]" % index for index in range(len(operands))]
        self.sources[name] = KERNEL.format(
            name=name, out=out, call=(expression or function + "({})").format(", ".join(values)),
            parameters="".join(", const %s *p%d" % (type, i) for i, type in enumerate(operands)))

    def calls(self, functions, operands, out, prefix=""):
        for function in functions.split():
            self.call(function, operands, out, name=prefix + function)

    def atomic(self, operation, type, isShared, isUsed):
        name = "a_%s_%s_%s%s" % (operation, re.sub(r"\W+", "", type), "shared" if isShared else "global",
                                 "_used" if isUsed else "")
        self.sources[name] = ATOMIC.format(
            name=name, type=type, operation=operation, place="s" if isShared else "p",
            old="o[t] = " if isUsed else "",
            operand={"Inc": "7u", "Dec": "7u", "CAS": "(%s)3, v[t]" % type}.get(operation, "v[t]"),
            before="  __shared__ %s s[256];\n  s[threadIdx.x] = v[t];\n  __syncthreads();\n" % type
            if isShared else "",
            after="  __syncthreads();\n  p[t] = s[threadIdx.x];\n" if isShared else "")


def words(kernels):
    for lanes in "24":
        for name in "vabs vabsss vneg vnegss".split():
            kernels.call("__" + name + lanes, [U], U)
        compared = ["eq", "ne"] + [c + s for c in ("ge", "gt", "le", "lt") for s in "su"]
        for name in ("vadd vaddss vaddus vsub vsubss vsubus vabsdiffs vabsdiffu vavgs vavgu vhaddu vmaxs "
                     "vmaxu vmins vminu vsads vsadu").split() + [f + c for f in ("vcmp", "vset") for c in compared]:
            kernels.call("__" + name + lanes, [U, U], U)
    for type in "s16x2 s16x2_relu s32 s32_relu u16x2 u32".split():
        kernels.calls(" ".join("__%s_%s" % (f, type) for f in ("viaddmax", "viaddmin", "vimax3", "vimin3")), [U] * 3, U)
    kernels.calls("__popc __clz __ffs __brev", [U], U)
    kernels.calls("__popcll __clzll __ffsll __brevll", [ULL], ULL)
    kernels.calls("__mulhi __umulhi __mul24 __umul24 __hadd __rhadd __uhadd __urhadd", [U, U], U)
    kernels.calls("__mul64hi __umul64hi", [ULL, ULL], ULL)
    kernels.calls("__sad __usad __byte_perm __funnelshift_l __funnelshift_r __funnelshift_lc __funnelshift_rc "
                  "__dp4a __dp2a_lo __dp2a_hi", [U] * 3, U)


def numbers(kernels):
    integers = {"int": "int", "uint": U, "ll": "long long", "ull": ULL}
    for mode in ROUNDINGS:
        for short, type in integers.items():
            for wide in ("float", "double"):
                kernels.call("__%s2%s_%s" % (wide, short, mode), [wide], type)
                if wide == "float" or "ll" in short:
                    kernels.call("__%s2%s_%s" % (short, wide, mode), [type], wide)
        kernels.call("__double2float_" + mode, ["double"], "float")
        for letter, type in (("f", "float"), ("d", "double")):
            kernels.calls(" ".join("__%s%s_%s" % (letter, f, mode) for f in ("add", "mul", "div")), [type] * 2, type)
        kernels.calls("__frcp_%s __fsqrt_%s" % (mode, mode), ["float"], "float")
        kernels.call("__fmaf_" + mode, ["float"] * 3, "float")
        kernels.call("__fma_" + mode, ["double"] * 3, "double")
    for suffix, type in (("f", "float"), ("", "double")):
        kernels.calls(" ".join(f + suffix for f in "fabs floor ceil trunc rint round sqrt rsqrt".split()), [type], type)
        kernels.calls("fmin%s fmax%s" % (suffix, suffix), [type] * 2, type)
    kernels.calls("__sinf __cosf __tanf __expf __exp10f __logf __log2f __log10f __saturatef", ["float"], "float")
    kernels.calls("__fdividef __powf fdimf copysignf", ["float"] * 2, "float")


def smallFloats(kernels):
    for letter, cuda, type, pair in (("h_", "half", "__half", "__half2"),
                                     ("b_", "bfloat16", "__nv_bfloat16", "__nv_bfloat162")):
        kernels.calls("__hadd __hsub __hmul __hdiv __hmax __hmin __hmax_nan __hmin_nan __hadd_sat __hmul_sat",
                      [type] * 2, type, letter)
        kernels.calls("__hadd2 __hsub2 __hmul2 __h2div __hmax2 __hmin2 __hmax2_nan __hmin2_nan __hadd2_sat "
                      "__hmul2_sat __heq2 __hlt2 __hgtu2 __hne2", [pair] * 2, pair, letter)
        kernels.calls("__heq2_mask __hlt2_mask __hgtu2_mask __hne2_mask", [pair] * 2, U, letter)
        kernels.calls("__hbeq2 __hblt2 __hbgt2", [pair] * 2, "bool", letter)
        kernels.calls("__heq __hne __hlt __hgt __hle __hge __hequ __hltu", [type] * 2, "bool", letter)
        kernels.calls("__hfma __hfma_sat __hfma_relu", [type] * 3, type, letter)
        kernels.calls("__hfma2 __hfma2_sat __hfma2_relu __hcmadd", [pair] * 3, pair, letter)
        functions = "sqrt rsqrt rcp exp exp2 exp10 log log2 log10 sin cos trunc floor ceil rint".split()
        kernels.calls("__hneg __habs " + " ".join("h" + f for f in functions), [type], type, letter)
        kernels.calls("__hneg2 __habs2 " + " ".join("h2" + f for f in functions), [pair], pair, letter)
        for mode in ROUNDINGS:
            kernels.call("__float2%s_%s" % (cuda, mode), ["float"], type)
            for short, integer in (("short", "short"), ("ushort", "unsigned short"), ("int", "int"), ("ll", "long long")):
                kernels.call("__%s2%s_%s" % (short, cuda, mode), [integer], type)
                kernels.call("__%s2%s_%s" % (cuda, short, mode), [type], integer)
        kernels.call("__double2" + cuda, ["double"], type)
        kernels.call("__floats2%s2_rn" % cuda, ["float"] * 2, pair)
        kernels.call("__%s22float2" % cuda, [pair], "float2")
    for format in ("e4m3", "e5m2"):
        one, two, four = ("__nv_fp8%s_%s" % (size, format) for size in ("", "x2", "x4"))
        both = [(one, t) for t in ("float", "__half", "__nv_bfloat16", "int")] + [(two, "float2"), (two, "__half2"), (four, "float4")]
        for narrow, wide in both:
            kernels.call(narrow, [wide], narrow, name="%s_from_%s" % (narrow, wide))
            kernels.call(wide, [narrow], wide, name="%s_from_%s" % (wide, narrow))
        for narrow, wide in ((one, "double"), (two, "__nv_bfloat162")):
            kernels.call(narrow, [wide], narrow, name="%s_from_%s" % (narrow, wide))


def teams(kernels):
    mask = "(0xffffffffu, {})"
    for vote in "__all_sync __any_sync __ballot_sync __match_any_sync".split():
        kernels.call(vote, [U], U, expression=vote + mask)
    for move in "__shfl_sync __shfl_up_sync __shfl_down_sync __shfl_xor_sync".split():
        for type in ("int", "float", "double", "long long", "__half2", "__half"):
            kernels.call(move, [type, "int"], type, name=move + type, expression=move + mask)
    for kind in "add min max and or xor".split():
        name = "__reduce_%s_sync" % kind
        kernels.call(name, [U], U, expression=name + mask)
    kernels.calls("__syncthreads_count __syncthreads_and __syncthreads_or", ["int"], "int")


def atomics(kernels):
    integers = ["int", U, ULL]
    types = {"Add": integers + ["float", "double", "__half2", "__half", "__nv_bfloat162", "__nv_bfloat16"],
             "Min": integers + ["long long"], "Max": integers + ["long long"], "Exch": integers + ["float"],
             "And": [U, ULL], "Or": [U], "Xor": [U], "Inc": [U], "Dec": [U], "Sub": ["int"],
             "CAS": ["int", ULL, "unsigned short"]}
    for operation, of in types.items():
        for type in of:
            for isShared in (False, True):
                for isUsed in (False, True):
                    kernels.atomic(operation, type, isShared, isUsed)


def counts(text):
    """kernel -> instructions, but for padding."""
    found, kernel = {}, None
    for row in text.splitlines():
        if entry := ptxas.ENTRY.match(row):
            kernel = entry[1]
            found[kernel] = 0
        elif kernel and (line := INSTRUCTION.match(row)):
            isPadding = line[1] == "NOP" or (line[1] == "BRA" and ITSELF.search(line[2]))
            found[kernel] += not isPadding
    return found


def ours(source, arch, folder):
    package = folder / "ours.hetpkg"
    ptxas.run(["hetcc", "-O3", "--het-emit=hetpkg", "-arch=" + arch, str(source), "-o", str(package)], "hetcc")

    def assemble(kernel):
        name, text = kernel
        file = folder / (name + ".ptx")
        file.write_bytes(text)
        ptxas.run(["ptxas", "-arch=" + arch, str(file), "-o", str(file.with_suffix(".cubin"))], "ptxas, " + name)
        return name, counts(ptxas.disassemble(file.with_suffix(".cubin"))).get(name)

    with concurrent.futures.ThreadPoolExecutor() as pool:
        return dict(pool.map(assemble, ptxas.lower(package, arch)))


def nvccs(source, arch, folder):
    file = folder / "nvcc.cubin"
    ptxas.run(["nvcc", "-O3", "-std=c++17", "-arch=" + arch, "-cubin", str(source), "-o", str(file)], "nvcc")
    return counts(ptxas.disassemble(file))


def main():
    parser = argparse.ArgumentParser(description="functions for which we take more instructions than nvcc")
    parser.add_argument("--arch", default="sm_90")
    parser.add_argument("--least", type=int, default=4, help="instructions more, to be printed")
    parser.add_argument("--filter", default="", help="only kernels whose names match")
    parser.add_argument("--keep", type=pathlib.Path, help="a folder for source, PTX and machine code")
    options = parser.parse_args()
    kernels = Kernels()
    for table in (words, numbers, smallFloats, teams, atomics):
        table(kernels)
    chosen = [text for name, text in kernels.sources.items() if re.search(options.filter, name)]
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        source = folder / "functions.cu"
        source.write_text(HEADERS + "".join(chosen))
        try:
            own, theirs = ours(source, options.arch, folder), nvccs(source, options.arch, folder)
        except ptxas.Failed as failure:
            sys.exit("error: %s" % failure)
    if missing := [name for name in theirs if own.get(name) is None]:
        sys.exit("error: no code of ours for %s" % ", ".join(missing))
    rows = sorted(((own[name] - theirs[name], name) for name in theirs), reverse=True)
    more = [row for row in rows if row[0] >= options.least]
    for difference, name in more:
        print("%+4d  ours %3d, nvcc's %3d  %s" % (difference, own[name], theirs[name], name))
    print("%d of %d functions take at least %d instructions more" % (len(more), len(rows), options.least))
    return 0


if __name__ == "__main__":
    sys.exit(main())
