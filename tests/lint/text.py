"""Text of every kind: white space, marks, banners, what belongs to one machine."""
import re

import cpp
from tree import ROOMS, Finding

_MARK = re.compile(r"\b(TO" r"DO|FIX" r"ME|XXX|HA" r"CK)\b")
_PLACES = re.compile(r"(?<![\w$}])/(home|root|Users|work|tmp)/\w")
_URL = re.compile(r"\bhttps?://([^\s/:\"'<>)]+)(:\d+)?")
# Where packages come from is the business of the machine that installs them.
_REGISTRY = re.compile(
    r"(^|\.|-)(pypi|pythonhosted|npmjs|crates|conan|artifactory|nexus|registry|mirrors?|proxy|deb|"
    r"debian|ubuntu|apt|docker|quay|ghcr|internal|local)(\.|-|$)|^[\d.]+$|^[^.]+$")
_BANNER = re.compile(r"^\s*(//|/\*+|#+)\s*[-=*#~_/]{3,}")
# A comment that is a whole statement or the head of one; prose may end with a semicolon, too.
_CODE = re.compile(
    r"^//[/<!]*\s*("
    r"#\s*(include|define|ifn?def|if|endif)\b.*"
    r"|(return|throw|co_return)\b.*;|(break|continue);|case [\w:]+:"
    r"|(if|for|while|switch) ?\(.*\) ?\{?|\}? ?else ?\{"
    r"|[\w:.>\-]+\(.*\);"
    r"|[\w:<>,&* ]*[\w\]] ?[-+*/|&]?= ?[^=].*;"
    r"|(const |static )?(auto|int|bool|double|std::[\w:<>, *&]+)[&*]? \w+(\{.*\}|\(.*\))?;"
    r"|[{}]+;?)$")
_NOLINT = re.compile(r"\bNOLINT(NEXTLINE|BEGIN|END)?(\([\w.,*\- ]+\))?(: \S.*)?")
_BINARY = {".png", ".gz", ".zst", ".sqlite", ".aftershock"}


def text(files):
    for file in files:
        # Broken files are data of the tests that read them, pictures belong to pages.
        picture = file.path.startswith("docs/") and file.path.endswith(".png")
        if picture or file.path.startswith("tests/data/") or file.path == "LICENSE":
            continue
        if b"\0" in file.bytes or _suffix(file.path) in _BINARY:
            yield Finding(file.path, 1, "a binary file", "make it where it is used")
            continue
        try:
            file.bytes.decode("utf-8")
        except UnicodeDecodeError:
            yield Finding(file.path, 1, "not UTF-8", "write it as UTF-8")
        if file.text and (not file.text.endswith("\n") or file.text.endswith("\n\n")):
            yield Finding(file.path, len(file.lines), "the end", "end with one newline")
        for i, line in enumerate(file.lines):
            yield from _line(file, i + 1, line)
        if file.is_cpp:
            yield from _comments(file)


def _suffix(path):
    return path[path.rfind("."):] if "." in path else ""


def _line(file, number, line):
    # gofmt indents by tabs.
    if "\t" in (line.lstrip("\t") if file.path.endswith((".go", ".mod")) else line):
        yield Finding(file.path, number, "a tab", "spaces")
    if line != line.rstrip():
        yield Finding(file.path, number, "white space at the end", "take it away")
    if file.path.startswith("tests/lint/"):
        return
    if _MARK.search(line):
        yield Finding(file.path, number, "a mark for later", "do it, or say in prose what is so")
    if _PLACES.search(line):
        yield Finding(file.path, number, "a path of one machine",
                      "start at the tree's root, or mktemp")
    for found in _URL.finditer(line):
        if _REGISTRY.search(found.group(1)) or found.group(2):
            yield Finding(file.path, number, f"the host {found.group(1)}",
                          "name the package; where it comes from is the machine's business")
    if _BANNER.match(line) and not file.path.endswith((".md", ".json")):
        yield Finding(file.path, number, "a banner", "a new file for a new concept, or plain words")


def _comments(file):
    _, comments = cpp.split(file.text)
    opened = set()
    for comment in comments:
        if comment.alone and _CODE.match(comment.text.strip()):
            yield Finding(file.path, comment.line, "code in a comment", "delete it; git remembers")
        found = _NOLINT.search(comment.text)
        if not found:
            continue
        kind, checks, reason = found.groups()
        if not checks:
            yield Finding(file.path, comment.line, "NOLINT of everything", "name the check")
        elif kind == "END":
            opened.discard(checks)
        elif not reason:
            yield Finding(file.path, comment.line, "NOLINT without a reason",
                          "NOLINTNEXTLINE(check): reason")
        elif kind == "BEGIN":
            opened.add(checks)
    if opened:
        yield Finding(file.path, len(file.lines), "NOLINTBEGIN without end", "end it")
    if file.room in ROOMS and file.text.startswith("/*"):
        yield Finding(file.path, 1, "a licence header", "LICENSE holds for the whole tree")
