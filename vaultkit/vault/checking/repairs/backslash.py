"""`[[items\\crown]]`: a path divided as on Windows, which Obsidian follows nowhere (F4)."""

import re
from collections.abc import Iterator

from vaultkit.vault.checking.repairs.base import Names, Repair
from vaultkit.vault.checking.repairs.written import written_path
from vaultkit.vault.note import Note
from vaultkit.vault.writing.splice import Splice


def backslash(note: Note, names: Names) -> Iterator[Repair]:
    """`/` for `\\`, where the path then leads to one file."""
    for link in names.unresolved(note):
        path = written_path(note.text, link)
        if path is None:
            continue
        slashed = re.sub(r"(?:\\|%5[Cc])+" if path.encoded else r"\\+", "/", path.text)
        target = names.leads_to(path.reads(slashed), note.path) if slashed != path.text else None
        if target is not None:
            message = f"'{path.text}' is '{slashed}': in links, folders are divided by '/'."
            splice = Splice(path.start, path.text, slashed)
            yield Repair("link-unresolved", link.line, link.column, message, splice, target)
