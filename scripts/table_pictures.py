"""Generator of the pictures in docs/table/: moments of every game and of readings, in headless Chromium.

Usage: python -m scripts.table_pictures [--scheme light] [--size 1920x1080] [--theme NAME] [--to FOLDER] [NAME...]
With names it renders those moments at all sizes, else the pictures of the docs. With `--hard FOLDER` it renders five
games with hard names at three moments, in all sizes and both schemes.
"""

import argparse
import json
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from PIL import Image

from scripts import paste
from scripts.table_moments import GAMES, LIGHT, REAL, Moment, moments
from vaultkit import resources
from vaultkit.theme.back_design import load_default_back
from vaultkit.theme.model import Theme
from vaultkit.vault import Vault
from vaultkit.web import card_images, card_svg, page_html
from vaultkit.web.card_picker import index_image_makers
from vaultkit.web.roster import SCREEN
from vaultkit.web.routes import read_page_file

ROOT = Path(__file__).resolve().parents[1]
SIZES = ("390x844", "320x568", "1366x768", "1920x1080")
HARD_SIZES = ("320x568", "568x320", "390x844", "768x1024", "683x384", "1366x768", "1920x1080")
"""Sizes for hard states; 683x384 is a laptop at 200 %."""
_AT_SCREENS = [name for name in GAMES if GAMES[name].view in ("seat", "cover", "end")]
DOCS = (
    *((name, "1366x768", "dark") for name in (*_AT_SCREENS, *REAL, *LIGHT, "reading-5-half", "reading-10-half")),
    *((name, "1920x1080", "light") for name in ("citadel-screen", "real-propheta", "reading-3-half")),
    *((name, "1920x1080", "dark") for name in ("propheta-screen", "gambit-screen", "fate-screen", "destiny-laying")),
    *((name, "390x844", "dark") for name in ("citadel-seat", "propheta-seat", "reading-5-half")),
    *((f"{name}-phone", "390x844", "dark") for name in ("citadel", "propheta", "gambit", "fate", "destiny")),
    *((name, "390x844", "dark") for name in ("propheta-waits", "propheta-phone-end", "join")),
    ("propheta-phone", "320x568", "light"),
    *((name, "1366x768", "dark") for name in ("propheta-lobby", "propheta-phones")),
    *((name, "320x568", "light") for name in ("fate-seat", "reading-1-all")),
)
"""The pictures of the docs: the name of the moment, the size, and the colour scheme."""
_KINDS = {".css": "text/css", ".js": "text/javascript", ".ttf": "font/ttf", ".svg": card_images.SVG}


class Show(ThreadingHTTPServer):
    """A server of each moment at `/NAME/screen/`, like the real one, but without any way to make moves."""

    daemon_threads = True

    def __init__(self, vault: Path, found: dict[str, Moment], theme: Theme) -> None:
        super().__init__(("127.0.0.1", 0), _Handler)
        self.vault, self.found, self.theme = Vault(vault), found, theme
        self.kind = "classic"
        decks = {moment.deck.deck.kind: moment.deck.deck for moment in found.values()}
        self.tiles = {name: draw for deck in decks.values() for name, draw in index_image_makers(deck, theme).items()}
        self.over = threading.Event()

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}"

    def file(self, name: str) -> bytes:
        if name == "own.css":
            return b""
        if name == "theme.css":
            return card_images.stylesheet(self.theme).encode()
        if name == "turn.svg":
            return card_svg.draw_turn_icon(self.theme).encode()
        if name == "back.svg":
            return card_svg.draw_back(load_default_back(self.kind, None), self.theme).encode()
        if name in self.tiles:
            return self.tiles[name]()[0]  # type: ignore[index]
        return read_page_file(name) or b""


class _Handler(BaseHTTPRequestHandler):
    server: Show

    def do_GET(self) -> None:
        parts = self.path.strip("/").split("/")
        if parts[0] == "web":
            self._send(self.server.file(parts[1]), _KINDS[Path(parts[1]).suffix])
        elif parts[0] == "join":
            self._send(page_html.render_entrance("join").encode(), "text/html")
        elif parts[0] not in self.server.found:
            self.send_error(404)
        else:
            self._moment(self.server.found[parts[0]], parts[2:])

    def do_POST(self) -> None:
        """Answer a phone that asks to join with a ticket and four seats, one of them taken."""
        names = (("Ysolde Marr", False), ("Bram Tolliver", True), ("Nettle Ashdown", True), ("Sefa Quill", True))
        seats = [{"seat": seat, "name": name, "free": free} for seat, (name, free) in enumerate(names)]
        self._send(json.dumps({"ticket": "t", "seats": seats}).encode(), "application/json")

    def log_message(self, *_: Any) -> None:
        """Log nothing."""

    def _moment(self, moment: Moment, rest: list[str]) -> None:
        marks = moment.sight.marks
        if not rest:
            self.server.kind = moment.deck.deck.kind
            company = moment.sight.company
            name = "phone" if company and company.role != SCREEN else "page"
            self._send(page_html.render_page("The table", marks.faces(), name).encode(), "text/html")
        elif rest == ["stream"]:
            self._stream(moment)
        else:
            entry = moment.deck.by_id[marks.by_face[rest[1]]]
            label = card_svg.corner_labels(moment.deck.deck)[entry.card.id]
            self._send(*card_images.make_card_image(self.server.vault, entry, self.server.theme, label))

    def _stream(self, moment: Moment) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        scene = json.dumps(asdict(page_html.render_update(moment.sight)))
        self.wfile.write(f"event: scene\ndata: {scene}\n\n".encode())
        self.wfile.flush()
        self.server.over.wait(20)

    def _send(self, body: bytes, kind: str) -> None:
        self.send_response(200)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.send_header("Content-Security-Policy", "default-src 'self'; img-src 'self'")
        self.send_header("Cache-Control", "no-store")
        self.end_headers()
        self.wfile.write(body)


@contextmanager
def serving(names: list[str], theme: str = "classic") -> Iterator[Show]:
    """Serve the moments that `names` selects, from a copy of the example vault, until the context ends."""
    with tempfile.TemporaryDirectory() as folder:
        vault = Path(folder) / "vault"
        shutil.copytree(resources.shipped_folder("vault-example"), vault)
        show = Show(vault, dict(moments(vault, names)), Theme(name=theme))
        threading.Thread(target=show.serve_forever, daemon=True).start()
        try:
            yield show
        finally:
            show.over.set()
            show.shutdown()
            show.server_close()


def browser() -> Any:
    """Start headless Chromium with Debian's driver, and return the Selenium driver."""
    from selenium.webdriver import Chrome, ChromeOptions, ChromeService

    options = ChromeOptions()
    for said in ("--headless=new", "--no-sandbox", "--hide-scrollbars", "--disable-gpu"):
        options.add_argument(said)
    options.set_capability("goog:loggingPrefs", {"browser": "ALL"})
    return Chrome(options, ChromeService("/usr/bin/chromedriver"))


def take(driver: Any, address: str, size: str, scheme: str, file: Path) -> None:
    """Save a picture of a page in a window of `size` ("1366x768"), after its images and fonts have loaded.

    A page that scrolls is shown whole, up to three times the window's height. Messages of the browser are printed.
    """
    width, height = map(int, size.split("x"))
    metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 600}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    features = {"prefers-color-scheme": scheme, "prefers-reduced-motion": "reduce"}
    media = {"features": [{"name": name, "value": value} for name, value in features.items()]}
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", media)
    driver.get(address)
    deadline = time.monotonic() + 10
    loaded = "[...document.images].every(i=>i.complete) && !!document.querySelector('#ask h2, .choice button')"
    fonts = "['700 1em Cinzel', '1em Alegreya'].every(one => document.fonts.check(one))"
    while not driver.execute_script(f"return {loaded} && {fonts}") and time.monotonic() < deadline:
        time.sleep(0.05)
    whole = driver.execute_script("return document.documentElement.scrollHeight")
    if whole > height:
        driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", {**metrics, "height": min(whole, 3 * height)})
    driver.save_screenshot(str(file))
    for line in driver.get_log("browser"):
        print(file.name, line["message"])


def main() -> None:
    """Render the moments that the arguments name, at all sizes, or without names the pictures of the docs."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--scheme", default="dark")
    parser.add_argument("--size", default=",".join(SIZES))
    parser.add_argument("--theme", default="classic")
    parser.add_argument("--to", type=Path, default=ROOT / "docs" / "table")
    parser.add_argument("--hard", type=Path)
    parser.add_argument("names", nargs="*")
    given = parser.parse_args()
    if given.hard:
        given.to, given.names, given.size, given.scheme = given.hard, ["hard"], ",".join(HARD_SIZES), "light,dark"
    given.to.mkdir(parents=True, exist_ok=True)
    driver = browser()
    try:
        with serving(given.names, given.theme) as show:
            for name, size, scheme in _wanted(show, given) if given.names else DOCS:
                file = given.to / f"{name}-{size}{f'-{scheme}' if given.hard else ''}.png"
                take(driver, f"{show.address}/{name}/screen/#code", size, scheme, file)
                paste.save(Image.open(file), file, colours=96)
    finally:
        driver.quit()


def _wanted(show: Show, given: argparse.Namespace) -> Iterator[tuple[str, str, str]]:
    for name in (*show.found, *(["join"] if "join" in given.names else ())):
        for size in given.size.split(","):
            yield from ((name, size, scheme) for scheme in given.scheme.split(","))


if __name__ == "__main__":
    main()
