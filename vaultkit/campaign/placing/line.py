"""The line under the heading of its note: planned once, and found again wherever it stands by now."""

from collections.abc import Iterator

from vaultkit.campaign.placing.target import Target
from vaultkit.errors import InvalidError
from vaultkit.vault import Note, Vault, subpath
from vaultkit.vault.writing.splice import Splice, insert_under
from vaultkit.vault.writing.write import Writer


def find_line(vault: Vault, block: str, target: Target) -> str:
    """The vault path of the note that has the block already, "" if none has; the target comes first."""
    if not target.is_new and target.path and block in vault.read(target.path).blocks:
        return target.path
    wanted = block.encode()  # looked for in the encoded ids before any of them is decoded
    for facts in vault.note_facts:
        if wanted in bytes(facts.encoded_anchors) and block in facts.anchors.blocks:
            return facts.path
    return ""


def plan_line(writer: Writer, target: Target, heading: str, line: str, block: str) -> None:
    """Have `writer` put the line into the target, which is made if need be, unless it has the block by then.

    Where Obsidian makes the daily note in that very moment, the line goes into that. Raises InvalidError or WriteError
    if it cannot be; nothing is written.
    """
    check_heading(heading, "campaign.heading", "Log")

    def plan(note: Note) -> Splice | None:
        return None if block in note.blocks else insert_under(note, heading, line)

    if target.text is None:
        writer.change(target.path, plan)
    else:
        writer.create(target.path, _made(target, heading, line), otherwise=plan)
    writer.check(target.path)


def remarks(kind: str, there: str | None, target: Target, line_at: str, vault: Vault) -> Iterator[str]:
    """What the GM should know of a game, reading or draw: `there` is its note, `line_at` where its line was before."""
    if there:
        yield f"This {kind} has its note already: {there}"
    if line_at:
        yield f"Its line is in {line_at} already."
    elif not target.path and not target.why:
        yield (
            f"No campaign note is set, so only the {kind}'s own note is written. "
            "Set campaign.note or campaign.log-to, or give --campaign."
        )
    else:
        yield from target.remarks
    shown = line_at or target.path
    if shown and (line_at or not target.is_new) and vault.read(shown).problems:
        yield f"The properties of {shown} cannot be read; they are left as they are. See: vaultkit check"


def _made(target: Target, heading: str, line: str) -> str:
    """The whole text of a note that is made, with the line in it."""
    note = Note(target.path, (target.text or "").encode("utf-8"))
    splice: Splice = insert_under(note, heading, line)
    text = splice.apply(note.text)
    return text if text.endswith("\n") else f"{text}{note.encoded.newline}"


def check_heading(heading: str, key: str, example: str) -> None:
    """Raises InvalidError where the heading that the settings name by `key` could never be found in a note."""
    if not subpath.comparable(heading):
        raise InvalidError(
            f"'{heading}' cannot be found as a heading: it has no letter and no number.",
            where=key,
            hint=f"Set {key} to the text of a heading, such as {example}.",
        )
