"""The calls of Windows that vaultkit makes, played on any system, with the errors that Windows gives.

A file that another program holds can be neither read, renamed nor replaced. What `ReplaceFileW` leaves after each error
is as Microsoft describes it for a call with a backup name.
"""

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from vaultkit import file_errors, files
from vaultkit.file_errors import windows_error
from vaultkit.vault.writing import atomic_swap

MOVED_AWAY = 1177
ALREADY_EXISTS = 183
_open, _read, _rename, _replace, _unlink = os.open, os.read, os.rename, os.replace, os.unlink


class Windows:
    """Files that other programs hold for some attempts, or files that are only in the cloud."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.waits: list[float] = []
        self.opened: list[str] = []
        self._held: dict[str, tuple[int, int]] = {}
        self._unreadable: set[str] = set()
        self._cloud_inodes: set[int] = set()
        self._offline_descriptors: set[int] = set()
        monkeypatch.setattr(file_errors, "ON_WINDOWS", True)
        monkeypatch.setattr(file_errors, "_forgotten_at", [0.0])
        monkeypatch.setattr(file_errors.time, "sleep", self.waits.append)
        monkeypatch.setattr(files, "_HAS_CLOUD_FILES", True)
        monkeypatch.setattr(files, "is_cloud_only", lambda status: status.st_ino in self._cloud_inodes)
        monkeypatch.setattr(atomic_swap, "_load_replace_call", lambda: self.replace_file)
        monkeypatch.setattr(os, "open", self.open)
        monkeypatch.setattr(os, "read", self.read)
        monkeypatch.setattr(os, "rename", self.rename)
        monkeypatch.setattr(os, "replace", self._guarded(_replace))
        monkeypatch.setattr(os, "unlink", self._guarded(_unlink))

    def hold(self, file: Path, code: int, attempts: int = 10**9, *, alone: bool = False) -> None:
        """Let so many calls for a file fail with an error of Windows; with `alone` it cannot be read either."""
        self._held[file.name] = code, attempts
        if alone:
            self._unreadable.add(file.name)

    def release(self) -> None:
        """Let the other programs close all files."""
        self._held.clear()

    def move_to_cloud(self, *kept: Path) -> None:
        """Make these files online-only, as OneDrive does with `Free up space`: reading them would download them."""
        self._cloud_inodes |= {file.stat().st_ino for file in kept}

    def replace_file(self, target: str, new_file: str, old_file: str) -> int:
        """Do what ReplaceFileW does, and return 0 or the number of an error."""
        code = self._failure(target)
        if code == MOVED_AWAY:
            _rename(target, old_file)
        elif not code:
            _rename(target, old_file)
            _rename(new_file, target)
        return code

    def open(self, path: Any, flags: int, mode: int = 0o777, **rest: Any) -> int:
        """Open a file as `os.open` does on Windows, where its errors have no number of Windows."""
        if Path(os.fsdecode(path)).name in self._unreadable and self._failure(path):
            raise PermissionError(errno.EACCES, "Permission denied", os.fspath(path))
        if len(os.fspath(path)) > file_errors._MAX_PATH_CHARS:
            raise FileNotFoundError(errno.ENOENT, "No such file or directory", os.fspath(path))
        descriptor = _open(path, flags, mode, **rest)
        self.opened.append(os.fspath(path))
        if os.fstat(descriptor).st_ino in self._cloud_inodes:
            self._offline_descriptors.add(descriptor)
        return descriptor

    def read(self, descriptor: int, count: int) -> bytes:
        """Read from a file; one in the cloud cannot be fetched, which Python tells as an invalid argument."""
        if descriptor in self._offline_descriptors:
            raise OSError(errno.EINVAL, "Invalid argument")
        return _read(descriptor, count)

    def rename(self, source: Any, target: Any, **rest: Any) -> None:
        """Rename a file to a name that none has yet."""
        if os.path.lexists(target):
            error = FileExistsError(errno.EEXIST, "File exists", os.fspath(source))
            error.winerror = ALREADY_EXISTS  # type: ignore[attr-defined, unused-ignore]
            raise error
        self._guarded(_rename)(source, target, **rest)

    def _guarded(self, call: Callable[..., None]) -> Callable[..., None]:
        def guarded(*arguments: Any, **rest: Any) -> None:
            for path in arguments:
                if code := self._failure(path):
                    raise windows_error(32 if code > 1000 else code, os.fspath(path))
            call(*arguments, **rest)

        return guarded

    def _failure(self, path: Any) -> int:
        name = Path(os.fsdecode(path)).name
        code, attempts = self._held.get(name, (0, 0))
        if attempts <= 0:
            return 0
        self._held[name] = code, attempts - 1
        return code
