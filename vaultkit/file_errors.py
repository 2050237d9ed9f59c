"""Errors of the file system in plain words, with what to do, and more attempts at a file that is in use.

On Windows a file that another program holds can be neither read nor replaced for a moment: a virus scanner, Obsidian,
or the program of a cloud. Windows says so by many numbers, of which Python knows few.
"""

import errno
import sys
import time
from collections.abc import Callable
from typing import TypeVar

Result = TypeVar("Result")

ON_WINDOWS = sys.platform == "win32"
"""Whether the system is Windows: only there can an open file be the cause of a PermissionError."""
_IN_USE_CODES = {32, 33, 1175, 1176, 1177, 1224}
"""The errors of Windows for a file that another program holds, or has mapped into its memory."""
_ACCESS_DENIED_CODE = 5
"""The error for a lack of rights, which a virus scanner may cause, too."""
_LONG_PATH_CODE, _MISSING_CODES = 206, (2, 3)
"""The error for a path that is too long, and those that come in its place from most calls."""
_INVALID_NAME_CODE = 123
"""The error for a name that Windows does not allow, or for one with a sign such as `*`, which its shells leave in."""
_CLOUD_CODES = range(358, 405)
"""The errors of Windows for files that a program such as OneDrive provides: it is offline, not running, or refuses."""
_MAX_PATH_CHARS = 259
_CLOSE_IT = "Close it in other programs, such as Obsidian"
_DRIVE_ERRNOS = (errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.EINVAL)
_MAX_LOST_SECONDS, _PAUSE_FACTOR = 10.0, 6
"""How long attempts that fail in the end may take together, as in a folder that must not be read at all.

A lost second counts until `_PAUSE_FACTOR` seconds have passed, so that a game of hours can wait again.
"""
_forgotten_at = [0.0]
"""The moment from which no lost second counts, by the clock `time.monotonic`."""


def windows_error(code: int, path: str) -> OSError:
    """Return the error that a call of Windows ended with; one about rights or use is a PermissionError."""
    is_refusal = code in _IN_USE_CODES or code == _ACCESS_DENIED_CODE
    error = OSError(errno.EACCES if is_refusal else errno.EINVAL, f"error {code} of Windows", path)
    error.winerror = code  # type: ignore[attr-defined, unused-ignore]
    return error


def windows_code(error: Exception) -> int:
    """Return the number that Windows gave to an error; 0 for errors without one."""
    return getattr(error, "winerror", None) or 0


def is_in_use(error: OSError) -> bool:
    """Return whether another program may hold the file, so that a later attempt may succeed."""
    code = windows_code(error)
    return code in _IN_USE_CODES or (isinstance(error, PermissionError) and code in (0, _ACCESS_DENIED_CODE))


def reason_for(error: Exception) -> str:
    """Return why an action failed, as the end of a sentence."""
    if words := _windows_words(error):
        return words[0]
    return getattr(error, "strerror", None) or str(error) or type(error).__name__


def hint_for(error: Exception) -> str:
    """Return what to do about an error of a file or a drive; "" if there is nothing to say."""
    if (hint := getattr(error, "hint", None)) is not None:  # a refusal of our own
        return str(hint)
    if words := _windows_words(error):
        return words[1]
    if isinstance(error, NotImplementedError) or getattr(error, "errno", None) in _DRIVE_ERRNOS:
        return "Is it a network drive? Not each of them can lock files and confirm writes; a disk of this computer can."
    return ""


def _windows_words(error: Exception) -> tuple[str, str] | None:
    """Return the reason and the hint for an error of Windows; None for errors that Python tells plainly."""
    code = windows_code(error)
    if code in _IN_USE_CODES:
        return "another program holds it", f"{_CLOSE_IT}, or wait until a virus scanner is done, then try again."
    if code == _ACCESS_DENIED_CODE or (ON_WINDOWS and isinstance(error, PermissionError)):
        hint = f"{_CLOSE_IT}, or allow Python in Windows Security, Controlled folder access."
        return "Windows does not allow it", hint
    if code in _CLOUD_CODES:
        reason = "the program of its cloud, such as OneDrive, is offline or refuses"
        return reason, "Start that program and go online, or keep the vault on this device; then try again."
    if code == _INVALID_NAME_CODE:
        return "Windows does not allow its name", 'Write the whole name, without the characters < > : " | ? *'
    if _is_path_too_long(error):
        hint = f"Windows takes {_MAX_PATH_CHARS} letters: move the vault, as to C:\\Vault, or shorten names."
        return "its path is too long", hint
    return None


def _is_path_too_long(error: Exception) -> bool:
    code, path = windows_code(error), getattr(error, "filename", None)
    is_missing = code in _MISSING_CODES or (ON_WINDOWS and isinstance(error, FileNotFoundError))
    return code == _LONG_PATH_CODE or (is_missing and isinstance(path, str) and len(path) > _MAX_PATH_CHARS)


def retry_if_in_use(action: Callable[[], Result], pause_seconds: float, attempts: int = 6) -> Result:
    """Return the result of `action`; on Windows repeat it while another program may hold the file.

    The first wait is `pause_seconds`, and each further one twice as long. Raises the OSError of the last attempt, and
    any other error at once.
    """
    waited = 0.0
    may_wait = ON_WINDOWS and _forgotten_at[0] - time.monotonic() < _PAUSE_FACTOR * _MAX_LOST_SECONDS
    for attempt in range(attempts - 1 if may_wait else 0):
        try:
            return action()
        except OSError as error:
            if not is_in_use(error):
                raise
        time.sleep(pause_seconds * 2**attempt)
        waited += pause_seconds * 2**attempt
    try:
        return action()
    except OSError:
        _forgotten_at[0] = max(_forgotten_at[0], time.monotonic()) + _PAUSE_FACTOR * waited
        raise
