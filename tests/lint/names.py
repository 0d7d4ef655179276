"""A type has its name to itself: two of one name link, and one is taken for both."""
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
