"""Headless Chromium, driven through a pipe (the DevTools protocol) with nothing but Python."""
import base64
import itertools
import json
import os
import pathlib
import select
import shutil
import subprocess
import tempfile
import time


def program():
    """Where Chromium is; None where it is not installed."""
    return shutil.which("chromium") or shutil.which("chromium-browser")


class Browser:
    """One page at a time. `log` has what the console, the page and the network said of it."""

    def __init__(self):
        self.home = tempfile.mkdtemp()
        to_read, self._write = os.pipe()
        self._read, to_write = os.pipe()
        flags = ["--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu",
                 "--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking",
                 "--disable-component-update", "--disable-sync", "--hide-scrollbars",
                 f"--user-data-dir={self.home}", "about:blank"]
        # The browser reads from descriptor 3 and writes to 4.
        self.process = subprocess.Popen(
            ["sh", "-c", f'exec "$0" "$@" 3<&{to_read} 4>&{to_write}', program(), *flags],
            pass_fds=(to_read, to_write), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL, env={**os.environ, "HOME": self.home})
        os.close(to_read)
        os.close(to_write)
        self._rest = b""
        self._ids = itertools.count(1)
        self._session = None
        self.log = []
        self.requests = []
        self.loaded = False
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self.call("Target.attachToTarget", targetId=target,
                                  flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            self.call(f"{domain}.enable")

    def close(self):
        self.process.terminate()
        self.process.wait()
        shutil.rmtree(self.home, ignore_errors=True)

    def _message(self, deadline):
        while b"\0" not in self._rest:
            ready, _, _ = select.select([self._read], [], [], max(0, deadline - time.monotonic()))
            part = os.read(self._read, 1 << 20) if ready else b""
            if not part:
                raise TimeoutError("the browser says nothing")
            self._rest += part
        text, self._rest = self._rest.split(b"\0", 1)
        return json.loads(text)

    def _take(self, message):
        method, what = message.get("method"), message.get("params", {})
        if method == "Runtime.exceptionThrown":
            self.log.append(json.dumps(what["exceptionDetails"]))
        elif method == "Log.entryAdded" and what["entry"]["level"] in ("error", "warning"):
            self.log.append(what["entry"]["text"])
        elif method == "Runtime.consoleAPICalled" and what["type"] in ("error", "warning"):
            self.log.append(json.dumps(what["args"]))
        elif method == "Network.requestWillBeSent":
            self.requests.append(what["request"]["url"])
        elif method == "Page.javascriptDialogOpening":
            self.log.append("a dialog: " + what["message"])
            self.call("Page.handleJavaScriptDialog", accept=True)
        elif method == "Page.loadEventFired":
            self.loaded = True

    def call(self, method, **params):
        """One command, and its result."""
        number = next(self._ids)
        message = {"id": number, "method": method, "params": params}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._write, json.dumps(message).encode() + b"\0")
        deadline = time.monotonic() + 120
        while True:
            answer = self._message(deadline)
            if answer.get("id") == number:
                if "error" in answer:
                    raise RuntimeError(f"{method}: {answer['error']}")
                return answer["result"]
            self._take(answer)

    def open(self, path, width=1280, height=900, scheme="light", script=True):
        """Loads a file, and waits until it is there."""
        self.log, self.requests, self.loaded = [], [], False
        self.call("Emulation.setScriptExecutionDisabled", value=not script)
        self.call("Emulation.setDeviceMetricsOverride", width=width, height=height,
                  deviceScaleFactor=1, mobile=False)
        self.call("Emulation.setEmulatedMedia",
                  features=[{"name": "prefers-color-scheme", "value": scheme}])
        self.call("Page.navigate", url=pathlib.Path(path).resolve().as_uri())
        deadline = time.monotonic() + 120
        while not self.loaded:
            self._take(self._message(deadline))

    def ask(self, expression):
        """The value of an expression of JavaScript."""
        result = self.call("Runtime.evaluate", expression=expression, returnByValue=True,
                           awaitPromise=True)
        if "exceptionDetails" in result:
            raise RuntimeError(f"{expression}: {result['exceptionDetails']}")
        return result["result"].get("value")

    def press(self, key):
        """A key, as from the keyboard."""
        codes = {"Enter": 13, "Tab": 9, " ": 32, "ArrowRight": 39, "End": 35}
        text = {"Enter": "\r", " ": " "}.get(key, "")
        for kind in ("keyDown", "keyUp"):
            self.call("Input.dispatchKeyEvent", type=kind, key=key, text=text if kind == "keyDown"
                      else "", windowsVirtualKeyCode=codes[key])

    def type(self, text):
        """Text into what has the focus."""
        self.call("Input.insertText", text=text)

    def picture(self, path):
        """The whole page as a PNG."""
        size = self.call("Page.getLayoutMetrics")["cssContentSize"]
        shot = self.call("Page.captureScreenshot", captureBeyondViewport=True,
                         clip={"x": 0, "y": 0, "width": size["width"],
                               "height": min(size["height"], 12000), "scale": 1})
        pathlib.Path(path).write_bytes(base64.b64decode(shot["data"]))

    def print_to(self, path):
        """The page as it prints, a PDF."""
        printed = self.call("Page.printToPDF", printBackground=True, preferCSSPageSize=False)
        pathlib.Path(path).write_bytes(base64.b64decode(printed["data"]))
