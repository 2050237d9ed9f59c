"""Where the files that vaultkit wrote are now, and what is in them; also those that somebody has moved since."""

from collections.abc import Callable, Iterable
from functools import cached_property

from vaultkit.vault.writing import atomic
from vaultkit.vault.writing.history.chains import Timeline
from vaultkit.vault.writing.history.moving import Step

Contents = Callable[[str], bytes | None]
"""The file at a vault path as it is now, None if there is none."""

Notes = Callable[[], Iterable[tuple[str, bytes]]]
"""Every note of the vault, by its vault path; asked for only if a file is not where it was."""


class Files:
    """The files of a vault as they are, and will be once what is planned is done.

    A note that was moved or renamed is followed, if among all `notes` exactly one is what vaultkit left, byte for byte.
    """

    def __init__(self, timeline: Timeline, contents: Contents, notes: Notes) -> None:
        self._timeline = timeline
        self._contents = contents
        self._notes = notes
        self._moved_to: dict[str, str] = {}
        self._states: dict[str, bytes | None] = {}

    def of(self, step: Step) -> tuple[str, bytes | None]:
        """The vault path and the content of a write's file: where it was, or where somebody has moved it unchanged."""
        path = self._moved_to.get(step.write.path, step.write.path)
        data = self._state(path)
        if (
            data is not None
            or path in self._moved_to.values()
            or not step.write.done
            or self._timeline.after(step, None)
        ):
            return path, data
        found = [at for at, digest in self._hashes if self._timeline.after(step, digest)]
        if len(found) != 1 or found[0] in self._states:
            return path, data
        self._moved_to[path] = found[0]
        return found[0], self._state(found[0])

    def will_be(self, path: str, data: bytes | None) -> None:
        """The file at a vault path will have this content, or be gone."""
        self._states[path] = data

    def _state(self, path: str) -> bytes | None:
        if path not in self._states:
            self._states[path] = self._contents(path)
        return self._states[path]

    @cached_property
    def _hashes(self) -> list[tuple[str, str]]:
        """Every note with its hash; an empty one is like any other empty one, and none that has been moved."""
        return [(path, atomic.sha256(data)) for path, data in self._notes() if data.strip()]
