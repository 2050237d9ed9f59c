"""How soon a phone on a slow network shows its question and its hand, in headless Chromium with 50 KB/s and 50 ms.

Usage: python -m bench.slow_network [--runs N]

A hand of Propheta has 16 cards, all drawn. Nothing is in the browser's cache at the beginning of a run.
"""

import argparse
import re
import shutil
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from bench.table import ROOT, Client, Table
from scripts.table_pictures import browser

NETWORK = {"offline": False, "latency": 50, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
PEOPLE = ("Ysolde", "Bram", "Nettle")
GAME = ("play", "propheta", *(word for name in PEOPLE for word in ("--seat", name)), "--seed", "3", "--speed", "off")
QUESTION_SECONDS, HAND_SECONDS = 1.5, 4.0
_WAIT_SECONDS = 30.0
_SEATS = "document.querySelector('#seats button')"
_QUESTION = "document.querySelector('.phone #question') && document.fonts.check('1em Alegreya')"
_HAND = """document.querySelectorAll('#hand .card img').length === 16
  && [...document.querySelectorAll('#hand .card img')].every((image) => image.complete && image.naturalWidth)"""


def main() -> None:
    """Print a table of the seconds from a tap to what it shows."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--runs", type=int, default=3)
    runs = [_measure() for _ in range(parser.parse_args().runs)]
    print("| what, at 50 KB/s and 50 ms | measured | budget |\n|---|--:|--:|")
    for place, (what, budget) in enumerate((
        ("a seat is tapped, to the question of its page", QUESTION_SECONDS),
        ("a card is tapped, to the question after it", QUESTION_SECONDS),
        ("a page is opened, to a whole hand of 16 drawn cards", HAND_SECONDS),
    )):  # fmt: skip
        print(f"| {what} | {statistics.median(run[place] for run in runs):.2f} s | {budget:g} s |")


def _measure() -> tuple[float, float, float]:
    with tempfile.TemporaryDirectory() as folder:
        vault = Path(shutil.copytree(ROOT / "vault-example", Path(folder) / "vault"))
        table = Table(vault, *GAME, "--phones", "--address", "127.0.0.1")
        driver = browser()
        try:
            return _sit_and_play(table, driver)
        finally:
            driver.quit()
            table.end()


def _sit_and_play(table: Table, driver: Any) -> tuple[float, float, float]:
    screen = Client(table).listen()
    side = screen.scene()["regions"]["middle"]
    base, typed = (re.search(f"class='{name}'>([^<]+)", side)[1] for name in ("address", "typed"))  # type: ignore[index]
    driver.execute_cdp_cmd("Network.enable", {})
    driver.execute_cdp_cmd("Network.clearBrowserCache", {})
    driver.execute_cdp_cmd("Network.emulateNetworkConditions", NETWORK)
    metrics = {"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": True}
    driver.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
    driver.get(f"{base}#{typed}")
    _wait(driver, _SEATS)
    sits = _tap(driver, _SEATS, _QUESTION)
    screen.order("begin")
    _wait(driver, _HAND)
    driver.execute_cdp_cmd("Network.clearBrowserCache", {})
    begun = time.perf_counter()
    driver.get(driver.current_url)
    _wait(driver, _HAND)
    hand = time.perf_counter() - begun
    before = driver.execute_script("return document.querySelector('#question').textContent + question")
    driver.execute_script("document.querySelector('#hand .can').click()")
    _wait(driver, "document.querySelector('#choices button:not([hidden])')")
    changed = f"document.querySelector('#question').textContent + question !== {before!r}"
    return sits, _tap(driver, "document.querySelector('#choices button:not([hidden])')", changed), hand


def _tap(driver: Any, element: str, then: str) -> float:
    """Return the seconds from a click on an element until the page meets a condition."""
    begun = time.perf_counter()
    driver.execute_script(f"{element}.click()")
    _wait(driver, then)
    return time.perf_counter() - begun


def _wait(driver: Any, condition: str) -> None:
    deadline = time.monotonic() + _WAIT_SECONDS
    while not driver.execute_script(f"return !!({condition})"):
        if time.monotonic() > deadline:
            raise RuntimeError(f"in vain: {condition}\n{driver.find_element('tag name', 'body').text}")
        time.sleep(0.02)


if __name__ == "__main__":
    main()
