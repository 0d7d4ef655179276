"""How includes are written, and what policies must not include."""
import os
import re

from arrows import includes as includes_of
from tree import ROOMS, Finding

# Policies are pure: no I/O, threads, clock or chance of their own.
_IMPURE = re.compile(
    r"<(thread|stop_token|mutex|shared_mutex|condition_variable|atomic|future|semaphore|barrier|"
    r"latch|coroutine|execution|chrono|ctime|time\.h|sys/.*|unistd\.h|fcntl\.h|poll\.h|signal\.h|"
    r"csignal|netinet/.*|arpa/.*|netdb\.h|pthread\.h|fstream|iostream|istream|ostream|iomanip|"
    r"sstream|syncstream|filesystem|cstdio|stdio\.h|random|locale|clocale|boost/.*|simgrid/.*|"
    r"Random123/.*|fmt/.*|Q.*)>")

# Files that a build writes.
_GENERATED = {'"aftershock_version.h"', '"aftershock_policy_headers.h"'}


def includes(files):
    headers = {file.path for file in files}
    for file in files:
        if not file.is_cpp:
            continue
        if file.path.endswith(".h") and not re.search(r"^#pragma once$", file.text, re.M):
            yield Finding(file.path, 1, "no include guard", "begin with #pragma once")
        seen = {}
        for line, name in includes_of(file):
            bare = name.strip('"<>')
            if name in seen:
                yield Finding(file.path, line, f"{name} for the second time",
                              f"line {seen[name]} has it")
            seen.setdefault(name, line)
            if name[0] == '"' and name not in _GENERATED:
                if ".." in bare.split("/") or bare not in headers:
                    yield Finding(file.path, line, f"{name} does not start at the root",
                                  'as in #include "policies/api/policy.h"')
                if not bare.endswith(".h"):
                    yield Finding(file.path, line, f"{name} is no header", "include its header")
            elif name[0] == "<" and bare.split("/")[0] in ROOMS:
                yield Finding(file.path, line, f"{name} in angle brackets",
                              "the tree's own headers stand in quotes")
            if file.room == "policies" and _IMPURE.fullmatch(name):
                yield Finding(file.path, line, f"{name} in policies",
                              "policies have no I/O, threads, clock or chance: time arrives in "
                              "events, effects leave as commands")
        own = file.path.replace(".cpp", ".h")
        first = next(iter(seen), None)
        if file.path.endswith(".cpp") and own in headers and f'"{own}"' != first:
            yield Finding(file.path, seen.get(f'"{own}"', 1), "its own header does not come first",
                          f'begin with #include "{own}": that shows that the header stands alone')
