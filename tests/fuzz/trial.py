"""One trial: a command reads one file in a small vault, within limits, and keeps the promises made for any file."""

import io
import json
import os
import shlex
import shutil
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from pathlib import Path
from typing import Any
from unittest.mock import patch

import typer

from tests.fuzz.round_trips import ROUND_TRIP_ERRORS, ROUND_TRIPS, BrokenPromise
from tests.fuzz.surfaces import BASE, Surface
from vaultkit.cli.app import app
from vaultkit.cli.error_handler import is_json_requested
from vaultkit.cli.output import MESSAGES
from vaultkit.cli.typed_words import read_typed_words
from vaultkit.errors import VaultkitError
from vaultkit.trust import trust_file

MAX_CPU_SECONDS = 8
MAX_MEMORY_GROWTH_BYTES = 600_000_000
DOUBLING_LIMIT = 3
MIN_GROWN_STEPS = 20_000
GROWTH_REPETITIONS = (64, 512)
ALLOWED_ERRORS = (VaultkitError, typer.TyperException, typer.Abort, typer.Exit, SystemExit)
_ENVIRONMENT = {"NO_COLOR": "1", "TERM": "dumb", "COLUMNS": "100", "SOURCE_DATE_EPOCH": "1793700000",
                "VAULTKIT_VAULT": "", "LC_ALL": "C.UTF-8"}  # fmt: skip
_HOMES = ("HOME", "LOCALAPPDATA", "APPDATA", *(f"XDG_{kind}_HOME" for kind in ("CACHE", "CONFIG", "DATA", "STATE")))
_WRITING_EVENTS = {"os.remove", "os.rename", "os.mkdir", "os.rmdir", "os.link", "os.symlink", "os.truncate", "os.chmod"}
_OUTSIDE_EVENTS = {"subprocess.Popen", "os.system", "os.exec", "os.posix_spawn", "socket.connect", "socket.bind"}


class _TooSlow(BaseException):
    """Raised by a timer; code that catches Exception lets it through."""


class Trials:
    """A folder in which vaults are made, each read by one command and removed again."""

    def __init__(self, folder: Path) -> None:
        self.root, self.home = folder.resolve() / "vault", folder.resolve() / "home"
        self._is_watching = False
        self._breach = ""
        self._environment = _ENVIRONMENT | dict.fromkeys(_HOMES, str(self.home))
        self._allowed = (f"{folder.resolve()}{os.sep}", "/dev/null")
        sys.addaudithook(self._watch)

    def run(self, surface: Surface, command: str, data: bytes) -> None:
        """Run a command on a file with these bytes. Raises whatever is a finding."""
        if round_trip := ROUND_TRIPS.get(command):
            with suppress(*ROUND_TRIP_ERRORS), _limited_time():
                round_trip(data)
            return
        self._prepare(surface, data)
        notes = self._read_notes()
        output, error = self._call(self._words(surface, command, data))
        if error is None and "--json" in command:
            json.loads(output)
        if unsafe := [character for character in output if not character.isprintable() and character not in "\n\r\t"
                      and (character < " " or character == "\x7f" or "\x80" <= character < "\xa0")]:  # fmt: skip
            raise BrokenPromise(f"a control character reaches the terminal: {unsafe[0]!r}")
        if "--write" in command and self._read_notes() != notes:
            _, undo_error = self._call(["undo", "--yes", "--vault", str(self.root)])
            if undo_error or self._read_notes() != notes:
                raise BrokenPromise(f"undo does not restore the notes: {undo_error}")
        elif self._read_notes() != notes and not command.startswith(("undo", "log --session", "resume")):
            raise BrokenPromise("a command that only reads has changed notes")

    def count_steps(self, surface: Surface, command: str, data: bytes) -> int:
        """Return how many functions a command calls."""
        steps = 0

        def count(_frame: object, event: str, _argument: object) -> None:
            nonlocal steps
            steps += event in {"call", "c_call"}

        if round_trip := ROUND_TRIPS.get(command):
            try:
                with suppress(*ROUND_TRIP_ERRORS), _limited_time():
                    sys.setprofile(count)
                    round_trip(data)
            finally:
                sys.setprofile(None)
            return steps
        self._prepare(surface, data)
        self._call(self._words(surface, command, data), lambda: sys.setprofile(count))
        return steps

    def check_growth(self, surface: Surface, command: str, repeat: Callable[[int], bytes]) -> None:
        """Raise BrokenPromise if eight times as many repetitions take steps as if each doubling took over three times.

        A single jump, as from one page to a second layout, is no growth.
        """
        base, few, many = (self.count_steps(surface, command, repeat(number)) for number in (1, *GROWTH_REPETITIONS))
        if many - base > DOUBLING_LIMIT**3 * max(few - base, MIN_GROWN_STEPS):
            numbers = ", ".join(map(str, (1, *GROWTH_REPETITIONS)))
            raise BrokenPromise(f"steps grow faster than the input: {base}, {few}, {many} for {numbers} repetitions")

    def _prepare(self, surface: Surface, data: bytes) -> None:
        for folder in (self.root, self.home):
            shutil.rmtree(folder, ignore_errors=True)
        files: dict[str, bytes | str] = {**BASE, **surface.extras}
        if surface.path:
            files[surface.path] = data
        for path, content in files.items():
            file = self.root / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content if isinstance(content, bytes) else content.encode())
        with patch.dict(os.environ, self._environment):
            trust_list = trust_file()
        trust_list.parent.mkdir(parents=True)
        trust_list.write_text(json.dumps([str(self.root)]), encoding="utf-8")

    def _words(self, surface: Surface, command: str, data: bytes) -> list[str]:
        text = data.decode("utf-8", "replace").replace("\0", "")
        words = [word.replace("{}", text) if not surface.path else word for word in shlex.split(command)]
        if words[0] == "print":
            words += ["--out", str(self.home / "out.pdf")]
        if "--write" in words and words[0] in {"log", "draw", "config", "reading"}:
            words.remove("--write")
        return words if "--vault" in words else [*words, "--vault", str(self.root)]

    def _call(self, words: list[str], start: Callable[[], object] = lambda: None) -> tuple[str, Exception | None]:
        """Return the output of a command and its error, if it is one of those that people may get."""
        output, error, here = io.TextIOWrapper(io.BytesIO(), "utf-8", "replace"), None, Path.cwd()
        old_words, sys.argv = sys.argv, ["vaultkit", *words]
        old_input, sys.stdin = sys.stdin, io.TextIOWrapper(io.BytesIO(b"1\n" * 50), "utf-8", "replace")
        MESSAGES.is_held = is_json_requested()
        os.chdir(self.root)
        try:
            streams = redirect_stdout(output), redirect_stderr(io.StringIO())
            with patch.dict(os.environ, self._environment), streams[0], streams[1], _limited_time():
                self._is_watching = True
                start()
                app(read_typed_words(words), prog_name="vaultkit", standalone_mode=False)
        except ALLOWED_ERRORS as known_error:
            error = known_error if isinstance(known_error, Exception) else None
        finally:
            sys.setprofile(None)
            self._is_watching = False
            MESSAGES.take()
            MESSAGES.is_held = False
            sys.argv, sys.stdin = old_words, old_input
            os.chdir(here)
        if self._breach:
            breach, self._breach = self._breach, ""
            raise BrokenPromise(breach)
        output.flush()
        return output.buffer.getvalue().decode(), error  # type: ignore[attr-defined]

    def _read_notes(self) -> dict[str, bytes]:
        files = (Path(folder) / name for folder, _, names in os.walk(self.root) for name in names)
        return {
            path: file.read_bytes()
            for file in files
            if not (path := str(file.relative_to(self.root))).startswith(".vaultkit/") or path.endswith("config.toml")
            if not path.endswith(".pdf")
        }

    def _watch(self, event: str, arguments: tuple[Any, ...]) -> None:
        """Record the first write outside the folder of the trials, and each use of programs or the network."""
        if not self._is_watching:
            return
        if event in _OUTSIDE_EVENTS and arguments[0] != sys.executable:
            self._breach = f"{event} {arguments[:1]}"
        elif event == "open" and isinstance(arguments[0], str):
            flags = arguments[2] or 0
            if flags & (os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC):
                self._judge(event, arguments[0])
        elif event in _WRITING_EVENTS:
            self._judge(event, *(path for path in arguments[:2] if isinstance(path, str)))

    def _judge(self, event: str, *paths: str) -> None:
        for path in paths:
            if os.path.isabs(path) and not f"{os.path.realpath(path)}{os.sep}".startswith(self._allowed):  # noqa: PTH117
                self._breach = f"{event} outside of the vault: {path}"


@contextmanager
def _limited_time() -> Iterator[None]:
    """Raise an error in what takes too much CPU time, where the system can."""
    if not hasattr(signal, "setitimer") or threading.current_thread() is not threading.main_thread():
        yield
        return

    def stop(_number: int, _frame: object) -> None:
        raise _TooSlow

    old_handler = signal.signal(signal.SIGVTALRM, stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, MAX_CPU_SECONDS)
    try:
        yield
    except _TooSlow as error:
        raise BrokenPromise(f"takes more than {MAX_CPU_SECONDS} seconds") from error
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, old_handler)


def limit_memory() -> None:
    """Let this process grow by so many bytes, where the system can limit that."""
    with suppress(ImportError, OSError):
        import resource

        size = int(Path("/proc/self/statm").read_text().split()[0]) * resource.getpagesize()
        limits = size + MAX_MEMORY_GROWTH_BYTES, resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, limits)
