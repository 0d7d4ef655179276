"""Every public declaration of a header says what it is."""
import re

import cpp
from tree import ROOMS, Finding

# The meanings of such names are known: field lists of the JSON form, words of enumerations,
# containers and generators of the standard library.
_KNOWN_NAMES = {"fields", "name_of", "begin", "end", "size", "empty", "min", "max"}


def documented(files):
    for file in files:
        if file.path.endswith(".h") and file.room in ROOMS:
            yield from _header(file)


def _header(file):
    _, comments = cpp.split(file.text)
    alone = {comment.line for comment in comments if comment.alone}
    behind = {comment.line for comment in comments if not comment.alone}
    types, words = set(), set()
    before = None  # the declaration before, if it has its comment
    for found in cpp.declarations(file.text):
        # Overloads, specialisations and definitions: what they are has been said.
        again = found.name in words and found.scope == "namespace"
        if found.kind == "type":
            types.add(found.name)
        if not found.public or found.kind == "variable" or (
                found.kind == "alias" and found.scope != "namespace"):
            before = None
            continue
        has = found.line - 1 in alone or any(
            line in behind for line in range(found.line, found.signature_end + 1))
        # The comment above a paragraph of functions is theirs together.
        shared = before and found.kind == before.kind == "function" \
            and found.line == before.end + 1
        if has or shared:
            words.add(found.name)
        if has or shared or again or _obvious(found, types):
            before = found if has or shared else None
            continue
        before = None
        what = {"type": "type", "alias": "name", "function": "function"}[found.kind]
        yield Finding(file.path, found.line, f"{what} {found.name} without a comment",
                      "say above it what it is: shape, unit, errors, the rule's source")


def _obvious(found, types):
    text = found.text
    if found.kind != "function":
        # The purpose of a specialisation stands at the template.
        return text.startswith("template <>") or found.name == ""
    if found.name in _KNOWN_NAMES or text.startswith("template <>"):
        return True
    if re.search(r"\boperator\b|\boverride\b|\bfinal\b|~\w|=\s*(default|delete)\b", text):
        return True
    # A constructor: the type's comment says what it becomes.
    if found.name in types and found.scope == "class":
        return True
    # An accessor of the member of its name.
    return re.fullmatch(r"\{\s*return \*?" + re.escape(found.name) + r"_(\.get\(\))?;\s*\}",
                        found.body) is not None
