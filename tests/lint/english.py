"""Plain English in comments, messages and pages: a sentence begins with its technical noun."""
import itertools
import re

import cpp
from tree import ROOMS, Finding

_HELD = (*ROOMS, "tests", "docs", "scenarios", "README.md", "CONTRIBUTING.md")

_COMPARED = (r"(?:longer|more|less|fewer|later|earlier|sooner|better|worse|greater|smaller|larger|"
             r"higher|lower|faster|slower|older|newer|shorter|further|wider|narrower|other)\b")
_SUBJECT = re.compile(r"(?:what|who|whose|whom|whoever|whatever)\b", re.IGNORECASE)
_SENTENCE = re.compile(r"(?:^|(?<=[.!?:;] )|(?<=[.!?][\"'`)] ))(?=[A-Z])")
# A note behind a member begins without a capital; parts of messages and cells of tables may, too.
_NOTE = re.compile(rf"{_SENTENCE.pattern}|^(?=wh\w+ \S)")
_WORDS = [(re.compile(pattern), instead) for pattern, instead in (
    (rf"(?<![Tt]here )\b(?:is|are|was|were) no (?!{_COMPARED})",
     "negate the verb: is not, has no, lacks"),
    (r"\bcannot be had\b", "say what fails: is unavailable, cannot be read"),
    (r"\b[Pp]olic(?:y|ies) (?:that lives? |that comes? |that came )?(?:from )?elsewhere\b",
     "external policy"),
    (r"\bkeeps the goal surely\b", "almost certainly meets the goal"),
    (r"\b(?:about|by|for|from|of|than|to|with) who\b(?=\s[a-z])", "name the job, policy or user"),
    (r"(?:^|(?<=[,;:(.] )|(?<=\b(?:and|but) ))[Ww]ho is\b", "name the job, policy or user"),
)]
_MARK = re.compile(r"\s*(///?!?<?|/\*+<?|)(?:\s*\*(?!/))?\s?")
# Beginnings of comments in each language of the tree.
_MARKS = {".py": r"#(?!!)", ".sh": r"#(?!!)", ".txt": r"#", ".cmake": r"#", ".js": r"//+"}


def english(files):
    for file in files:
        if file.room in _HELD:
            for begins, block in _blocks(file):
                yield from _findings(file, begins, block)


def _blocks(file):
    """How sentences begin in it, and [(line, text)], of every comment, message and paragraph."""
    suffix = file.path[file.path.rfind("."):]
    if file.is_cpp:
        yield from ((_NOTE, block) for block in _comments(file))
        yield from ((_SENTENCE, [literal]) for literal in cpp.literals(file.text)
                    if " " in literal[1])
    elif suffix == ".md":
        yield from ((_SENTENCE, block) for block in _paragraphs(file))
    elif suffix in _MARKS:
        mark = re.compile(rf"\s*{_MARKS[suffix]}\s?(.*)")
        yield from ((_NOTE, block) for block in _marked(file, mark))


def _comments(file):
    block, last, mark = [], None, ""
    for comment in cpp.split(file.text)[1]:
        found = _MARK.match(comment.text)
        # A comment behind code goes on in lines of its own, by the same mark.
        goes_on = comment.alone and comment.line == last and found.group(1) in (mark, "")
        if block and not (goes_on and comment.text[found.end():].strip()):
            yield block
            block = []
        block.append((comment.line, comment.text[found.end():].removesuffix("*/")))
        last, mark = comment.line + 1, found.group(1)
    if block:
        yield block


def _marked(file, mark):
    block = []
    for i, line in enumerate(file.lines):
        if found := mark.match(line):
            block.append((i + 1, found.group(1)))
        elif block:
            yield block
            block = []
    if block:
        yield block


def _paragraphs(file):
    """Rows of a table are cut into cells; code that is shown is another rule's."""
    block, fenced = [], False
    for i, line in enumerate([*file.lines, ""]):
        fence = line.lstrip().startswith("```")
        fenced ^= fence
        text = re.sub(r"^\s*(?:#+|[-*]|\d+\.|>)\s+", "", line)
        if block and (fence or fenced or not line.strip() or line[0] == "|" or text != line):
            yield block
            block = []
        if fence or fenced or not line.strip():
            continue
        if line[0] == "|":
            yield from ([(i + 1, cell)] for cell in line.strip("| ").split(" | "))
        else:
            block.append((i + 1, text))


def _findings(file, begins, block):
    text, starts = "", []
    for line, part in block:
        starts.append((len(text), line))
        text += part.strip() + " "

    def finding(at, what, instead):
        return Finding(file.path, max(line for start, line in starts if start <= at), what, instead)

    starts_of = [found.start() for found in begins.finditer(text)]
    for begin, end in itertools.pairwise([*starts_of, len(text)]):
        subject = _SUBJECT.match(text, begin)
        if subject and not text[begin:end].rstrip(" \"'`)").endswith("?"):
            yield finding(begin, f"a sentence begins with {subject.group()}",
                          "begin with the technical noun")
    for pattern, instead in _WORDS:
        for found in pattern.finditer(text):
            yield finding(found.start(), f'"{found.group().strip()}"', instead)
