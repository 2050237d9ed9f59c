"""Commands run in this process on copies of vaults, and what they said and wrote as a text that can be compared."""

import contextlib
import difflib
import io
import json
import os
import re
import secrets
import shlex
import shutil
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any
from unittest.mock import patch

from vaultkit import __version__
from vaultkit.vault import walk

EPOCH = 1793736000
"""2026-11-03 20:00 UTC"""
MAX_LINES, HEAD_LINES = 80, 25
MAX_CHARACTERS = 6_000
MAX_WIDTH = 160
MAX_BEGINNING = 300
PRIVATE = tuple(f".vaultkit/{name}" for name in ("journals", "history", "lock", ".gitignore"))
"""Files of a vault whose bytes may change."""
VERSION = f"vaultkit {__version__}"
WHOLE = "VAULTKIT_WHOLE_RECORDINGS"


def shortened(text: str) -> str:
    """The text, or its beginning and a digest of all of it."""
    lines = text.splitlines()
    if (len(lines) <= MAX_LINES and len(text) <= MAX_CHARACTERS) or os.environ.get(WHOLE):
        return text
    head = "\n".join(line[:200] for line in lines[:HEAD_LINES])[:MAX_CHARACTERS]
    return f"{head}\n[... {len(lines)} lines, sha256 {digest(text)}]"


def beginning(line: str) -> str:
    """The beginning of a long line."""
    return line if os.environ.get(WHOLE) else line[:MAX_BEGINNING]


def told(out: str) -> str:
    """A JSON document with as much on a line as it holds; any other text as it is."""
    try:
        return "\n".join(_told(json.loads(out)))
    except ValueError:
        return out.rstrip("\n")


def _told(value: Any, indent: str = "") -> Iterator[str]:
    whole = json.dumps(value, ensure_ascii=False)
    if len(indent) + len(whole) <= MAX_WIDTH or not isinstance(value, dict | list):
        yield f"{indent}{whole}"
    elif isinstance(value, list):
        for one in value:
            yield from _told(one, f"{indent}- ")
            indent = " " * len(indent)
    else:
        for key, one in value.items():
            first, *more = _told(one)
            yield f"{indent}{key}: {first}" if not more else f"{indent}{key}:"
            indent = " " * len(indent)
            yield from (f"{indent}  {line}" for line in (first, *more) if more)


def digest(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:16]


@contextlib.contextmanager
def quiet_machine() -> Iterator[Path]:
    """A folder, with no settings, caches, colours, clock or luck of this machine."""
    folders = ("CACHE", "CONFIG", "DATA", "STATE")
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=True) as name, patch.dict(os.environ):
        folder = Path(name).resolve()
        for variable in ("HOME", "LOCALAPPDATA", "APPDATA", *(f"XDG_{kind}_HOME" for kind in folders)):
            os.environ[variable] = str(folder / "home")
        for variable in ("VAULTKIT_VAULT", "VAULTKIT_NO_CACHE", "FORCE_COLOR", "LINES"):
            os.environ.pop(variable, None)
        os.environ |= {"NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "100", "SOURCE_DATE_EPOCH": str(EPOCH), "TZ": "UTC"}
        os.environ["LC_ALL"] = "C.UTF-8"
        _set_zone()
        try:
            # Ids of sessions without a seed are drawn by `secrets`. Files that were just copied are not read again.
            with patch.object(secrets, "randbelow", lambda limit: 7 % limit), patch.object(walk, "DOUBT_NS", -(10**15)):
                yield folder
        finally:
            os.chdir(Path(__file__).parent)  # Windows deletes no folder in which a process is
            os.environ.pop("TZ")
            _set_zone()


def _set_zone() -> None:
    if hasattr(time, "tzset"):
        time.tzset()


class Recording:
    """A copy of a vault, and the text of what was done in it."""

    def __init__(self, folder: Path, vault: Path) -> None:
        self.folder = folder
        self.root = Path(shutil.copytree(vault, folder / "vault"))
        self._parts: list[str] = []
        self._before = self._earlier = self._files()

    @property
    def text(self) -> str:
        return "\n".join(self._parts) + "\n"

    def add(self, *lines: str) -> None:
        self._parts += lines

    def script(self, lines: Sequence[str]) -> str:
        path = self.folder / "script.txt"
        path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
        return str(path)

    def run(self, *words: str, at: int = EPOCH, last: int = MAX_LINES) -> str:
        """Run a command and keep what it says: the exit code if it is not 0, stdout, and the `last` lines of stderr."""
        code, out, err = self.call(*words, at=at)
        said = "\n".join(f"! {line}".rstrip() for line in err.splitlines()[-last:])
        shown = [shlex.join(map(self.plain, words)), *([f"[exit {code}]"] if code else [])]
        self.add("$ vaultkit " + "\n".join(shown), *filter(None, (shortened(told(out)), shortened(said))), "")
        return out

    def call(self, *words: str, at: int = EPOCH) -> tuple[int, str, str]:
        """Run a command: the exit code, stdout and stderr, with stand-ins for folders of this machine."""
        from vaultkit.cli import error_handler

        out, err = io.StringIO(), io.StringIO()
        os.chdir(self.root)
        with (
            patch.dict(os.environ, {"SOURCE_DATE_EPOCH": str(at)}),
            patch.object(sys, "argv", ["vaultkit", *words]),
            patch.object(sys, "stdin", io.StringIO()),
            contextlib.redirect_stdout(out),
            contextlib.redirect_stderr(err),
        ):
            code = int(error_handler.run())
        return code, self.plain(out.getvalue()), self.plain(err.getvalue())

    def plain(self, text: str) -> str:
        text = re.sub(r"(?s)^vaultkit [\d.]+, Python .*?\n(?=!!|ok|- )", "VERSIONS\n", text)
        text = re.sub(r'(?s)(?<="versions": )\{.*?\}', "{}", text)
        text = re.sub(r'(?<="games_per_second": )[\d.]+', "0", text.replace(VERSION, "vaultkit VERSION"))
        for folder, name in ((self.root, "VAULT"), (self.folder, "FOLDER")):
            path = str(folder)
            for spelling in (path, path.replace("\\", "\\\\"), folder.as_posix()):
                text = text.replace(spelling, name)
        if os.sep == "\\":
            text = re.sub(r"(?:VAULT|FOLDER)[^\s\"']*", lambda found: re.sub(r"\\+", "/", found[0]), text)
        return text

    def changes(self) -> bool:
        """Keep what has changed in notes and other files since the beginning or the last call; whether anything has."""
        after = self._files()
        for path in sorted(self._before | after):
            old, new = self._before.get(path), after.get(path)
            if old != new:
                self.add(*_difference(path, old, new))
        changed = after != self._before
        self._earlier, self._before = self._before, after
        return changed

    def settle(self) -> None:
        """Take the vault as it is for the beginning, and forget what was said so far."""
        self._parts, self._before = [], self._files()

    def undo(self, *, at: int = EPOCH) -> None:
        """Undo the last write, and keep whether all is as it was before what was last kept."""
        before = self._earlier
        self.run("undo", "--json", at=at)
        if self._files() == before:
            self.add("All is as it was before.", "")
            self._before = before
        else:
            self.changes()

    def _files(self) -> dict[str, bytes]:
        files = ((path.relative_to(self.root).as_posix(), path) for path in self.root.rglob("*") if path.is_file())
        return {name: path.read_bytes() for name, path in files if not name.startswith(PRIVATE)}


def _difference(path: str, old: bytes | None, new: bytes | None) -> list[str]:
    if new is None:
        return [f"=== {path}: deleted", ""]
    try:
        before, after = ((data or b"").decode("utf-8").replace(VERSION, "vaultkit VERSION") for data in (old, new))
    except UnicodeDecodeError:
        return [f"=== {path}: {'new' if old is None else 'changed'}, and no text", ""]
    if old is None:
        return [f"=== {path}: new", shortened(after.rstrip("\n")), ""]
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
    return [f"=== {path}: changed", shortened("\n".join(list(lines)[2:])), ""]
