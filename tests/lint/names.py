"""Names are their own: two types of one name link, and one is taken for both; and a room of the
simulator has a namespace, which says at each use whose a name is."""
import re

from tree import ROOMS, Finding

# A specialisation is the same type again.
_TYPE = re.compile(r"^(?<!>\n)(?:struct|class|union|enum class|enum) (\w+)(?!<)[^;()=]*?\{", re.M)


def names(files):
    first = {}
    for file in files:
        if not file.path.endswith(".h") or file.room not in ROOMS:
            continue
        spaces = re.findall(r"^namespace ([\w:]+)", file.text, re.M)
        for found in _TYPE.finditer(file.text):
            key = (spaces[-1] if spaces else "", found.group(1))
            if key in first:
                yield Finding(file.path, file.line_at(found.start()),
                              f"{key[1]} is declared in {first[key]}, too", "another name for one")
            first.setdefault(key, file.path)


_OPENED = re.compile(r"^namespace (aftershock::sim\b[\w:]*) \{\n(.*?)^\}  // namespace \1$",
                     re.M | re.S)
_DECLARED = re.compile(r"(?:struct|class|enum class) \w+(?: : [\w:]+)?;")
# A word that modules took.
_CALLED = {"import": "imports"}


def namespaces(files):
    """In a room, and in its tests, nothing but declarations of types is in another's namespace."""
    for file in files:
        path = file.path.removeprefix("tests/unit/")
        parts = path.split("/")
        if not file.is_cpp or parts[0] != "sim" or len(parts) < 3:
            continue
        own = f"aftershock::sim::{_CALLED.get(parts[1], parts[1])}"
        for opened in _OPENED.finditer(file.text):
            space = opened.group(1)
            if space != own and not space.startswith(own + "::") and \
                    _DECLARED.sub("", opened.group(2)).strip():
                yield Finding(file.path, file.line_at(opened.start()), f"namespace {space}",
                              f"its folder's is {own}")
