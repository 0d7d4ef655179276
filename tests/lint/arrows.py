"""Who may know whom: rooms, the libraries of CMake, and the libraries of others."""
import os
import re

import cpp
from tree import ROOMS, Finding

_KNOWS = {"policies": {"policies"}, "reports": {"reports"}, "gui": {"gui", "reports"},
          "sim": {"sim", "policies", "reports"}}

# Headers of other libraries, and what a folder that includes them has among its DEPS.
_FOREIGN = (
    (r"<CLI/", "CLI11::CLI11"),
    (r"<Q[A-Z]", "Qt6::"),
    (r"<Random123/", "random123"),
    (r"<boost/", "Boost::headers"),
    (r"<fmt/", "fmt::fmt"),
    (r"<nlohmann/", "nlohmann_json::nlohmann_json"),
    (r"<simdjson\.h>", "simdjson::simdjson"),
    (r"<simgrid/|<xbt", "PkgConfig::simgrid"),
    (r"<sqlite3\.h>", "SQLite::SQLite3"),
    (r"<yaml\.h>", "PkgConfig::yaml"),
    (r"<zstd\.h>", "zstd::libzstd_shared"),
    (r'"aftershock_version\.h"', "aftershock::version"),
)


def includes(file):
    """(line, `"path"` or `<path>`) of every include."""
    code, _ = cpp.split(file.text)
    for i, line in enumerate(code.split("\n")):
        if re.match(r"\s*#\s*include\b", line):
            # Its text, since the insides of quotes are blank in the code.
            found = re.search(r'"[^"]*"|<[^>]*>', file.lines[i])
            if found:
                yield i + 1, found.group()


def libraries(files):
    """{folder: (name, CMakeLists.txt, line, DEPS)} of every aftershock_library."""
    found = {}
    for file in files:
        if file.path.endswith("CMakeLists.txt") and file.room in ROOMS:
            text = re.sub(r"#[^\n]*", "", file.text)
            values = dict(re.findall(r"set\((\w+)\s+([^()]*)\)", text))
            for call in re.finditer(r"aftershock_library\((\w+)([^()]*)\)", text):
                words = call.group(2).split()
                deps = words[words.index("DEPS") + 1:] if "DEPS" in words else []
                # A family more is a library more: what policies/ registers is what it lists.
                if "${family_targets}" in deps:
                    deps = [d for d in deps if d != "${family_targets}"] + [
                        f"aftershock::{family}" for family in values.get("families", "").split()]
                found[file.folder] = (call.group(1), file.path, file.line_at(call.start()), deps)
    return found


def arrows(files):
    """Arrows between rooms, and only sim/engine/simgrid includes SimGrid."""
    for file in files:
        if file.is_cpp and file.room in ROOMS:
            for line, name in includes(file):
                target = name.strip('"<>').split("/")[0]
                if target in ROOMS + ("tests",) and target not in _KNOWS[file.room]:
                    yield Finding(file.path, line, f"{file.room} knows {target}",
                                  "arrows point one way, sim -> policies, sim -> reports, "
                                  "gui -> reports (README); move what both need downwards")
                if re.match(r"<(simgrid|xbt)", name) and file.folder != "sim/engine/simgrid":
                    yield Finding(file.path, line, "SimGrid outside sim/engine/simgrid",
                                  "use what sim/engine offers, or offer it there")


def dependencies(files):
    """What a folder includes is what its library declares, no more and no less; no cycles."""
    declared = libraries(files)
    folders = {f"aftershock::{name}": folder for folder, (name, *_) in declared.items()}

    def reach(dep):
        """Folders that a dependency opens; the one of all policies opens what it is made of."""
        if dep == "aftershock::policies":
            return {folder for folder in declared if folder.split("/")[0] == "policies"}
        return {folders[dep]} if dep in folders else set()

    used = {folder: set() for folder in declared}
    for file in files:
        if not file.is_cpp or file.folder not in declared:
            continue
        deps = declared[file.folder][3]
        for line, name in includes(file):
            folder = os.path.dirname(name.strip('"'))
            if name[0] == '"' and folder in declared and folder != file.folder:
                through = [dep for dep in deps if folder in reach(dep)]
                used[file.folder].update(through)
                missing = None if through else f"aftershock::{declared[folder][0]}"
            else:
                library = next((dep for start, dep in _FOREIGN if re.match(start, name)), None)
                through = [dep for dep in deps if library and dep.startswith(library)]
                used[file.folder].update(through)
                missing = library if library and not through else None
            if missing:
                yield Finding(file.path, line, f"{name} without {missing} among the DEPS",
                              f"declare it in {declared[file.folder][1]}, or do without")
    for folder, (name, path, line, deps) in declared.items():
        for dep in deps:
            if dep not in used[folder]:
                yield Finding(path, line, f"{name} declares {dep} and includes nothing of it",
                              "take it out of the DEPS")
    yield from _cycles(declared, folders)


def _cycles(declared, folders):
    done, path = set(), []

    def walk(folder):
        if folder in path:
            names = " -> ".join(declared[f][0] for f in path[path.index(folder):] + [folder])
            yield Finding(declared[folder][1], declared[folder][2], f"libraries in a ring: {names}",
                          "break the ring: move what both need into a third")
        elif folder not in done:
            path.append(folder)
            for dep in declared[folder][3]:
                if dep in folders:
                    yield from walk(folders[dep])
            path.pop()
            done.add(folder)

    for folder in declared:
        yield from walk(folder)
