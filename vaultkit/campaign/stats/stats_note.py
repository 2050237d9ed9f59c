"""The note of statistics and the list of games for Obsidian Bases, written together so that one undo reverts both."""

import hashlib
import posixpath
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path

from vaultkit.campaign.property_names import SCORE_PREFIX, SESSION, score_keys
from vaultkit.campaign.stats.game_list import CountedGame, GameList, gather_games
from vaultkit.campaign.stats.statistics import Statistics
from vaultkit.campaign.stats.stats_page import NAME, StatsPage
from vaultkit.campaign.template_rendering import render, where_of
from vaultkit.campaign.unreadable_notes import refuse_unread
from vaultkit.compendium.words import ENGLISH, VaultWords, load_words
from vaultkit.errors import InvalidError, VaultkitError, WriteError
from vaultkit.settings import Settings
from vaultkit.vault import Note, Vault
from vaultkit.vault.file_names import safe_parts
from vaultkit.vault.writing import marked_region
from vaultkit.vault.writing.escape import escape_property, format_yaml_scalar
from vaultkit.vault.writing.link_style import Linker
from vaultkit.vault.writing.splice import rewrite
from vaultkit.vault.writing.write import Writer, plan_and_commit

TEMPLATE = "stats.md.j2"
KEY = "vaultkit-stats"
"""The property that identifies the note after it was moved, unless the settings name its path."""
_UNLINKABLE = re.compile(r"[#^\[\]]")
"""Characters that Obsidian cannot link in a file name (F4)."""


@dataclass(frozen=True)
class RecordedStatistics:
    """Statistics that were written into `note`, or would be in a dry run.

    `diff` is a unified diff of all changes, `written` are the vault paths changed.
    """

    statistics: Statistics
    note: str
    diff: str
    remarks: tuple[str, ...]
    written: tuple[str, ...] = ()


def record_statistics(
    vault: Vault,
    settings: Settings,
    *,
    bots: bool = False,
    tell: Callable[[GameList], object] = lambda _: None,
    now: datetime,
    dry_run: bool = False,
) -> RecordedStatistics:
    """Compute the statistics of all games in the vault and write both files; with `dry_run` only return the changes.

    All notes are read under the vault's lock, so that a game that is being logged counts in full or not at all. `tell`
    receives the games before anything is written. Raises WriteError if the note's markers are damaged, and InvalidError
    for a template or a setting that cannot be used; nothing is written then.
    """
    told_games: list[GameList] = []

    def reckon(fresh: Vault) -> tuple[RecordedStatistics, Writer]:
        gathered = gather_games(fresh, settings.players)
        if not told_games:  # a plan may be made twice
            told_games.append(gathered)
            tell(gathered)
        return plan_files(fresh, settings, gathered.sessions, now, bots=bots)

    recorded, paths = plan_and_commit(vault, reckon, dry_run=dry_run)
    return replace(recorded, written=paths)


def plan_files(
    vault: Vault, settings: Settings, sessions: Sequence[CountedGame], now: datetime, *, bots: bool
) -> tuple[RecordedStatistics, Writer]:
    """Return the record of both files, and a Writer that creates or updates them.

    Raises WriteError if the note's markers are damaged, and InvalidError for a template or a setting that cannot be
    used; nothing is written then.
    """
    statistics = Statistics.from_sessions(sessions, bots=bots)
    note, list_path = _note_path(vault, settings), _base_path(vault, settings)
    page = StatsPage(statistics, note, list_path, Linker(vault, [note, list_path]), load_words(vault.root))
    text = stats_text(page.context(), vault.root)
    writer = Writer(vault, "stats", now)
    if vault.files.resolve_exact_path(note).path is None:
        vault.refuse_evicted_namesake(note)
        writer.create(note, text)
    else:
        region = _region_text(text)
        writer.change(note, lambda there: marked_region.replace_region(there, NAME, region))
        writer.check(note)
    remarks = _plan_base(writer, vault, list_path, sessions)
    return RecordedStatistics(statistics, note, writer.diff(), remarks), writer


def plan_update(writer: Writer, vault: Vault, settings: Settings, now: datetime) -> tuple[str, ...]:
    """Plan to bring the note of statistics up to date, if there is one; return remarks, also if that is impossible."""
    try:
        note = _note_path(vault, settings)
        if vault.files.resolve_exact_path(note).path is None:
            return ()
        sessions = gather_games(vault, settings.players).sessions
        region = marked_region.find_region(vault.read(note), NAME)
        shows_bots = any(bot.name in vault.read(note).text[region.start : region.end]
                         for session in sessions for bot in session.game.participants if bot.bot)  # fmt: skip
        recorded, stats_writer = plan_files(vault, settings, sessions, now, bots=shows_bots)
    except VaultkitError as error:
        return (f"The statistics were not brought up to date: {error.message}",)
    writer.include(stats_writer)
    return recorded.remarks


def _plan_base(writer: Writer, vault: Vault, path: str, sessions: Sequence[CountedGame]) -> tuple[str, ...]:
    """Plan the list for Bases, unless it was changed by hand; return a remark in that case."""
    words = load_words(vault.root)
    text = base_text(score_columns(sessions, vault, words), words)
    if vault.files.resolve_exact_path(path).path is None:
        writer.create(path, text)
        return ()
    if not is_unchanged(vault.read(path).text):
        return (f"{path} was changed by hand, so it is left as it is. Delete it to have it written again.",)
    writer.change(path, lambda there: rewrite(there, text) if is_unchanged(there.text) else None)
    return ()


def stats_text(context: Mapping[str, object], vault: Path | None) -> str:
    """Return the whole note, rendered from its template. Raises InvalidError if the template loses a marker."""
    text = render(TEMPLATE, context, vault)
    try:
        marked_region.find_region(Note(TEMPLATE, text.encode()), NAME)
    except WriteError as error:
        message = f"The template of the statistics must keep both markers: {error.message}"
        hint = "Between them the note is kept up to date. Write {{ begin }} and {{ end }}, each on its own line."
        raise InvalidError(message, where=where_of(TEMPLATE, vault), hint=hint) from error
    return text if text.endswith("\n") else f"{text}\n"


def _region_text(text: str) -> str:
    note = Note(TEMPLATE, text.encode())
    region = marked_region.find_region(note, NAME)
    return note.text[region.start : region.end]


def _note_path(vault: Vault, settings: Settings) -> str:
    """Return the path of the note: from the settings, else of the note with KEY, else in the campaign's folder."""
    if settings.stats.note.strip():
        return _settings_path(vault, settings.stats.note, ".md", "stats.note")
    path = posixpath.join(settings.campaign.folder, "Statistics.md")
    default_path = _settings_path(vault, path, ".md", "campaign.folder")
    note_paths = [facts.path for facts in vault.note_facts if facts.property(KEY) is True]
    if not note_paths:
        refuse_unread(vault, KEY, "true")
    return default_path if default_path in note_paths or not note_paths else min(note_paths)


def _base_path(vault: Vault, settings: Settings) -> str:
    if name := settings.stats.base.strip():
        return _settings_path(vault, name, ".base", "stats.base")
    return _settings_path(vault, posixpath.join(settings.campaign.folder, "Games.base"), ".base", "campaign.folder")


def _settings_path(vault: Vault, name: str, ending: str, setting: str) -> str:
    """Return the vault path of a path in the settings, as the vault spells it if it exists in another case.

    Raises InvalidError if Obsidian allows no such file (F4).
    """
    hint = f"Set {setting} to a path in the vault, such as Games/Statistics.md."
    parts = safe_parts(name, setting, hint)
    if not parts:
        raise InvalidError(f"'{name}' is not a place in the vault that Obsidian shows.", where=setting, hint=hint)
    if match := next(filter(None, map(_UNLINKABLE.search, parts)), None):
        raise InvalidError(f"A file's name cannot hold the character {match[0]!r}.", where=setting, hint=hint)
    path = "/".join(parts)
    path = path if path.lower().endswith(ending) else f"{path}{ending}"
    return vault.files.resolve_exact_path(path).path or vault.files.respell_folder(path)


MAX_SCORE_COLUMNS = 24
"""The most columns of scores; guests of one evening would make the table endless."""
_COLUMNS = {
    "file.name": "Session",
    "note.game": "Game",
    "note.date": "Date",
    "note.players": "Players",
    "note.winners": "Winners",
    "note.outcome": "Outcome",
    "note.mode": "Mode",
}
_HEADER = "# Made by vaultkit stats. Change it as you like: a changed list is left alone."
_HEADER_PATTERN = re.compile(rf"{re.escape(_HEADER)} \(([0-9a-f]{{12}})\)\n")


def base_text(scores: Mapping[str, str], words: VaultWords = ENGLISH) -> str:
    """Return the list for Bases, with views of all games and of games by title.

    `scores` maps properties with scores to the headers of their columns.
    """
    columns = {key: words(heading) for key, heading in _COLUMNS.items()}
    columns |= {f"note.{key}": heading for key, heading in scores.items()}
    lines = ["filters:", "  and:", f"    - 'file.hasProperty(\"{SESSION}\")'", "properties:"]
    for key, heading in columns.items():
        lines += [f"  {_format_key(key)}:", f"    displayName: {format_yaml_scalar(heading)}"]
    lines += ["views:", *_view_lines(words("All games"), columns), *_view_lines(words("By game"), columns, "note.game")]
    content = "\n".join((*lines, ""))
    return f"{_HEADER} ({_digest(content)})\n{content}"


def score_columns(sessions: Sequence[CountedGame], vault: Vault, words: VaultWords = ENGLISH) -> dict[str, str]:
    """Return the headers of columns by the properties with people's scores, at most the MAX_SCORE_COLUMNS commonest."""
    counts, names, bots = Counter[str](), dict[str, str](), set[str]()
    for session in sessions:
        participants = session.game.participants
        keys = score_keys(participant.name for participant in participants)
        for key, participant in zip(keys, participants, strict=True):
            names[key] = participant.name
            bots.update([key] if participant.bot else [])
        counts.update(key for key in vault.facts[session.game.note].properties if key.lower().startswith(SCORE_PREFIX))
    keys = sorted(counts.keys() - bots, key=lambda key: (-counts[key], key))[:MAX_SCORE_COLUMNS]
    columns = {key: escape_property(names.get(key, key.removeprefix(SCORE_PREFIX))) for key in sorted(keys)}
    return {key: words("Score of {player}", player=name) for key, name in columns.items()}


def is_unchanged(text: str) -> bool:
    """Return whether the text of a list for Bases is as vaultkit wrote it, by the digest in its first line.

    Obsidian drops that line when a view is changed there.
    """
    normalized = text.replace("\r\n", "\n")
    header_match = _HEADER_PATTERN.match(normalized)
    return header_match is not None and header_match[1] == _digest(normalized[header_match.end() :])


def _view_lines(name: str, columns: Iterable[str], group_column: str = "") -> list[str]:
    group_lines = ["    groupBy:", f"      property: {group_column}", "      direction: ASC"] if group_column else []
    order = [f"      - {_format_key(column)}" for column in columns if column != group_column]
    sort = ["    sort:", "      - property: note.date", "        direction: DESC"]
    return ["  - type: table", f"    name: {format_yaml_scalar(name)}", *group_lines, "    order:", *order, *sort]


def _format_key(name: str) -> str:
    """Return a property's name as YAML, quoted if it has characters other than a-z, 0-9, dots and hyphens."""
    return name if re.fullmatch(r"[a-z][a-z0-9.-]*", name) else format_yaml_scalar(name)


def _digest(content: str) -> str:
    return hashlib.sha256(content.encode()).hexdigest()[:12]
