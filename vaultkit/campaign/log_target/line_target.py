"""The note that gets the log line of a game or a reading: a named note, the newest session note or the daily note."""

from dataclasses import dataclass, field
from datetime import datetime

from vaultkit.campaign.log_target.gm_sessions import find_newest_session, unreadable_session_remarks
from vaultkit.campaign.setup_proposals import DEFAULT_LOG_NOTE, likely_log_note
from vaultkit.errors import InvalidError, MissingNote, NothingFound
from vaultkit.settings import Settings
from vaultkit.spelling import did_you_mean, find_nearest
from vaultkit.vault import Vault
from vaultkit.vault.daily_notes import read_daily_notes_settings
from vaultkit.vault.obsidian import template_folders
from vaultkit.vault.resolve import key

NOTE, NEWEST, DAILY, NONE = "note", "newest-session", "daily-note", "none"
LOG_TO_VALUES = (NOTE, NEWEST, DAILY)
"""The values of `campaign.log-to`."""
TARGET_WORDS = (NEWEST, DAILY, NONE)
"""The values of `--campaign` besides a note."""


@dataclass(frozen=True, slots=True)
class LogTarget:
    """The note for the log line: `path` is its vault path, "" for none.

    `chosen_by` names the flag or setting that chose it, "" if nobody did. `text` is the text to create the note with,
    None if it exists. `remarks` are sentences about creating or choosing it.
    """

    path: str
    chosen_by: str = ""
    text: str | None = field(default=None, repr=False)
    remarks: tuple[str, ...] = ()

    @property
    def is_new(self) -> bool:
        """Whether the note has to be created."""
        return self.text is not None


def settle_target(vault: Vault, settings: Settings, campaign: str | None, when: datetime) -> LogTarget:
    """Return the target for a game or a reading at `when`.

    `campaign` is a note, or one of TARGET_WORDS unless a note has that name; None for the settings, "" for none. Raises
    InvalidError if the target is not clear.
    """
    if campaign is not None:
        word = campaign.strip().lower()
        if word in TARGET_WORDS and vault.lookup(campaign) is None:
            return _find_by_word(word, vault, settings, when, "--campaign")
        return _find_by_name(vault, campaign, "--campaign")
    word = settings.campaign.log_to.strip().lower()
    if word not in LOG_TO_VALUES:
        value, choices = settings.campaign.log_to, f"Accepted: {', '.join(LOG_TO_VALUES)}."
        hint = did_you_mean(value.strip(), LOG_TO_VALUES, suffix=choices)
        raise InvalidError(f"'{value}' does not say which note gets the log.", where="campaign.log-to", hint=hint)
    if word == NOTE:
        return _find_by_name(vault, settings.campaign.note, "campaign.note")
    return _find_by_word(word, vault, settings, when, "campaign.log-to")


def campaign_note_hint(vault: Vault) -> str:
    """Return a hint on how to set the campaign note, which suggests a note of the vault with a similar name."""
    note = likely_log_note(vault)
    guess = f"Is it '{note}'? " if note else ""
    return f'{guess}Set it with: vaultkit config set campaign.note "{note or DEFAULT_LOG_NOTE}". Or give --campaign.'


def _find_by_word(word: str, vault: Vault, settings: Settings, when: datetime, setting: str) -> LogTarget:
    if word == NONE:
        return LogTarget("", f"{setting} {NONE}")
    if word == NEWEST:
        return _newest_session_target(vault, settings, when, setting)
    return _daily_target(vault, when, setting)


def _newest_session_target(vault: Vault, settings: Settings, when: datetime, setting: str) -> LogTarget:
    session = find_newest_session(vault, settings, when.date())
    path = session.facts.path
    _ = vault.read(path).text  # raises InvalidError if it is not UTF-8
    session_label = f"of {session.day}" if session.day else f"number {session.number:g}"
    remarks = tuple(unreadable_session_remarks(vault, settings, session, when.date()))
    return LogTarget(path, f"{setting} {NEWEST}: {session_label}", remarks=remarks)


def _daily_target(vault: Vault, when: datetime, setting: str) -> LogTarget:
    daily = read_daily_notes_settings(vault)
    path = daily.path(when, vault)
    chosen_by = f"{setting} {DAILY}"
    if path in vault.files:
        _ = vault.read(path).text
        return LogTarget(path, chosen_by)
    text, remarks = daily.text(path, when, vault)
    return LogTarget(path, chosen_by, text, remarks)


def _find_by_name(vault: Vault, name: str, setting: str) -> LogTarget:
    """Return the target with the name or path `name`; `setting` is the flag or setting that names it.

    Raises InvalidError if there is no such note, or if it is a template.
    """
    if not name.strip():
        return LogTarget("")
    hint = "Make that note, or name another one: --campaign NOTE, or always: vaultkit config set campaign.note NOTE."
    try:
        note = vault.find_to_write(name)
    except MissingNote as error:
        word = find_nearest(name.strip().lower(), TARGET_WORDS, min_score=85)
        guess = f"Did you mean {word}?" if word else error.guess
        message = f"There is no campaign note '{name}'."
        raise NothingFound(message, where=str(vault.root), hint=f"{guess} {hint}".strip()) from error
    _refuse_template(vault, note.path, setting)
    _ = note.text  # raises InvalidError if it is not UTF-8
    return LogTarget(note.path, setting)


def _refuse_template(vault: Vault, path: str, setting: str) -> None:
    folders = tuple(key(f"{folder}/") for folder in template_folders(vault.root))
    if key(path).startswith(folders) or path == read_daily_notes_settings(vault).template_path(vault):
        message = f"{path} is a template: every note made from it would have the line, too."
        hint = f"Name a note of your campaign, or one of: {', '.join(TARGET_WORDS)}."
        raise InvalidError(message, where=setting, hint=hint)
