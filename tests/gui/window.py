"""window.py DIR: drives the viewer in a window as a user does, with keys from xdotool, and reads it
as a screen reader does, through AT-SPI. DIR is for what it makes. The programs are in
AFTERSHOCK_EXECUTABLE and AFTERSHOCK_VIEWER."""
import os
import pathlib
import subprocess
import sys
import time

import pyatspi

PATIENCE_S = 30
# Roles that a user acts on or reads. A control without a name is a riddle to users who cannot see
# it.
NAMED = {pyatspi.ROLE_PUSH_BUTTON, pyatspi.ROLE_TOGGLE_BUTTON, pyatspi.ROLE_CHECK_BOX,
         pyatspi.ROLE_RADIO_BUTTON, pyatspi.ROLE_COMBO_BOX, pyatspi.ROLE_SLIDER,
         pyatspi.ROLE_SPIN_BUTTON, pyatspi.ROLE_TEXT, pyatspi.ROLE_ENTRY, pyatspi.ROLE_TABLE,
         pyatspi.ROLE_TREE, pyatspi.ROLE_TREE_TABLE, pyatspi.ROLE_LIST, pyatspi.ROLE_SCROLL_BAR,
         pyatspi.ROLE_MENU_ITEM, pyatspi.ROLE_PAGE_TAB, pyatspi.ROLE_DOCUMENT_FRAME}
failures = []


def fail(what):
    """Says so at once: who waits for the rest may be stopped before it comes."""
    failures.append(what)
    print("FAILED:", what, flush=True)


def expect(what, holds):
    if not holds:
        fail(what)


def wait_for(what, found):
    """The first true value of found(); None, and a failure, if it never comes."""
    end = time.monotonic() + PATIENCE_S
    while time.monotonic() < end:
        try:
            value = found()
        except Exception:  # What one looks at may go while one looks.
            value = None
        if value:
            return value
        time.sleep(0.05)
    fail(f"{what}: not within {PATIENCE_S} s")
    return None


def needed(what, found):
    """The same of what nothing goes on without."""
    value = wait_for(what, found)
    if not value:
        sys.exit(1)
    return value


def below(node):
    yield node
    for child in node:
        if child is not None:
            yield from below(child)


def asked(*command):
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def keys(*names):
    subprocess.run(["xdotool", "key", "--delay", "60", *names], check=True)


class Viewer:
    """The program with some files open, until it is quit."""

    def __init__(self, folder, *files):
        self.said = folder / "said"
        with open(self.said, "wb") as said:
            self.process = subprocess.Popen([os.environ["AFTERSHOCK_VIEWER"], *map(str, files)],
                                            stderr=said, stdin=subprocess.DEVNULL)
        self.application = needed("the viewer is on the bus", self.on_bus)
        needed("an active window", self.is_active)

    def is_active(self):
        ours = asked("xdotool", "search", "--onlyvisible", "--pid", str(self.process.pid))
        return asked("xdotool", "getactivewindow")[0] in ours

    def on_bus(self):
        for application in pyatspi.Registry.getDesktop(0):
            if application is not None and application.get_process_id() == self.process.pid:
                return application
        return None

    def named(self, name):
        """What is shown and has this name."""
        return next((node for node in below(self.application) if node.name == name and
                     node.getState().contains(pyatspi.STATE_SHOWING)), None)

    def told(self, name):
        """What is said of it beside its name."""
        node = self.named(name)
        return node.description if node is not None else ""

    def text(self, name):
        node = self.named(name)
        return node.queryText().getText(0, -1) if node is not None else ""

    def has_keyboard(self, name):
        node = self.named(name)
        return node is not None and node.getState().contains(pyatspi.STATE_FOCUSED)

    def statuses(self):
        return [node.name for node in below(self.application)
                if node.getRole() in (pyatspi.ROLE_LABEL, pyatspi.ROLE_STATUS_BAR)]

    def expect_names(self):
        for node in below(self.application):
            showing = node.getState().contains(pyatspi.STATE_SHOWING)
            if showing and node.getRole() in NAMED and not node.name:
                path = []
                at = node
                while at is not None:
                    path.append(f"{at.getRoleName()} '{at.name}'")
                    at = at.parent
                fail("a control without a name: " + " < ".join(path))

    def quit(self):
        keys("ctrl+q")
        try:
            expect("it quits cleanly", self.process.wait(PATIENCE_S) == 0)
        except subprocess.TimeoutExpired:
            fail("it does not quit")
            self.process.kill()
            self.process.wait()
        said = self.said.read_text(errors="replace")
        expect(f"nothing is complained of: {said}", not said)


def one_run(folder, recording):
    viewer = Viewer(folder, recording)
    wait_for("the timeline", lambda: viewer.named("Timeline"))
    wait_for("what killed the job is told first",
             lambda: "preempt" in viewer.text("Selection, and why it happened").lower())
    wait_for("the timeline has the keyboard", lambda: viewer.has_keyboard("Timeline"))
    keys("n")
    wait_for("N goes to the first fault",
             lambda: viewer.told("Timeline").startswith("fault 1 of "))
    keys("y")
    wait_for("Y goes to a decision", lambda: viewer.told("Timeline").startswith("decision "))
    wait_for("its card says which rule",
             lambda: "ray" in viewer.text("Selection, and why it happened"))
    keys("space")
    wait_for("it plays", lambda: any(text.startswith("playing") for text in viewer.statuses()))
    keys("space")
    wait_for("it pauses", lambda: any(text.startswith("paused") for text in viewer.statuses()))
    keys("question")
    wait_for("? shows the keys", lambda: any(
        "Next fault" in node.name for node in below(viewer.application)))
    keys("Escape")
    viewer.expect_names()
    viewer.quit()


def two_runs(folder, first, second):
    viewer = Viewer(folder, first, second)
    wait_for("both timelines",
             lambda: viewer.named("Timeline of run A") and viewer.named("Timeline of run B"))
    wait_for("run A has the keyboard", lambda: viewer.has_keyboard("Timeline of run A"))
    keys("n")
    wait_for("N is about run A",
             lambda: viewer.told("Timeline of run A").startswith("fault 1 of "))
    keys("o")
    wait_for("run B has the keyboard", lambda: viewer.has_keyboard("Timeline of run B"))
    keys("n")
    wait_for("O takes run B to hand",
             lambda: viewer.told("Timeline of run B").startswith("fault "))
    keys("x")
    wait_for("X goes to where they part", lambda: any(
        "divergence 1 of" in text for text in viewer.statuses()))
    viewer.expect_names()
    viewer.quit()


def record(folder, name, *options):
    path = folder / f"{name}.aftershock"
    done = subprocess.run([os.environ["AFTERSHOCK_EXECUTABLE"], "run", *options, "--quiet",
                           "--record", path], check=False)
    expect(f"{name} is recorded: exit {done.returncode}", done.returncode in (0, 1))
    return path


def main():
    folder = pathlib.Path(sys.argv[1])
    dies = record(folder, "dies", "scenarios/ray/preemption_eats_max_failures.json")
    first = record(folder, "first", "scenarios/quickstart.json")
    config = folder / "one_retry.json"
    config.write_text('{"max_failures": 1}')
    second = record(folder, "second", "scenarios/quickstart.json", "--policy", "ray_train",
                    "--policy-config", config)
    launcher = subprocess.Popen(["/usr/libexec/at-spi-bus-launcher", "--launch-immediately"],
                                stderr=subprocess.DEVNULL)
    manager = subprocess.Popen(["openbox"], stderr=subprocess.DEVNULL)
    try:
        # A window that is there before its manager is nobody's to make active.
        needed("a window manager", lambda: asked("xdotool", "get_num_desktops"))
        one_run(folder, dies)
        two_runs(folder, first, second)
    finally:
        manager.terminate()
        launcher.terminate()
        manager.wait()
        launcher.wait()
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
