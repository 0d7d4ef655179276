#!/usr/bin/env python3
"""The documentation says what is so: commands shown run, and what they print is what is shown.

In every Markdown file of the tree:
  ```console   each `$ ` line is run, lines without it being its output; they must end well, or with
               the code of a comment above: <!-- exits with 1 -->
  ```json      a scenario; the comment above names its file: <!-- mine.json: ... -->
  ```text      output of the command in the comment above: <!-- the output of `...`: ... -->,
               or, below a heading "The tree", folders
  ```bash      a script to paste
  ```yaml      a file to paste; what either of them asks of `aftershock` must exist
  any at all   what the test in the comment above takes: <!-- tests/cli/installed.sh builds this -->
Commands see the scenarios, policies/external, tests/data/transcripts, the program as
build/bin/aftershock, and the files shown before. `./dev` is not run from a test: its commands must
be those of `./dev help`, all of
them. In running text, commands, flags and paths in code spans must exist. Host time is all that may
differ.
"""
import functools
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

try:
    import yaml
except ImportError:
    yaml = None

sys.dont_write_bytecode = True

from tree import ROOT, Finding, files

PROGRAM = os.environ.get("AFTERSHOCK_EXECUTABLE", str(ROOT / "build/bin/aftershock"))
_HOST_TIME = re.compile(r"simulated in [\d.]+ s")


def blocks(text):
    """(first line, language, comment above, heading, body) of every fenced block."""
    lines, heading, at = text.split("\n"), "", 0
    while at < len(lines):
        if lines[at].startswith("#"):
            heading = lines[at].lstrip("# ")
        if lines[at].startswith("```"):
            above = at - 1
            while above > 0 and not lines[above].strip():
                above -= 1
            comment = lines[above] if lines[above].startswith("<!--") else ""
            end = lines.index("```", at + 1)
            yield at + 1, lines[at][3:].strip(), comment, heading, lines[at + 1:end]
            at = end
        at += 1


def commands(body):
    """(line in the block, command, lines shown below it)."""
    found = []
    for i, line in enumerate(body):
        if line.startswith("$ "):
            found.append([i, line[2:], []])
        elif found and re.search(r"[|\\]$", found[-1][1]) and not found[-1][2]:
            found[-1][1] += "\n" + line
        elif found:
            found[-1][2].append(line)
    return found


@functools.cache
def helps():
    """{words of a command: its help}, of all that the program has."""
    found = {}

    def ask(words):
        done = subprocess.run([PROGRAM, *words, "--help"], capture_output=True, text=True,
                              check=True)
        found[words] = done.stdout
        listed = done.stdout.partition("Subcommands:\n")[2]
        for name in re.findall(r"^  ([a-z]\w*)", listed, re.M):
            ask(words + (name,))

    ask(())
    return found


@functools.cache
def dev_commands():
    shown = subprocess.run([ROOT / "dev", "help"], capture_output=True, text=True, check=True)
    return set(re.findall(r"^  ([a-z]+)", shown.stdout, re.M))


def run_block(file, line, comment, body, folder):
    wanted = re.search(r"exits with (\d+)", comment)
    for offset, command, shown in commands(body):
        where = line + 1 + offset
        if command.startswith("./dev "):
            continue
        done = subprocess.run(["bash", "-c", command], cwd=folder, text=True, check=False,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        if done.returncode != int(wanted.group(1) if wanted else 0):
            yield Finding(file.path, where, f"exits with {done.returncode}", done.stdout[:400])
        if shown:
            # How far many runs are is told by host time.
            done.stdout = re.sub(r"^[\d,]+ (cells )?of (up to )?[\d,]+ runs.*\n", "", done.stdout,
                                 flags=re.M)
            yield from compare(file, where, "\n".join(shown) + "\n", done.stdout)


def compare(file, line, shown, printed):
    shown, printed = (_HOST_TIME.sub("simulated", text).split("\n") for text in (shown, printed))
    for i in range(max(len(shown), len(printed))):
        left, right = (text[i] if i < len(text) else None for text in (shown, printed))
        if left != right:
            yield Finding(file.path, line + i + 1, f"shows {left!r}", f"the program says {right!r}")
            return


def tree_block(file, line, body):
    """Folders exist, and those of the rooms are all there."""
    room, named = "", set()
    for i, text in enumerate(body):
        if top := re.match(r"(\w+)/", text):
            room = top.group(1)
            named.add(room)
        for name in re.findall(r"(?<![\w/])(\w+)/(?=[\s,)]|$)", text):
            named.add(f"{room}/{name}")
            if name != room and not (ROOT / room / name).is_dir():
                yield Finding(file.path, line + 1 + i, f"no folder {room}/{name}", "mend the text")
    folders = {"/".join(f.path.split("/")[:2]) for f in files()
               if f.is_cpp and f.room in ("policies", "reports", "sim") and f.path.count("/") > 1}
    for folder in sorted(folders - named):
        yield Finding(file.path, line, f"{folder} is missing", "say what it is for")


def prose(file):
    """Code spans of running text."""
    text = re.sub(r"^```.*?^```$", lambda m: "\n" * m.group().count("\n"), file.text,
                  flags=re.M | re.DOTALL)
    for span in re.finditer(r"`([^`]+)`", text):
        words = span.group(1).split()
        line = 1 + text.count("\n", 0, span.start())
        if words[:1] == ["aftershock"]:
            names = tuple(word for word in words[1:3] if re.fullmatch(r"[a-z]+", word))
            if names and names not in helps() and names[:1] not in helps():
                yield Finding(file.path, line, " ".join(words), "the program has no such command")
            if len(names) == 2 and names[:1] in helps() and names not in helps() and \
                    "Subcommands:" in helps()[names[:1]]:
                yield Finding(file.path, line, " ".join(words), "the program has no such command")
        for flag in re.findall(r"(?<![\w-])--[a-z][\w-]*", span.group(1)):
            if words[0] in ("aftershock", flag) and not any(
                    re.search(re.escape(flag) + r"\b(?!-)", text) for text in helps().values()):
                yield Finding(file.path, line, flag, "no command takes it")
        if words[0] == "./dev" and len(words) > 1 and words[1] not in dev_commands():
            yield Finding(file.path, line, " ".join(words), "./dev has no such command")
        path = words[0]
        if len(words) == 1 and re.fullmatch(r"(policies|reports|sim|gui|scenarios|tests)/[\w./]+",
                                            path) and not (ROOT / path).exists():
            yield Finding(file.path, line, path, "is not in the tree")


def texts_in(value):
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, list):
        return [text for each in value for text in texts_in(each)]
    return [str(value)]


def pasted(file, line, language, body):
    text = "\n".join(body)
    if language == "yaml" and yaml is None:
        print("python3-yaml is not installed: YAML is not looked at")
        return
    if language == "yaml":
        try:
            scripts = texts_in(yaml.safe_load(text))
        except yaml.YAMLError as error:
            yield Finding(file.path, line, "no YAML", str(error))
            return
    else:
        scripts = [text.replace("\\\n", " ")]
        wrong = subprocess.run(["bash", "-n"], input=text, capture_output=True, text=True,
                               check=False).stderr
        if wrong:
            yield Finding(file.path, line, "no script", wrong)
    for words in re.findall(r"\baftershock ([a-z]+[^;&|\n]*)", "\n".join(scripts)):
        command = ()
        for word in words.split():
            if (*command, word) not in helps():
                break
            command = (*command, word)
        name = " ".join(command) or words.split()[0]
        help_text = helps().get(command, "") if command else ""
        for flag in re.findall(r"(?<![\w-])--?[a-z][\w-]*", words):
            if not re.search(re.escape(flag) + r"\b(?!-)", help_text):
                yield Finding(file.path, line, f"aftershock {name} {flag}", "it takes no such flag")


def check(file, folder):
    for line, language, comment, heading, body in blocks(file.text):
        if test := re.match(r"<!-- (tests/[\w/]+\.(?:sh|py))\b", comment):
            if not (ROOT / test.group(1)).exists():
                yield Finding(file.path, line, f"{test.group(1)} is not there", "a test")
        elif language == "console":
            yield from run_block(file, line, comment, body, folder)
        elif language == "json" and (name := re.match(r"<!-- (\w+\.json)\b", comment)):
            (folder / name.group(1)).write_text("\n".join(body) + "\n")
        elif language == "text" and (shown := re.match(r"<!-- the output of `([^`]+)`", comment)):
            command = re.sub(r"^aftershock ", "build/bin/aftershock ", shown.group(1))
            done = subprocess.run(["bash", "-c", command], cwd=folder, capture_output=True,
                                  text=True, check=False)
            yield from compare(file, line, "\n".join(body) + "\n", done.stdout)
        elif language in ("bash", "yaml"):
            yield from pasted(file, line, language, body)
        elif language == "text" and heading == "The tree":
            yield from tree_block(file, line, body)
        else:
            yield Finding(file.path, line, f"a block of {language or 'no language'} that nothing "
                          "checks", "tests/lint/docs.py says what can be checked")
    yield from prose(file)


def named_dev_commands(text):
    return set(re.findall(r"\./dev\s+([a-z]+)", text))


def furnish(folder):
    """The program, and copies of what commands on a page name, which may write there."""
    (folder / "build/bin").mkdir(parents=True)
    (folder / "build/bin/aftershock").symlink_to(PROGRAM)
    for part in ("scenarios", "policies/external", "tests/data/manifests",
                 "tests/data/transcripts"):
        shutil.copytree(ROOT / part, folder / part)


def main():
    os.environ.update(LC_ALL="C.UTF-8", TZ="UTC")
    found = []
    for file in files():
        if not file.path.endswith(".md"):
            continue
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            if any(True for _ in blocks(file.text)):
                furnish(folder)
            found += check(file, folder)
        if file.path == "README.md":
            named = named_dev_commands(file.text)
            for name in sorted(dev_commands() - named):
                found.append(Finding(file.path, 1, f"./dev {name} is not in it", "name it"))
            for name in sorted(named - dev_commands()):
                found.append(Finding(file.path, 1, f"./dev {name} is no command",
                                     "a command of ./dev help"))
    for finding in found:
        print(finding)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
