"""C++ as far as a lint needs it: comments apart from code, and the declarations of a file.

It relies on the tree's formatting and on code that compiles; it is no parser of C++.
"""
import dataclasses
import re

_TOKEN = re.compile(
    r'//[^\n]*'
    r'|/\*.*?\*/'
    r'|R"(?P<mark>[^()\s\\]*)\(.*?\)(?P=mark)"'
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|(?<![0-9A-Za-z_])'(?:[^'\\\n]|\\.)+'", re.DOTALL)


@dataclasses.dataclass(frozen=True)
class Comment:
    line: int
    text: str
    alone: bool  # nothing but it on its line


def _blank(text):
    return re.sub(r"[^\n]", " ", text)


def split(text):
    """The text with comments and the insides of literals blanked, and the comments. Lines stay."""
    comments, out, at = [], [], 0
    for token in _TOKEN.finditer(text):
        out.append(text[at:token.start()])
        word = token.group()
        if word.startswith("/"):
            line = text.count("\n", 0, token.start()) + 1
            before = text[text.rfind("\n", 0, token.start()) + 1:token.start()]
            for i, part in enumerate(word.split("\n")):
                comments.append(Comment(line + i, part, i > 0 or not before.strip()))
            out.append(_blank(word))
        else:
            quote = '"' if word.endswith('"') else "'"
            out.append(quote + _blank(word[1:-1]) + quote)
        at = token.end()
    out.append(text[at:])
    return "".join(out), comments


def literals(text):
    """(line, text) of every string, those that stand side by side being one."""
    found, last = [], None
    for token in _TOKEN.finditer(text):
        word = token.group()
        if not word.endswith('"'):
            continue
        inside = word[1:-1]
        if word.startswith("R"):
            inside = re.sub(r'^"[^(]*\(|\)[^)]*$', "", word[1:-1])
        if last is not None and not text[last:token.start()].strip():
            found[-1] = (found[-1][0], found[-1][1] + inside)
        else:
            found.append((text.count("\n", 0, token.start()) + 1, inside))
        last = token.end()
    return found


def raw_lines(text):
    """The lines that raw strings stand on."""
    found = set()
    for token in _TOKEN.finditer(text):
        if token.group().startswith('R"'):
            first = text.count("\n", 0, token.start()) + 1
            found.update(range(first, first + token.group().count("\n") + 1))
    return found


@dataclasses.dataclass(frozen=True)
class Declaration:
    kind: str  # type, function, alias, variable
    name: str
    text: str  # without its body, on one line
    scope: str  # namespace or class
    public: bool
    line: int
    signature_end: int  # line
    end: int  # line of the closing brace or of the semicolon
    body: str  # of a function that has one here


def _flat(text):
    """Without what stands in parentheses, angle brackets and attributes."""
    text = re.sub(r"\[\[.*?\]\]", " ", text)
    text = re.sub(r"\boperator\s*(\(\)|\[\]|[^\s\w(]+)", " operator_ ", text)
    while True:
        shorter = re.sub(r"\([^()]*\)", "\x01", text)
        shorter = re.sub(r"<[^<>()]*>", "\x02", shorter)
        if shorter == text:
            return text
        text = shorter


def _name(kind, text):
    flat = _flat(text)
    if kind == "type":
        found = re.search(r"\b(?:class|struct|union|enum)\s+(?:class\s+)?(\w+)", flat)
    elif kind == "alias":
        found = re.search(r"\busing\s+(?:\w*::)*(\w+)|(\w+)$", flat)
    elif kind == "function":
        found = re.search(r"([~\w]+)\s*\x01", flat)
    else:
        found = re.search(r"(\w+)\s*(?:\[.*\]|\{.*\})?\s*(?:=.*)?$", flat)
    return (found.group(1) or found.group(found.lastindex)) if found else ""


def _kind(text):
    flat = _flat(re.sub(r"\(\*\s*(\w+)\)\s*\([^()]*\)", r" \1 ", text))
    head = flat.split("=")[0]
    if re.search(r"\busing\b|\btypedef\b|^namespace\b", flat):
        return "alias"
    if re.search(r"\w\s*\x01", head) and not re.search(r"\b(alignas|static_assert)\s*\x01", head):
        return "function"
    return "variable"


def _matching(code, at):
    depth = 0
    for i in range(at, len(code)):
        depth += {"{": 1, "}": -1}.get(code[i], 0)
        if depth == 0:
            return i
    return len(code) - 1


def declarations(text):
    """Those at namespace and class scope, in order."""
    code, _ = split(text)
    code = re.sub(r"^[ \t]*#(?:[^\n]*\\\n)*[^\n]*", lambda m: _blank(m.group()), code, flags=re.M)
    found, scopes = [], [["namespace", True]]
    start, at, parens = None, 0, 0

    def line(offset):
        return code.count("\n", 0, offset) + 1

    def emit(kind, end_signature, end, body=""):
        words = " ".join(code[start:end_signature].split())
        scope, public = scopes[-1]
        found.append(Declaration(kind, _name(kind, words), words, scope,
                                 public and all(s[1] for s in scopes), line(start),
                                 line(end_signature), line(end), body))

    while at < len(code):
        char = code[at]
        if start is None:
            if char == "}":
                if len(scopes) > 1:
                    scopes.pop()
                at += 1
                continue
            if char.isspace() or char == ";":
                at += 1
                continue
            start = at
        words = code[start:at].strip()
        parens += {"(": 1, ")": -1}.get(char, 0)
        if char == ":" and words in ("public", "private", "protected"):
            scopes[-1][1] = words == "public"
            start = None
        elif char == ";" and parens == 0:
            if words and not re.match(r"(friend|static_assert)\b", words) and not re.fullmatch(
                    r"(template\s*<.*>\s*)?(enum\s+)?(class|struct|enum|union)\s+[\w:]+"
                    r"(\s*:\s*[\w:]+)?", words, re.DOTALL) and not words.startswith("}"):
                emit(_kind(words), at, at)
            start = None
        elif char == "{" and parens == 0:
            flat = _flat(words)
            if re.match(r"(inline\s+)?namespace\b|extern\s+\"[^\"]*\"\s*$", flat):
                # Members without a name, or of a namespace called detail, are nobody else's.
                hidden = re.match(r"(inline\s+)?namespace(\s+[\w:]*detail)?\s*$", flat)
                scopes.append(["namespace", scopes[-1][1] and not hidden])
                start = None
            elif re.search(r"\b(class|struct|union|enum)\s+\w", flat) and "\x01" not in flat \
                    and "=" not in flat:
                close = _matching(code, at)
                emit("type", at, close)
                if re.search(r"\benum\b", flat):
                    at, start = close, None
                else:
                    scopes.append(["class", not re.search(r"\bclass\s+\w", flat)])
                    start = None
            elif "\x01" in flat.split("=")[0] and "=" not in flat and not (
                    re.search(r"\x01[^:]*[^:]:[^:]", flat) and re.search(r"[\w\x02]$", flat)):
                close = _matching(code, at)
                emit("function", at, close, code[at:close + 1])
                at, start = close, None
            else:
                at = _matching(code, at)
        at += 1
    return found
