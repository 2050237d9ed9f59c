"""The search for the note of a session that a person names, with suggestions of notes."""

import re
from contextlib import suppress
from datetime import date

from vaultkit.campaign.log_target.gm_sessions import gm_sessions
from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import MissingNote, NothingFound, UsageError
from vaultkit.text import name_sort_key, quote_word
from vaultkit.vault import Note
from vaultkit.vault.note_facts import name_of
from vaultkit.vault.queries import find_folder
from vaultkit.vault.resolve import key

_MAX_SUGGESTED_NOTE_COUNT = 8


def find_prep_note(workspace: Workspace, name: str) -> Note:
    """Return the note that `name` names, or else the only one whose file name has it as whole words.

    Raises UsageError with the session notes, newest first, for "" and for the name of a folder, and MissingNote.
    """
    vault = workspace.vault
    if not name.strip():
        sessions = [session.facts.path for session in gm_sessions(vault, workspace.settings)]
        raise UsageError("Which note?", hint=_suggest_notes(workspace, sessions or [*vault.note_paths]))
    try:
        return workspace.note(name)
    except MissingNote as error:
        with suppress(NothingFound):
            folder = find_folder(vault, name)
            paths = [path for path in vault.note_paths if path.startswith(f"{folder}/" if folder else "")]
            raise UsageError(f"'{name}' is a folder, and not a note.", hint=_suggest_notes(workspace, paths)) from error
        words = re.compile(rf"(?<!\w){re.escape(key(name.strip()))}(?!\w)")
        matches = [path for path in vault.note_paths if words.search(key(name_of(path)))]
        if len(matches) == 1:
            return vault.read(matches[0])
        if matches:
            error.hint = _suggest_notes(workspace, matches)
        raise


def _suggest_notes(workspace: Workspace, paths: list[str]) -> str:
    """Return a hint with commands that print notes; notes without a date come first, then the newest ones."""
    ranks = {session.facts.path: session.rank for session in gm_sessions(workspace.vault, workspace.settings)}

    def sort_key(path: str) -> tuple[object, ...]:
        day, number, _ = ranks.get(path, (date.min, -1, ""))
        is_undated_session = path in ranks and day == date.min and number < 0
        return is_undated_session, day, number, name_sort_key(path)

    has_sessions = any(path in ranks for path in paths)
    newest_first = sorted(paths, key=sort_key, reverse=True) if has_sessions else sorted(paths, key=name_sort_key)
    names = [name_of(path) for path in newest_first]
    commands = [
        f"vaultkit print prep {quote_word(path if names.count(name) > 1 else name)}"
        for path, name in zip(newest_first[:_MAX_SUGGESTED_NOTE_COUNT], names, strict=False)
    ]
    others = f" and {len(paths) - len(commands)} others" if len(paths) > len(commands) else ""
    title = "The newest first" if has_sessions else "Its notes"
    return f"{title}: {', '.join(commands)}{others}." if commands else "There is no note in it."
