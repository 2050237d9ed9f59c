"""`[[People/Ivo]]`, where the note now lies in another folder."""

import posixpath
from collections.abc import Iterator

from vaultkit.vault.checking.repairs.base import Names, Repair
from vaultkit.vault.checking.repairs.written import WrittenPath, written_path
from vaultkit.vault.note import Note
from vaultkit.vault.writing.splice import Splice


def moved(note: Note, names: Names) -> Iterator[Repair]:
    """The folder of the only file of that name, in the vault's style; the name stays as it is written.

    A heading that is missing there is no hindrance: it was looked for in the file that is meant.
    """
    for link in names.unresolved(note):
        if "/" not in link.path or "://" in link.path or _leaves_vault(link.path, note.path):
            continue
        path = written_path(note.text, link)
        elsewhere = set(names.files.named(link.path))
        if path is None or len(elsewhere) != 1:
            continue
        target = elsewhere.pop()
        written = _elsewhere(path, names.address(target, note.path, markdown=path.encoded))
        if names.leads_to(path.reads(written), note.path) == target:
            message = f"'{path.text}' now is '{target}'."
            yield Repair(
                "link-unresolved", link.line, link.column, message, Splice(path.start, path.text, written), target
            )


def _leaves_vault(path: str, source: str) -> bool:
    """Whether a path climbs above the vault, so that something outside of it is meant."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(source), path)).startswith("..")


def _elsewhere(path: WrittenPath, address: str | None) -> str:
    folder, slash, _ = (address or path.text).rpartition("/")
    return folder + slash + path.text.rpartition("/")[2]
