"""Notes as people's disks hold them at their worst, and what every check of them must keep to."""

import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from tests.vault.making import check, make_files
from vaultkit.errors import Problem, VaultkitError

SECONDS = 90
"""Far more than anything here takes; what hangs takes minutes."""

LAUGHS = "a0: &a0 [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]\n" for n in range(1, 10)
)

UNREADABLE: dict[str, tuple[bytes, int, int]] = {
    "invalid UTF-8": ("ok\né".encode() + b"\xff\n", 2, 2),
    "invalid UTF-8 after lone CR": (b"a\rb\rc \xff\n", 3, 3),
    "Windows-1252": (b"# Log\r\nCaf\xe9\r\n", 2, 4),
    "UTF-16 with a mark": ("# Log\n".encode("utf-16"), 0, 0),
    "UTF-16 without a mark": ("# Log\n".encode("utf-16-be"), 0, 0),
    "UTF-32": ("# Log\n".encode("utf-32"), 0, 0),
    "only NUL": (b"\0" * 4096, 0, 0),
    "a picture": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", 0, 0),
    "half a character": ("Café über".encode() + b"\xc3", 1, 10),
}

FRONTMATTER: dict[str, str] = {
    "unclosed": "---\ntitle: x\n# Heading\n",
    "a bomb": f"---\n{LAUGHS}---\n",
    "a tab": "---\na:\n\t- b\n---\n",
    "unescaped quotes": '---\naliases: ["Laiba "Nana" Rosse"]\n---\n',
    "too long": f"---\n{'key: value ' * 30_000}\n---\n",
    "brackets without end": f"---\na: {'[' * 50_000}\n---\n",
    "braces without end": f"---\na: {'{a: ' * 40_000}\n---\n",
    "a list": "---\n- a\n- b\n---\n",
}

READ_ALL_THE_SAME: dict[str, str] = {
    "an empty note": "",
    "a byte order mark": "\ufeff---\naliases: [x]\n---\n# H\n",
    "CRLF": "---\r\na: b\r\n---\r\n# H\r\n[[N]]\r\n",
    "lone CR": "# H\rtext\r[[N]]\r",
    "keys that are no text": "---\n2: a\ntrue: b\nnull: c\n[x, y]: d\n1.5: e\n---\n",
    "line separators": "a\u2028b\u0085c\x0bd [[N]]\n",
    "text from right to left": "\u202eabc [[N]] \u200b\ufeff\n",
    "ten thousand headings": "".join(f"# Heading {n}\n\n" for n in range(10_000)) + "[[#Heading 9999]]\n" * 5,
    "ten thousand equal headings": "## Same\n" * 10_000 + "[[#Same]]\n",
    "a long line of words": "word " * 20_000,
    "five thousand quotes": f"{'>' * 5_000} a\n",
    "stairs of quotes": "".join(f"{'> ' * n}a\n" for n in range(300)),
    "stairs of lists": "".join(f"{'  ' * n}- a\n" for n in range(300)),
    "lists on one line": "- " * 5_000 + "a\n",
    "five thousand brackets": "[ " * 5_000 + "a" + " ]" * 5_000,
    "links in links": "[a" * 5_000 + "](N)" * 5_000,
    "emphasis in emphasis": "*a **b " * 10_000 + "*** " * 10_000,
    "tables of one row": "|a" * 5_000 + "|\n" + "|-" * 5_000 + "|\n",
    "comments without end": "%%" + "a %" * 30_000,
    "fences without end": "```\n" * 20_001,
    "a fence in a quote without end": "> ```statblock\n" + "> a: [[N]]\n" * 5_000,
    "tags without end": "<a href=" * 20_000,
    "block ids": "a ^b\n\n" * 10_000,
    "footnotes": "".join(f"[^{n}] " for n in range(3_000)) + "".join(f"\n\n[^{n}]: x" for n in range(3_000)),
}

LINES = (
    "[",
    "[[",
    "]",
    "*",
    "_",
    "> ",
    ">",
    "`",
    "`a",
    "$",
    "$a",
    "~",
    "%",
    "<",
    "<!--",
    "#",
    "|",
    "\\",
    "&",
    "^",
    "![[",
    "(",
)


@contextmanager
def unchanged(root: Path) -> Iterator[None]:
    """Nothing below `root` comes, goes or changes; and it does not take forever."""
    before, began = fingerprint(root), time.monotonic()
    yield
    assert time.monotonic() - began < SECONDS
    assert fingerprint(root) == before


def fingerprint(root: Path) -> dict[str, str]:
    files = sorted(path for path in root.rglob("*") if path.is_file() and not path.is_symlink())
    return {str(path): f"{path.stat().st_mtime_ns} {hashlib.sha256(path.read_bytes()).hexdigest()}" for path in files}


def problems(root: Path, files: dict[str, str | bytes]) -> list[Problem]:
    """The findings of the check of a vault with these files, a fresh one each time."""
    vault = make_files(root, files)
    with unchanged(root):
        found = list(check(vault).problems)
        for facts in vault.note_facts:
            with suppress(VaultkitError):
                read = vault.read(facts.path)
                _ = (read.headings, read.blocks, read.properties, read.aliases, read.title)
    assert all(problem.message and (problem.hint or problem.code.startswith("link-")) for problem in found)
    return found


def codes(found: list[Problem]) -> list[str]:
    return [problem.code for problem in found]


def run(root: Path, *arguments: str) -> "subprocess.CompletedProcess[str]":
    """The real program on a vault that it must not change, with caches and settings of its own."""
    home = {name: str(root.parent / "home") for name in ("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "LOCALAPPDATA")}
    command = [sys.executable, "-m", "vaultkit", *arguments, "--vault", str(root)]
    with unchanged(root):
        return subprocess.run(
            command,
            env=os.environ | home | {"PYTHONUTF8": "1"},
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
        )
