#!/usr/bin/env python3
"""desktop.py CMAKE_INSTALL_SCRIPT: the viewer's desktop file, icon and MIME types are installed,
fit together, and know a recording when they see one."""
import configparser
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ElementTree

MIME = "{http://www.freedesktop.org/standards/shared-mime-info}"
failures = []


def expect(what, holds):
    if not holds:
        failures.append(what)


def checked_by(tool, *arguments, **environment):
    """Asks a tool of the system, where it is there."""
    if shutil.which(tool):
        asked = subprocess.run([tool, *arguments], capture_output=True, text=True, check=False,
                               env=os.environ | environment)
        expect(f"{tool}: {asked.stdout}{asked.stderr}",
               asked.returncode == 0 and not asked.stdout + asked.stderr)


def desktop(share):
    path = share / "applications/aftershock-viewer.desktop"
    checked_by("desktop-file-validate", str(path))
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str
    parser.read(path, encoding="utf-8")
    entry = parser["Desktop Entry"]
    expect("it is an application", entry["Type"] == "Application")
    expect("it takes files", entry["Exec"] == "aftershock-viewer %F")
    expect("its program is installed",
           os.access(share.parent / "bin" / entry["Exec"].split()[0], os.X_OK))
    icon = share / f"icons/hicolor/scalable/apps/{entry['Icon']}.svg"
    expect("its icon is a drawing", ElementTree.parse(icon).getroot().tag.endswith("}svg"))
    return [name for name in entry["MimeType"].split(";") if name]


def mime(share, work):
    path = share / "mime/packages/aftershock-recording.xml"
    checked_by("xmllint", "--noout", str(path))
    if shutil.which("update-mime-database"):
        shutil.copytree(share / "mime", work / "mime")
        checked_by("update-mime-database", str(work / "mime"), XDG_DATA_DIRS=str(work))
    return ElementTree.parse(path).getroot().findall(f"{MIME}mime-type")


def known(types, name, beginning):
    """The type of a file by its pattern, and by its magic where the type has some."""
    found = None
    for one in types:
        if any(name.endswith(glob.get("pattern")[1:]) for glob in one.findall(f"{MIME}glob")):
            found = one
            for match in one.iter(f"{MIME}match"):
                at = int(match.get("offset"))
                value = match.get("value").encode()
                expect(f"{name} begins as {one.get('type')} says",
                       beginning[at:at + len(value)] == value)
    return found is not None and found.get("type")


def main(script):
    with tempfile.TemporaryDirectory() as folder:
        work = pathlib.Path(folder)
        subprocess.run(["cmake", f"-DCMAKE_INSTALL_PREFIX={work}/usr", "-P", script], check=True,
                       stdout=subprocess.DEVNULL)
        share = work / "usr/share"
        wanted = desktop(share)
        types = mime(share, work)
        expect("the program opens what the types describe",
               sorted(wanted) == sorted(one.get("type") for one in types))
        for name in ("run.aftershock", "run.aftershock.zst"):
            subprocess.run([os.environ["AFTERSHOCK_EXECUTABLE"], "run", "scenarios/quickstart.json",
                            "--quiet", "--record", str(work / name)], check=True)
            expect(f"{name} is known", known(types, name, (work / name).read_bytes()) in wanted)
    for failure in failures:
        print(f"FAILED: {failure}")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
