"""Every page and section that a comment cites for a fact is in docs/sources."""
import re

from tree import Finding

FOLDER = "docs/sources/"
# "modelarts.md 8.3", "chaos.md 5.3 and 5.4", "modelarts.md sections 1 and 4", "oracles.md O3, O4".
_CITED = re.compile(
    r"(?<![\w/.-])([a-z]+)\.md(?:,? (?:sections? |decision )?((?:[A-Z]?\d+(?:\.\d+)?)"
    r"(?:(?:, | and | to )[A-Z]?\d+(?:\.\d+)?)*))?")
_SECTION = re.compile(r"^#+ +([A-Z]?\d+(?:\.\d+)?)\b", re.MULTILINE)
# Readings and rules that a page lists within a section by a letter and a number.
_ROW = re.compile(r"\b([A-Z]\d+)\b")
_SOURCES = re.compile(r"\.(h|cpp|py|sh|json|jsonl)$")


def sources(files):
    pages = {file.path[len(FOLDER):-3]: file.text for file in files
             if file.path.startswith(FOLDER) and file.path.endswith(".md")}
    pages.pop("README", None)
    for file in files:
        if not _SOURCES.search(file.path) or file.path.startswith("tests/lint/"):
            continue
        # A citation may go on in the comment's next line.
        for line, text in _joined(file.lines):
            yield from _dangling(file, line, text, pages)


def _joined(lines):
    for i, line in enumerate(lines):
        after = re.sub(r"^\s*(?://[/!]?<?|#)\s?", "", lines[i + 1]) if i + 1 < len(lines) else ""
        yield i + 1, (line, after)


def _dangling(file, line, text, pages):
    here, after = text
    for found in _CITED.finditer(here + " " + after):
        if found.start() > len(here):
            break
        name, sections = found.group(1), found.group(2)
        if name not in pages:
            if sections:
                yield Finding(file.path, line, f"{name}.md is not in {FOLDER}",
                              f"add the facts that the code takes from it to {FOLDER}{name}.md")
            continue
        for section in re.findall(r"[A-Z]?\d+(?:\.\d+)?", sections or ""):
            known = set(_SECTION.findall(pages[name])) | set(_ROW.findall(pages[name]))
            if section not in known:
                yield Finding(file.path, line, f"{name}.md has no section {section}",
                              f"add the fact to {FOLDER}{name}.md, or cite the section that has it")
