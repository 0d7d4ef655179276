#!/usr/bin/env python3
"""coverage.py SUMMARY.json: lines and branches by folder, from gcovr; policies/ has a minimum."""
import collections
import json
import os
import sys

LEAST = {"policies": 95.0}  # percent of lines


def main(path):
    with open(path, encoding="utf-8") as file:
        summary = json.load(file)
    counts = collections.defaultdict(lambda: [0, 0, 0, 0])
    for entry in summary["files"]:
        folder = os.path.dirname(entry["filename"])
        for name in {folder, folder.split("/")[0]}:
            for i, key in enumerate(("line_covered", "line_total", "branch_covered",
                                     "branch_total")):
                counts[name][i] += entry[key]
    print(f"{'folder':24}{'lines':>8}{'of':>8}{'':9}{'branches':>9}{'of':>8}")
    for name, (lines, all_lines, branches, all_branches) in sorted(counts.items()):
        print(f"{name:24}{lines:8}{all_lines:8}{percent(lines, all_lines):7.1f} %"
              f"{branches:9}{all_branches:8}{percent(branches, all_branches):7.1f} %")
    failed = 0
    for name, least in LEAST.items():
        share = percent(*counts[name][:2])
        if share < least:
            print(f"{name}: {share:.1f} % of the lines, at least {least:.1f} are wanted")
            failed = 1
    return failed


def percent(part, whole):
    # A file without lines is not covered: an empty summary must not pass.
    return 100 * part / whole if whole else 0.0


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    sys.exit(main(sys.argv[1]))
