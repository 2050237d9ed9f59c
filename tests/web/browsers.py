"""Real browsers at a table: Debian's Chromium, and WebKitGTK's MiniBrowser on a virtual screen."""

import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

try:
    from selenium.webdriver import Keys
except ImportError:  # as `need` tells
    Keys = None  # type: ignore[assignment, misc]

CHROMIUM, WEBKIT = "chromium", "webkit"
AXE = Path(__file__).parents[2] / ".tools" / "node_modules" / "axe-core" / "axe.min.js"
_NEEDED = {CHROMIUM: ("chromium", "chromedriver"), WEBKIT: ("WebKitWebDriver", "Xvfb")}
_MINI = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser"
WAIT = 15.0


def need(kind: str) -> None:
    """Skip the test if the browser is not installed; fail if it is required."""
    missing = [name for name in _NEEDED[kind] if not shutil.which(name)]
    try:
        import selenium  # noqa: F401
    except ImportError:
        missing.append("selenium")
    if not AXE.is_file():
        missing.append("axe-core")
    if missing and os.environ.get("VAULTKIT_BROWSERS") == "required":
        pytest.fail(f"{', '.join(missing)} must be installed: make browsers")
    if missing:
        pytest.skip(f"without {', '.join(missing)}: make browsers")


class Page:
    """A browser window."""

    def __init__(self, driver: Any) -> None:
        self.driver = driver

    @property
    def is_chromium(self) -> bool:
        return self.driver.capabilities["browserName"] == "chrome"

    def go(self, address: str) -> "Page":
        self.driver.get(address)
        self.wait_for("document.querySelector('#ask h2')")
        return self.wait_for_fonts()

    def wait_for_fonts(self) -> "Page":
        """Wait until the page is laid out in its own fonts: a fallback may be wider than they are."""
        self.wait_for("document.body.offsetHeight && document.fonts.status === 'loaded'")
        return self

    def run(self, script: str, *given: object) -> Any:
        return self.driver.execute_script(f"return {script}", *given)

    def wait_for(self, script: str, seconds: float = WAIT) -> Any:
        """Repeat a script until its result is truthy, and return that."""
        from selenium.common import WebDriverException

        last = time.monotonic() + seconds
        while True:
            try:
                found = self.run(script)
            except WebDriverException:  # between two pages
                found = None
            if found or time.monotonic() > last:
                assert found, f"{script}\n{self.text()}"
                return found
            time.sleep(0.05)

    def click(self, name: str) -> None:
        """Click the element with this id, and look it up again if it is replaced in between."""
        from selenium.common import StaleElementReferenceException

        last = time.monotonic() + WAIT
        while True:
            try:
                return self.driver.find_element("id", name).click()  # type: ignore[no-any-return]
            except StaleElementReferenceException:
                if time.monotonic() > last:
                    raise

    def text(self) -> str:
        return str(self.run("document.body.innerText"))

    def keys(self, *keys: str) -> None:
        from selenium.webdriver import ActionChains

        for key in keys:
            ActionChains(self.driver).send_keys(key).perform()

    def focus(self) -> str:
        """Return the id of the focused element."""
        return str(self.run("document.activeElement.id"))

    def tab_to(self, wanted: Callable[[str], bool]) -> None:
        for _ in range(30):
            if wanted(self.focus()):
                return
            self.keys(Keys.TAB)
        raise AssertionError(f"Tab never comes there: {self.focus()}")

    def size(self, width: int, height: int) -> None:
        """Resize the window; in Chromium exact to the pixel."""
        if self.is_chromium:
            sized = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": False}
            self.driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", sized)
            self.driver.execute_async_script("requestAnimationFrame(() => requestAnimationFrame(arguments[0]))")
        else:
            self.driver.set_window_size(width, height)

    def media(self, **features: str) -> None:
        """Emulate the user's media preferences; works only in Chromium."""
        given = [{"name": name.replace("_", "-"), "value": value} for name, value in features.items()]
        self.driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"features": given})

    def violations(self) -> list[str]:
        """Return the accessibility violations that axe reports."""
        self.driver.execute_script(AXE.read_text(encoding="utf-8"))
        found = self.driver.execute_async_script("const done = arguments[0]; axe.run(document).then(done)")
        return [f"{one['id']}: {[node['html'][:150] for node in one['nodes'][:3]]}" for one in found["violations"]]

    def errors(self) -> list[str]:
        """Return the errors of Chromium's console, except failed connections; other browsers have none."""
        if not self.is_chromium:
            return []
        lines = (line["message"] for line in self.driver.get_log("browser") if line["level"] in {"SEVERE", "WARNING"})
        return [line for line in lines if "ERR_" not in line]


@contextmanager
def browser(kind: str, folder: Path) -> Iterator[Page]:
    """Start a browser with a new profile."""
    need(kind)
    with (_chromium if kind == CHROMIUM else _webkit)(folder) as driver:
        driver.set_script_timeout(30)
        yield Page(driver)


@contextmanager
def _chromium(folder: Path) -> Iterator[Any]:
    from selenium.webdriver import Chrome, ChromeOptions, ChromeService

    options = ChromeOptions()
    for said in ("--headless=new", "--no-sandbox", "--disable-gpu", f"--user-data-dir={folder / 'chromium'}"):
        options.add_argument(said)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    driver = Chrome(options, ChromeService(shutil.which("chromedriver")))
    try:
        yield driver
    finally:
        driver.quit()


@contextmanager
def _webkit(folder: Path) -> Iterator[Any]:
    from selenium.webdriver import WebKitGTK
    from selenium.webdriver.webkitgtk.options import Options
    from selenium.webdriver.webkitgtk.service import Service

    read, write = os.pipe()
    screen = subprocess.Popen(
        ["Xvfb", "-displayfd", str(write), "-screen", "0", "2000x1200x24", "-nolisten", "tcp"],
        pass_fds=(write,), stderr=subprocess.DEVNULL,
    )  # fmt: skip
    os.close(write)
    try:
        with os.fdopen(read) as said:
            display = f":{said.readline().strip()}"
        options = Options()
        options.binary_location = _MINI
        options.add_argument("--automation")
        env = {
            **os.environ,
            "DISPLAY": display,
            "HOME": str(folder),
            "GDK_BACKEND": "x11",
            "LIBGL_ALWAYS_SOFTWARE": "1",
        }
        driver = WebKitGTK(options, Service(shutil.which("WebKitWebDriver"), env=env))
        try:
            yield driver
        finally:
            driver.quit()
    finally:
        screen.terminate()
        screen.wait()
