#!/usr/bin/env python3
"""The tree lints itself: run.py [RULE...] prints what is wrong and what to do instead."""
import sys

sys.dont_write_bytecode = True

import arrows
import documented
import english
import forbidden
import includes
import length
import names as named
import places
import shipped
import sources
import text
import tree

RULES = {
    "arrows": arrows.arrows,
    "dependencies": arrows.dependencies,
    "includes": includes.includes,
    "file_length": length.file_length,
    "columns": length.columns,
    "forbidden": forbidden.forbidden,
    "documented": documented.documented,
    "english": english.english,
    "names": named.names,
    "namespaces": named.namespaces,
    "text": text.text,
    "top_level": places.top_level,
    "tested": places.tested,
    "scripts": places.scripts,
    "shipped": shipped.shipped,
    "sources": sources.sources,
}


def main(names):
    unknown = [name for name in names if name not in RULES]
    if unknown:
        print(f"no such rule: {' '.join(unknown)}; there are: {' '.join(RULES)}")
        return 2
    if not any(file.is_cpp for file in tree.files()):
        print("no sources found: nothing would be linted")
        return 2
    found = sorted(finding for name in names or RULES for finding in RULES[name](tree.files()))
    for finding in found:
        print(finding)
    print(f"{len(found)} findings in {len(tree.files())} files")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
