"""Table of the platforms and Pythons on which vaultkit installs from wheels: `make platforms`, about a minute.

It asks uv for each platform and Python, and writes the table and the date into `docs/installing.md`. Nothing is
installed or built. PyYAML alone may come from source, since building it needs no compiler.
"""

import os
import re
import subprocess
import sys
import tomllib
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from pathlib import Path
from tempfile import gettempdir

ROOT = Path(__file__).parents[1]
PAGE = ROOT / "docs" / "installing.md"
PYTHONS = ("3.11", "3.12", "3.13", "3.14", "3.15")
PLATFORMS = {
    "Windows, x64": ("x86_64-pc-windows-msvc", ""),
    "Windows, ARM64": ("aarch64-pc-windows-msvc", ""),
    "macOS 13, Intel": ("x86_64-apple-darwin", "13.0"),
    "macOS 13, Apple": ("aarch64-apple-darwin", "13.0"),
    "macOS 14, Intel": ("x86_64-apple-darwin", "14.0"),
    "macOS 14, Apple": ("aarch64-apple-darwin", "14.0"),
    "macOS 15, Intel": ("x86_64-apple-darwin", "15.0"),
    "macOS 15, Apple": ("aarch64-apple-darwin", "15.0"),
    "Linux with glibc 2.28 or newer, x64": ("x86_64-manylinux_2_28", ""),
    "Linux with glibc 2.28 or newer, ARM64": ("aarch64-manylinux_2_28", ""),
    "Linux with musl (Alpine), x64": ("x86_64-unknown-linux-musl", ""),
    "Linux with musl (Alpine), ARM64": ("aarch64-unknown-linux-musl", ""),
}
"""Platforms by name: uv's identifier, and the oldest macOS that a wheel may require, "" for other systems."""


def requirements() -> list[str]:
    """Return the required dependencies of vaultkit from `pyproject.toml`."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return list(project["dependencies"])


def resolve(platform: str, python: str, *, wheels_only: bool) -> str | None:
    """Return uv's report on what it would install, or None if a package has no wheel.

    Unless `wheels_only`, PyYAML may be built from source.
    """
    name, macos = PLATFORMS[platform]
    source = [] if wheels_only else ["--no-binary=pyyaml"]
    done = subprocess.run(
        ["uv", "pip", "install", "--dry-run", "--only-binary=:all:", *source, "--target", gettempdir(),
         "--python-version", python, "--python-platform", name, *requirements()],
        env=os.environ | ({"MACOSX_DEPLOYMENT_TARGET": macos} if macos else {}),
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    return done.stderr if done.returncode == 0 else None


def cell(platform: str, python: str) -> str:
    """Return a table cell: whether there are wheels for a platform and Python, and which need a remark."""
    words, answer = resolve(platform, python, wheels_only=True), "yes"
    if words is None:
        words, answer = resolve(platform, python, wheels_only=False), "yes, PyYAML from source"
    if words is None:
        return "no"
    older = re.search(r"pikepdf==(9\.\S+)", words)
    return f"{answer}, with pikepdf {older[1]}" if older else answer


def table() -> str:
    """Return the table of platforms and Pythons in Markdown."""
    places = [(platform, python) for platform in PLATFORMS for python in PYTHONS]
    with ThreadPoolExecutor(4) as pool:
        cells = dict(zip(places, pool.map(lambda place: cell(*place), places), strict=True))
    rows = [f"| {platform} | {' | '.join(cells[platform, python] for python in PYTHONS)} |" for platform in PLATFORMS]
    return "\n".join([f"| system | {' | '.join(PYTHONS)} |", "|---" * (len(PYTHONS) + 1) + "|", *rows])


def main() -> None:
    """Write the table into docs/installing.md, and print it."""
    page = PAGE.read_text(encoding="utf-8")
    marked = re.compile(r"(<!-- platforms -->\n).*?(<!-- /platforms -->)", re.DOTALL)
    made = f"Asked on {date.today().isoformat()}.\n\n{table()}"
    PAGE.write_text(marked.sub(lambda match: f"{match[1]}\n{made}\n\n{match[2]}", page), encoding="utf-8")
    sys.stdout.write(made + "\n")


if __name__ == "__main__":
    main()
