"""Scenarios that draw random numbers are judged by more than one lucky seed."""
import functools
import json
import posixpath
import re

from tree import ROOT, Finding

HEADLINE = re.compile(r"scenarios/(llama3[^/]*|published/.*|meta/.*)\.json")
PUBLISHED = re.compile(r"scenarios/(published|meta)/.*\.json")
HEADLINE_SEEDS = 100
SEEDS = 2
# Sources that say when they strike; all others draw it.
_PLANNED = ("maintenance", "occurrences")


def merged(target, patch):
    """A JSON merge patch over another value."""
    if not isinstance(patch, dict):
        return patch
    made = dict(target) if isinstance(target, dict) else {}
    for key, value in patch.items():
        if value is None:
            made.pop(key, None)
        else:
            made[key] = merged(made.get(key), value)
    return made


@functools.cache
def _base(path):
    return composed(path, (ROOT / path).read_text())


def composed(path, text):
    """The scenario with all that it extends."""
    own = json.loads(text)
    extends = own.pop("extends", None)
    if extends is None:
        return own
    return merged(_base(posixpath.normpath(posixpath.join(posixpath.dirname(path), extends))), own)


def strikes_at_random(scenario):
    return any(key not in _PLANNED
               for fault in scenario.get("faults", []) for key in fault.get("source", {}))


def _seeds(path, scenario):
    if not strikes_at_random(scenario):
        return
    least = HEADLINE_SEEDS if HEADLINE.fullmatch(path) else SEEDS
    seeds = scenario.get("check", {}).get("seeds", 0)
    if seeds < least:
        yield Finding(path, 1, f"faults strike at random and are judged over {seeds} seeds",
                      f"\"check\": {{\"seeds\": N}} with at least {least}")


def _notes(path, scenario):
    """A published number is followed by what the file can say about it, before all else."""
    if not PUBLISHED.fullmatch(path):
        return
    first = (scenario.get("notes") or [""])[0]
    if not first.startswith("Shows ") or " Cannot " not in first:
        yield Finding(path, 1, "the notes do not begin with what it shows",
                      "\"Shows ...; can be wrong. Cannot ...\"")


def shipped(files):
    for file in files:
        if not file.path.startswith("scenarios/") or not file.path.endswith(".json") or \
                file.path.endswith(".schema.json"):
            continue
        scenario = composed(file.path, file.text)
        yield from _seeds(file.path, scenario)
        yield from _notes(file.path, scenario)
