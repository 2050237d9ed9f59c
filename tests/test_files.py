"""The gate: plain files and nothing else, each no larger than its kind ever needs."""

import ast
import os
import sys
import threading
import time
from collections.abc import Iterator
from io import BytesIO, TextIOWrapper
from pathlib import Path

import pytest

from vaultkit import files, stdio
from vaultkit.budget import MB, Limit

SOURCE = Path(files.__file__).parent
OPENERS = {"open", "read_bytes", "read_text", "write_bytes", "write_text"}
DECODERS = {"Image", "Pdf", "Screen", "files", "pikepdf", "resources"}
"""What has an `open` or `read_text` of its own: ours, and decoders, which get bytes."""
OTHERWISE = {
    "stdio.py": "pipes and devices that the command line names",
    "cli/error_handler.py": "the null device, in place of a stream that was closed",
    "web/startup.py": "a window of the browser, by the library's word for it",
    "sheets/filled_sheets/page_drawing.py": "a stream within a PDF that is open",
    "sheets/filled_sheets/pdf_opening.py": "streams within a PDF that is open",
    "package_conflicts.py": "the lists of files of other programs; nothing of ours may be imported there",
}

pipes = pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")

_MEGABYTE, _TEN_BYTES = Limit("This file has", MB, "bytes", ""), Limit("This file has", 10, "bytes", "")


@pytest.mark.slow
def test_files_are_opened_only_in_one_module() -> None:
    found = {path.relative_to(SOURCE).as_posix() for path in SOURCE.rglob("*.py") if any(_openings(path))}
    assert found - {"files.py"} == {*OTHERWISE}


def _openings(path: Path) -> Iterator[ast.Call]:
    for call in ast.walk(ast.parse(path.read_bytes())):
        if not isinstance(call, ast.Call):
            continue
        by_name = isinstance(call.func, ast.Name) and call.func.id == "open"
        owner = call.func.value if isinstance(call.func, ast.Attribute) else None
        foreign = not (isinstance(owner, ast.Name) and owner.id in DECODERS)
        if by_name or (isinstance(call.func, ast.Attribute) and call.func.attr in OPENERS and foreign):
            yield call


def test_plain_file_is_read_whole_up_to_its_limit(tmp_path: Path) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"x" * MB)
    assert files.read(file, _MEGABYTE) == b"x" * MB
    file.write_bytes(b"x" * (MB + 1))
    with pytest.raises(files.TooLarge, match="more than 1 MB"):
        files.read(file, _MEGABYTE)


def test_a_file_that_grows_while_it_is_read_is_read_to_its_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "a"
    file.write_bytes(b"x" * 200_000)
    monkeypatch.setattr(files, "_plain_file_size", lambda *_: 7)
    assert files.read(file) == b"x" * 200_000
    with pytest.raises(files.TooLarge):
        files.read(file, Limit("This file has", 100_000, "bytes", ""))


@pipes
@pytest.mark.parametrize("links", [False, True])
def test_a_pipe_and_a_device_are_refused_at_once(tmp_path: Path, links: bool) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(files.FileRefused, match="a pipe, not a file"):
        files.read(tmp_path / "pipe", allow_links=links)
    (tmp_path / "zero").symlink_to("/dev/zero")
    with pytest.raises(files.FileRefused, match="a device, not a file" if links else "it is a link"):
        files.read(tmp_path / "zero", allow_links=links)
    with pytest.raises(IsADirectoryError):
        files.read(tmp_path, allow_links=links)


def test_symbolic_links_in_our_own_folder_are_not_followed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own, away = tmp_path / "vault/.vaultkit", tmp_path / "away"
    for folder in (own, away):
        folder.mkdir(parents=True)
        (folder / "entry.json").write_text("{}")
    try:
        (own / "linked").symlink_to(away)
        (own / "a.jsonl").symlink_to(away / "entry.json")
    except OSError:
        pytest.skip("no symbolic links here")
    assert files.read_state(own / "entry.json") == b"{}"
    with monkeypatch.context() as without:  # as on Windows
        without.setattr(files, "_NO_FOLLOW", 0)
        without.setattr(files, "_OPEN_FLAGS", 0)
        for way in (lambda: files.open_plain(own / "a.jsonl", "r+b"), lambda: files.read(own / "a.jsonl")):
            with pytest.raises(files.FileRefused, match="a link"):
                way()
    for name in ("linked/entry.json", "linked/new", "a.jsonl"):
        with pytest.raises(files.FileRefused, match="a link"):
            files.read_state(own / name)
        with pytest.raises(files.FileRefused, match="a link"):
            files.open_state(own / name, "wb")
    assert (away / "entry.json").read_text() == "{}" and len(list(away.iterdir())) == 1


def test_append_only_file_has_any_size_but_no_line_over_1_mb(tmp_path: Path) -> None:
    file = tmp_path / "a.jsonl"
    file.write_bytes(b"x" * (MB - 1) + b"\nshort\n")
    assert [len(line) for line in files.read_lines(file)] == [MB, 6]
    file.write_bytes(b"x" * MB + b"\n")
    with pytest.raises(files.TooLarge, match="more than 1 MB"):
        list(files.read_lines(file))


def test_stdin_is_read_up_to_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(b"x" * 11)))
    with pytest.raises(files.TooLarge):
        stdio.read_input("-", _TEN_BYTES)
    monkeypatch.setattr(sys, "stdin", TextIOWrapper(BytesIO(b"x" * 10)))
    assert stdio.read_input(Path("-"), _TEN_BYTES) == b"x" * 10


@pipes
def test_named_file_may_be_a_pipe_or_a_link_but_must_end(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "a").write_bytes(b"x")
    (tmp_path / "link").symlink_to("a")
    assert stdio.read_input(tmp_path / "link", _TEN_BYTES) == b"x"
    with pytest.raises(files.TooLarge):
        stdio.read_input("/dev/zero", _MEGABYTE)
    os.mkfifo(pipe := tmp_path / "pipe")
    threading.Thread(target=pipe.write_bytes, args=(b"y",)).start()
    assert stdio.read_input(pipe, _TEN_BYTES) == b"y"
    monkeypatch.setattr(stdio, "PIPE_TIMEOUT_SECONDS", 0.05)
    began = time.monotonic()
    with pytest.raises(files.FileRefused, match="nothing more came"):
        stdio.read_input(pipe, _TEN_BYTES)
    assert time.monotonic() - began < 5
