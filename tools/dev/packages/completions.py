# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Completions for bash, zsh and fish, made of what 'TOOL --help' prints, which the tools make
of their tables of options."""

import re

import stage

TOOLS = ("hetcc", "hetpkg", "hetrun")

OPTION = re.compile(r"  (-[^ ]*)( [^ ]+(?: \.\.\.)?(?: REQUIRED)?)?(?:  \((-[^)]*)\))?(?:  +(.*))?$")
VERB = re.compile(r"  ([a-z]+)  +(.*)$")


class Option:
    """An option's spellings, what its value may be (None: it has none), and its text."""

    def __init__(self, spellings, value, text):
        self.spellings, self.value, self.text = spellings, value, text

    def words(self):
        """The values that are told by name."""
        return re.sub(r",\.\.\.$", "", self.value).split("|") if self.value and "|" in self.value else []


def parse(text):
    """The options and the verbs (name and text) of a help text."""
    options, verbs, section = [], [], ""
    for line in text.splitlines():
        if re.match(r"[A-Z][A-Za-z ]*:$", line):
            section = line
            continue
        line = re.sub(r" (Excludes|Needs):( --?[\w-]+)+", "", line)
        option, verb = OPTION.match(line), VERB.match(line)
        if option:
            names, _, value = option[1].partition("=")
            value = value or (option[2] or "").strip() or None
            options.append(Option([*names.split(","), *filter(None, [option[3]])], value, option[4] or ""))
        elif verb and section in ("Verbs:", "Subcommands:"):
            verbs.append((verb[1], verb[2]))
        elif options and re.match(r"        ", line) and not verbs and section != "Positionals:":
            options[-1].text = (options[-1].text + " " + line.strip()).strip()
    return options, verbs


def read(tool):
    """A pair of the verbs, and the options of the tool (under "") and of each verb."""
    options, verbs = parse(stage.execute([tool, "--help"]))
    if not options:
        raise stage.Failure(f"{tool}: found no options in what --help prints")
    return verbs, {"": options, **{verb: parse(stage.execute([tool, verb, "--help"]))[0] for verb, _ in verbs}}


def bash(name, verbs, options):
    spellings = {verb: " ".join(word for option in known for word in option.spellings) for verb, known in options.items()}
    values = {word: option.words() for known in options.values() for option in known if option.words()
              for word in option.spellings}
    lines = [f"# bash completion for {name}", f"_{name}() {{",
             '  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} known',
             '  if [[ $word == "=" ]]; then word=""; elif [[ $before == "=" ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi',
             "  case $before in"]
    lines += [f"    {word}) COMPREPLY=($(compgen -W '{' '.join(words)}' -- \"$word\")); return ;;"
              for word, words in values.items()]
    lines += ["  esac", "  case ${COMP_WORDS[1]} in"]
    lines += [f"    {verb}) known='{spellings[verb]}' ;;" for verb, _ in verbs]
    first = " ".join(verb for verb, _ in verbs)
    lines += [f"    *) known='{spellings['']}' ;;", "  esac",
              '  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W "$known" -- "$word"))']
    if verbs:
        lines += [f"  elif ((COMP_CWORD == 1)); then COMPREPLY=($(compgen -W '{first}' -- \"$word\") $(compgen -f -- \"$word\"))"]
    lines += ["  fi", "  return 0", "}", f"complete -o default -F _{name} {name}", ""]
    return "\n".join(lines)


def quoted(text):
    return "'" + text.replace("'", "'\\''") + "'"


def zshArguments(options):
    for option in options:
        text = re.sub(r"([\[\]:\\])", r"\\\1", option.text)
        value = ""
        if option.value:
            value = ":value:" + (f"({' '.join(option.words())})" if option.words() else "_files")
        for spelling in option.spellings:
            sign = "=" if option.value and spelling.startswith("--") else ""
            yield quoted(f"*{spelling}{sign}[{text}]{value}")


def zsh(name, verbs, options):
    join = " \\\n    "
    lines = [f"#compdef {name}", ""]
    if not verbs:
        return "\n".join([*lines, "_arguments" + join + join.join([*zshArguments(options[""]), "'*:file:_files'"]), ""])
    first = " ".join(f"{verb}\\:{quoted(text.replace(':', ''))}" for verb, text in verbs)
    lines += ["case ${words[2]} in"]
    for verb, _ in verbs:
        lines += [f"  {verb})", "    shift words; ((CURRENT--))",
                  "    _arguments" + join + join.join([*zshArguments(options[verb]), "'*:file:_files'"]), "    ;;"]
    lines += ["  *)", "    _arguments" + join + join.join(
        [*zshArguments(options[""]), quoted(f"1:verb:(({first.replace(chr(39), chr(34))}))"), "'*:file:_files'"]),
        "    ;;", "esac", ""]
    return "\n".join(lines)


def fish(name, verbs, options):
    lines = [f"# fish completion for {name}"]
    for verb, text in verbs:
        lines.append(f"complete -c {name} -n __fish_use_subcommand -a {verb} -d {quoted(text)}")
    for verb, known in options.items():
        where = f" -n '__fish_seen_subcommand_from {verb}'" if verb else ""
        for option in known:
            names = "".join(f" -l {word[2:]}" if word.startswith("--") else f" -s {word[1:]}" if len(word) == 2
                            else f" -o {word[1:]}" for word in option.spellings)
            value = "" if not option.value else f" -xa '{' '.join(option.words())}'" if option.words() else " -r"
            lines.append(f"complete -c {name}{where}{names}{value} -d {quoted(option.text)}")
    return "\n".join([*lines, ""])


PLACES = (
    ("usr/share/bash-completion/completions/{}", bash),
    ("usr/share/zsh/vendor-completions/_{}", zsh),
    ("usr/share/fish/vendor_completions.d/{}.fish", fish),
)


def write(tool):
    """Pairs of a place in the system and what is written there, for a tool by its path."""
    if tool.name not in TOOLS:
        return
    verbs, options = read(tool)
    for place, write_ in PLACES:
        yield place.format(tool.name), write_(tool.name, verbs, options)
