"""Every citation of a page of facts has its page, and the section or row that it names."""
import collections.abc
import functools
import re

from tree import ROOT, File, Finding

PAGES = "docs/sources/"
_INSTEAD = "add the fact, or cite where it is; docs/sources/README.md says how"
_CITING = (".cpp", ".h", ".json", ".jsonl", ".md", ".py", ".sh")
# In these a page is not a file that somebody writes: its bare name is a citation.
_CPP = (".cpp", ".h")
# A comment or a literal may go on in the next line.
_GAP = r"(?:[ ]|\"?\n[ ]*(?://[/!]?|#|\")?)+"
_PAGE = re.compile(r"(?<![\w./-])(?P<folders>(?:[\w.-]+/)*)(?P<page>[a-z][a-z_0-9]*\.md)\b")
_NAME = r"(?:(?:decision )?\d+(?:\.\d+)?|[A-Z]\d+)(?![\w.]*\w)"
_NAMES = re.compile(rf"(?:,?{_GAP}sections?)?{_GAP}(?P<names>{_NAME}"
                    rf"(?:(?: \([A-Z]\))?(?:[,;]|,? and|,? to){_GAP}{_NAME})*)")


def sources(files: list[File]) -> collections.abc.Iterator[Finding]:
    """Citations such as `ray.md 1.5`, and where they lead nowhere."""
    given = {file.path: file.text for file in files if file.path.startswith(PAGES)}
    for file in files:
        # Snippets and broken files cite nothing.
        if file.path.endswith(_CITING) and ".md" in file.text and not file.path.startswith(
                ("tests/data/", "tests/lint/")):
            yield from _citations(file, given)


def _citations(file: File, given: dict[str, str]) -> collections.abc.Iterator[Finding]:
    for found in _PAGE.finditer(file.text):
        named = _NAMES.match(file.text, found.end())
        folders, page = found.group("folders", "page")
        line = file.line_at(found.start())
        if not named and (folders or not file.path.endswith(_CPP)):
            continue
        text = _page(PAGES + page, given)
        if folders not in ("", PAGES):
            yield Finding(file.path, line, f"{folders}{page} by section",
                          f"write \"{page}\" alone, and have it in {PAGES}")
        elif text is None:
            yield Finding(file.path, line, f"{page} is not in {PAGES}", _INSTEAD)
        elif named:
            for name in re.findall(r"[A-Z]?\d+(?:\.\d+)?", named.group("names")):
                if name not in _anchors(text):
                    yield Finding(file.path, line, f"{page} has no {name}", _INSTEAD)
        if re.search(rf"\b[Rr]eference{_GAP}$", file.text[:found.start()]):
            yield Finding(file.path, line, f"reference {page}", f"write \"{page}\" alone")


def _page(path: str, given: dict[str, str]) -> str | None:
    if path in given:
        return given[path]
    return (ROOT / path).read_text() if (ROOT / path).exists() else None


@functools.cache
def _anchors(text: str) -> frozenset[str]:
    """What a citation may name: numbers of headings, ids of headings, of rows and of items."""
    return frozenset(
        re.findall(r"^#+ (?:Decision )?([A-Z]?\d+(?:\.\d+)?)\b", text, re.MULTILINE) +
        re.findall(r"^(?:\| |[-*] \*\*)([A-Z]\d+)\b", text, re.MULTILINE))
