# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Checks the rules of the house on a source tree: lint.py ROOT.

Licence lines, length of files, functions and classes, layers (who may include whom),
no LLVM where none may be, no target's name outside its own folder, include guards, no
exception out of CUDA's functions, references to pages and sections of docs/ that are
there, and no test that a time may decide.
"""

import itertools
import pathlib
import re
import sys

import sizes

LICENCE = "SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception"
MAX_LINES = 500
SOURCES = {".cpp", ".h", ".c", ".td", ".def", ".cu"}
LICENSED = SOURCES | {".cmake", ".sh", ".py"}
REFERRING = LICENSED | {".md", ".mlir", ".test", ".txt"}
FOLDERS = ("cmake", "examples", "include", "lib", "libs", "runtime", "test", "tools", ".ci")

# What each part may include of include/het, itself not counted. The order of
# the layers is that of the way of the data.
MAY_INCLUDE = {
    "DeviceABI": set(),
    "Base": set(),
    "Package": {"DeviceABI", "Base"},
    "IR": {"DeviceABI", "Base"},
    "Transforms": {"DeviceABI", "Base", "IR"},
    "Frontend": {"DeviceABI", "Base", "Package", "IR", "Transforms"},
    "RuntimeCompilation": {"Base", "Package", "Frontend", "Target"},
    "Driver": {"Base", "Package", "Frontend"},
    "Target": {"DeviceABI", "Base", "Package", "IR", "Transforms"},
    "Runtime": {"DeviceABI", "Base", "Package", "Target"},
}
# The layers within a folder, lowest first: what each may include of the others.
SUBFOLDER_MAY_INCLUDE = {
    ("runtime",): {
        "core": set(),
        "migration": {"core"},
        "cuda": {"core", "migration"},
        "migrate": {"core", "migration", "cuda"},
    },
    ("lib", "Transforms"): {
        "Analysis": set(),
        "SafePoints": {"Analysis"},
        "Segments": {"Analysis", "SafePoints"},
        "Parking": {"Analysis", "SafePoints"},
    },
}
NO_LLVM = ("lib/Base", "lib/Package", "runtime/core", "runtime/cuda", "tools/hetpkg",
           "tools/hetrun", "include/het/DeviceABI", "include/het/Base", "include/het/Package",
           "include/het/Target", "runtime/migration")
INCLUDE = re.compile(r'^\s*#\s*include\s*["<]([^">]+)[">]')
API_FUNCTION = re.compile(r"^(?:cudaError_t|CUresult) ((?:__)?cu(?:da)?[A-Z]\w+)(\([^{};]*){",
                          re.MULTILINE)
LLVM = re.compile(r"^(llvm|llvm-c|mlir|mlir-c|clang|clang-c|lld)/")
HANDS_OVER = re.compile(r"\s*return cu(?:da)?[A-Z]\w*\([^;()]*\);\s*\}")

faults = []


def fault(path, line, text):
    faults.append(f"{path}:{line}: {text}")


def part_of(path):
    """The layer's name of a file in lib/, include/het/ or runtime/, or None."""
    parts = path.parts
    if parts[0] == "lib" and len(parts) > 2:
        return parts[1]
    if parts[:2] == ("include", "het") and len(parts) > 3:
        return parts[2]
    if parts[0] == "runtime" and parts[1] in ("core", "migration", "cuda"):
        return "Runtime"
    return None


def is_device(path):
    """lib/Target/<T>/Device links no LLVM; nor does what it shares."""
    parts = path.parts
    return parts[:2] == ("lib", "Target") and len(parts) > 3 and parts[3] == "Device"


def check_subfolders(path, number, name):
    found = re.match(r"(?:\.\./)*(\w+)/", name)
    for folder, may_include in SUBFOLDER_MAY_INCLUDE.items():
        depth = len(folder)
        if not found or path.parts[:depth] != folder or len(path.parts) < depth + 2:
            continue
        own, other = path.parts[depth], found.group(1)
        if own not in may_include or other not in may_include or other == own:
            continue
        if other not in may_include[own]:
            fault(path, number,
                  f"{'/'.join(folder)}/{own} includes {name}, which is of a higher layer")


def check_include(path, number, name):
    part = part_of(path)
    if LLVM.match(name):
        for folder in NO_LLVM:
            if path.as_posix().startswith(folder + "/"):
                fault(path, number, f"{part or path.parts[1]} includes {name}: no LLVM in {folder}")
        if is_device(path):
            fault(path, number, f"Device includes {name}: no LLVM there")
    check_subfolders(path, number, name)
    found = re.match(r"het/([A-Z]\w*)/", name)
    if found and part in MAY_INCLUDE and found.group(1) != part:
        if found.group(1) not in MAY_INCLUDE[part]:
            fault(path, number, f"{part} includes {name}, which is of a higher layer")


def check_targets(path, number, code, targets):
    """Plug-ins' names and private headers stay in the target's folder."""
    for target in targets:
        if path.parts[:3] == ("lib", "Target", target):
            continue
        if re.search(rf"het-{target.lower()}-(device|lowering)|Target/{target}/", code):
            fault(path, number, f"names the target {target}, which only lib/Target/{target} may")


# What an installed program or library must not call, and why.
UNSAFE = (
    (re.compile(r"getenv\("),
     "getenv: variables are declared in het/Base/Environment.def and read by "
     "het/Base/Environment.h, which believes no environment of a set-user-ID program's caller"),
    (re.compile(r"\bdirectory_iterator\("),
     "directory_iterator throws when a folder can not be read to its end; use listFolder"),
    (re.compile(r"\bcreateUniqueDirectory\("),
     "createUniqueDirectory: others may write there, and it stays behind; work in memory"),
)


# A way into the runtime past the rules for signatures.
OPENS_PACKAGE = re.compile(r"\bPackage(?:Sections)?::open\(")


def check_calls(path, number, code):
    if path.as_posix() == "lib/Base/Environment.cpp":
        return
    if path.parts[0] == "runtime" and path.as_posix() != "runtime/core/OpenPackage.cpp":
        if OPENS_PACKAGE.search(code):
            fault(path, number, "Package::open: the runtime opens packages by "
                                "core::openPackage, which asks whether they are trusted")
    # What goes into others' programs alone has none of our libraries.
    goes_into_others = path.parts[:2] in (("runtime", "stubs"), ("runtime", "include"))
    if path.parts[0] in ("lib", "runtime", "tools", "include") and not goes_into_others:
        for pattern, why in UNSAFE:
            if pattern.search(code):
                fault(path, number, why)


def check_sizes(path, text, find):
    for line, name, size, what in find(text):
        fault(path, line, f"{name}: {size} {what}")


# Headers whose guards are their paths. Those of runtime/include and runtime/devicelib are
# included by other names.
GUARDED = ("include/het/", "lib/", "runtime/core/", "runtime/cuda/", "runtime/migration/",
           "tools/")


def check_guard(path, lines):
    name = path.as_posix()
    if path.suffix != ".h" or not name.startswith(GUARDED):
        return
    words = re.sub(r"\W", "_", name.removeprefix("include/het/")).upper()
    expected = f"HET_{words}"
    for number, line in enumerate(lines, 1):
        found = re.match(r"#ifndef (\w+)", line)
        if found:
            if found.group(1) != expected:
                fault(path, number, f"the include guard is {found.group(1)}, not {expected}")
            return
    fault(path, 1, f"there is no include guard, expected {expected}")


# A test waits for what must happen, without a limit or with one that only a hang reaches
# (Eventually.h, await.sh). Where time is looked at for another reason a comment in the
# line, in the one before, or in the file's head says which: "not timed: REASON".
TIMED = (
    (re.compile(r"\b(sleep_for|sleep_until|usleep|nanosleep)\b|\btime\.sleep\(|\bsleep [\d.$]"),
     "sleeps: wait for what is to happen, or for the progress of something else"),
    (re.compile(r"\b(wait_for|wait_until)\(|\b(steady|system|high_resolution)_clock\b|"
                r"\b(gettimeofday|clock_gettime)\b|\btime\.(time|monotonic|perf_counter)\("),
     "looks at the time: a fake clock, or an order, can be asserted instead"),
    (re.compile(r"\b(EXPECT|ASSERT|CHECK)_(LT|LE|GT|GE|TRUE)\([^;]*([Ee]lapsed|[Ss]econds\b(?!\())"),
     "asserts a time"),
)
DEVICE_TIMED = (
    (re.compile(r"\bclock(64)?\(\)|%%?globaltimer|\b__nanosleep\b"),
     "looks at the device's time"),
)
LIMIT = re.compile(r"\btimeout(?:=| )(\d+)")
SHORTEST_LIMIT = 120  # seconds
TEMPORARY = re.compile(r"testing::TempDir\(\)[^;]*;")
OF_ONE_PROCESS = re.compile(r"XXXXXX|getpid\(\)|to_string\(process\)")
UNTIMED = re.compile(r"(?://|#|\*) *not timed: \w")


def head_of(path, lines):
    """The comment that a file begins with."""
    mark = "#" if path.suffix in (".py", ".sh", ".test") else "//"
    return itertools.takewhile(lambda line: line.startswith(mark), lines)


def check_time(path, lines):
    """No verdict of a test depends on how fast the machine is."""
    parts = path.parts
    if parts[0] != "test" or parts[1] in ("Lint", "benchmarks"):
        return
    if any(UNTIMED.search(line) for line in head_of(path, lines)):
        return
    on_devices = parts[1] in ("conformance", "Run", "random") and path.suffix in SOURCES
    rules = TIMED + (DEVICE_TIMED if on_devices else ())
    for number, line in enumerate(lines, 1):
        if UNTIMED.search(line) or (number > 1 and UNTIMED.search(lines[number - 2])):
            continue
        for pattern, why in rules:
            if pattern.search(line):
                fault(path, number, f"{why} (or say \"not timed: REASON\")")
        limit = LIMIT.search(line)
        if limit and int(limit.group(1)) < SHORTEST_LIMIT:
            fault(path, number, f"a limit of {limit.group(1)} s: a loaded machine may reach it")


def check_temporary(path, text):
    """Tests run beside each other: what one writes has a name that no other has."""
    for found in TEMPORARY.finditer(text):
        if not OF_ONE_PROCESS.search(found[0]):
            line = text.count("\n", 0, found.start()) + 1
            fault(path, line, "a file that other tests may write: name it by getpid() or XXXXXX")


def check_answers(path, lines):
    """A function of CUDA's API lets no exception out: its body is a try, or hands over to
    another such function."""
    text = "\n".join(lines)
    for found in API_FUNCTION.finditer(text):
        body = text[found.end():]
        if HANDS_OVER.match(body):
            continue
        first = body.split("\n", 1)[0]
        behind = body[len(first) if first.endswith("}") else body.find("\n}\n") + 2:]
        if not (found[2].endswith("try ") and behind.startswith("\nHET_CATCH")):
            line = text.count("\n", 0, found.start()) + 1
            fault(path, line, f"{found[1]}: its body is no try that ends with HET_CATCH")


def check_source(path, lines, targets):
    if path.parts[:2] == ("runtime", "cuda"):
        check_answers(path, lines)
    if len(lines) > MAX_LINES:
        fault(path, len(lines), f"{len(lines)} lines; split what has more than {MAX_LINES}")
    if path.parts[:2] == ("test", "unit"):
        check_temporary(path, "\n".join(lines))
    if path.parts[0] in ("test", "examples"):
        return
    check_guard(path, lines)
    for number, line in enumerate(lines, 1):
        found = INCLUDE.match(line)
        if found:
            check_include(path, number, found.group(1))
        check_targets(path, number, line.split("//")[0], targets)
        check_calls(path, number, line.split("//")[0])


# A page of docs/, and the section that is named behind it, if one is.
PAGE = re.compile(r"\b(docs/[\w/-]+\.md)")
SECTION = re.compile(r',\s*(?:(?://+|#|\*)\s*)?"?([A-Z][^".;:)]{,80})')
LINK = re.compile(r"\]\(([\w./-]+\.md)?(#[\w-]+)?\)(?:, ([A-Z][\w ]*))?")
HEADING = re.compile(r"^#+ (.*)$", re.MULTILINE)
COMMENT = re.compile(r"\n[ \t]*(?:///?|#|\*)?[ \t]*")
PAGES = {}
OTHERS = {"docs/libttsim_api.md"}  # of other projects


def headings(page):
    """The headings of a page, or None where there is no such page."""
    if page not in PAGES:
        text = page.read_text(encoding="utf-8") if page.is_file() else None
        PAGES[page] = None if text is None else [h.replace("`", "") for h in HEADING.findall(text)]
    return PAGES[page]


def anchor(heading):
    return "#" + re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-")


def check_page(path, line, page, name, section="", mark=""):
    known = headings(page)
    if known is None:
        fault(path, line, f"there is no page {name}")
    elif section and not any(section.startswith(h.split(":")[0]) for h in known):
        fault(path, line, f"{name} has no section {section!r}")
    elif mark and mark not in [anchor(h) for h in known]:
        fault(path, line, f"{name} has no section {mark}")


def check_pages(root, path, text):
    """References to pages of docs/, in sources and in the pages themselves."""
    for found in PAGE.finditer(text):
        if found.group(1) in OTHERS:
            continue
        named = SECTION.match(text, found.end())
        section = COMMENT.sub(" ", named.group(1)).strip() if named else ""
        check_page(path, text.count("\n", 0, found.start()) + 1, root / found.group(1),
                   found.group(1), section)
    if path.suffix != ".md":
        return
    for found in LINK.finditer(text):
        name, mark, section = found.groups()
        if name or mark:
            page = (root / path.parent / name).resolve() if name else root / path
            check_page(path, text.count("\n", 0, found.start()) + 1, page,
                       name or path.as_posix(), section or "", mark or "")


def files(root):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            relative = path.relative_to(root)
            if path.is_file() and not path.is_symlink() and "__pycache__" not in relative.parts:
                yield path, relative


def main():
    root = pathlib.Path(sys.argv[1])
    targets = [d.name for d in (root / "lib" / "Target").glob("*")
               if d.is_dir() and d.name != "Support"]
    count = 0
    for path in sorted([*root.glob("*.md"), *(root / "docs").rglob("*.md")]):
        check_pages(root, path.relative_to(root), path.read_text(encoding="utf-8"))
    for path, relative in files(root):
        name = path.name
        if path.suffix in REFERRING and relative.parts[:2] != ("test", "Lint"):
            check_pages(root, relative, path.read_text(encoding="utf-8", errors="replace"))
        is_test_input = relative.parts[0] == "test" and relative.parts[1] != "unit"
        script = relative.parts[:2] == ("tools", "dev") or relative.parts[0] == ".ci"
        licensed = path.suffix in LICENSED or name == "CMakeLists.txt" or script
        if not licensed and path.suffix != ".test":
            continue
        lines = path.read_text(encoding="utf-8", errors="replace").splitlines()
        check_time(relative, lines)
        if not licensed:
            continue
        count += 1
        head = lines[1:2] if lines and lines[0].startswith("#!") else lines[:1]
        if not is_test_input and not (head and LICENCE in head[0]):
            fault(relative, 1, "the first line is not the licence's")
        if path.suffix in SOURCES:
            check_source(relative, lines, targets)
        if path.suffix in (".cpp", ".h"):
            check_sizes(relative, "\n".join(lines), sizes.in_cpp)
        elif path.suffix == ".py" or lines and lines[0].endswith("python3"):
            check_sizes(relative, "\n".join(lines), sizes.in_python)
    for text in faults:
        print(text)
    print(f"lint: {count} files, {len(faults) or 'no'} faults")
    return 1 if faults else 0


sys.exit(main())
