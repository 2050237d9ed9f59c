"""Links for the card names in notes: which decks are used, and what changes in each note."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from vaultkit import files
from vaultkit.campaign.workspace import Workspace
from vaultkit.compendium import DeckNote, rule_note
from vaultkit.compendium.linking import card_linker
from vaultkit.compendium.linking.card_linker import CardLinker, Edit
from vaultkit.errors import UnknownName, WriteError
from vaultkit.games.registry import GAMES, by_title
from vaultkit.settings import PICKS_SECTION, VAULT_CONFIG_PATH
from vaultkit.spelling import did_you_mean
from vaultkit.vault import Note
from vaultkit.vault.writing.splice import Splice, join_splices
from vaultkit.vault.writing.write import Writer, refuse_generated


@dataclass(frozen=True)
class LinkResult:
    """The `edits` of notes by path, and their `diff`; `written` are vault paths, `remarks` are sentences for the GM."""

    edits: Mapping[str, Edit]
    diff: str
    written: tuple[str, ...]
    remarks: tuple[str, ...]


def link_notes(
    workspace: Workspace,
    names: Iterable[str],
    *,
    deck: str,
    any_case: bool,
    first: bool,
    generated: bool,
    write: bool,
    now: datetime,
    picks: Mapping[str, str],
) -> LinkResult:
    """Plan the links for the notes with the given names, and write them if `write` is true.

    `picks` name the card that an ambiguous name stands for, in addition to the picks of the settings; with `write` they
    are saved in the settings. `any_case` and `first` are passed to CardLinker.

    Raises MissingNote, UsageError for the note of a deck or for a card that no deck has, and WriteError for a generated
    note unless `generated` is true.
    """
    all_picks = {**workspace.settings.picks, **picks}
    writer = Writer(workspace.vault, "link", now)
    edits: dict[str, Edit] = {}
    remarks: list[str] = []
    for note in {note.path: note for note in map(workspace.vault.find, map(workspace.vault_path, names))}.values():
        decks = _find_decks(workspace, note, deck)
        _refuse_unknown(picks, decks)
        linker = CardLinker(workspace.vault, decks, any_case=any_case, first_only=first, picks=all_picks)
        remarks += _check_generated(note, generated)
        writer.change(note.path, linker.plan, generated=generated)
        edits[note.path] = linker.edit(note)
    if picks:
        _plan_settings_write(workspace, picks, writer)
    return LinkResult(edits, writer.diff(), writer.commit() if write else (), tuple(remarks))


def _refuse_unknown(picks: Mapping[str, str], decks: Iterable[DeckNote]) -> None:
    """Raise UsageError if a picked card is in none of the decks."""
    for name, card in picks.items():
        if card_linker.find_card(card, decks) is None:
            names = [entry.card.name for deck in decks for entry in deck.entries]
            hint = did_you_mean(
                card.rpartition(":")[2], names, suffix="Name a card by its name, or by its deck and id."
            )
            raise UnknownName(f"'{name}' cannot be picked: there is no card '{card}'.", hint=hint)


def _plan_settings_write(workspace: Workspace, picks: Mapping[str, str], writer: Writer) -> None:
    """Plan to write the picks into the vault's settings file, without changing any other byte."""
    plan = partial(pick_splice, picks=picks)
    if workspace.vault.file(VAULT_CONFIG_PATH).exists():
        writer.change(VAULT_CONFIG_PATH, plan)
    else:
        first_splice = plan(Note(VAULT_CONFIG_PATH, b""))
        writer.create(VAULT_CONFIG_PATH, first_splice.inserted if first_splice else "", plan)


def pick_splice(note: Note, picks: Mapping[str, str]) -> Splice | None:
    """Return a splice that adds or corrects the lines of `[link.picks]` in a settings file, or None if none is needed.

    Raises WriteError if the picks are written in a form that cannot be edited line by line.
    """
    text, line_ending = note.text, "\r\n" if "\r\n" in note.text else "\n"
    lines = {name: f"{_quote(name)} = {_quote(card)}" for name, card in picks.items()}
    header_match = _PICKS_HEADER.search(text)
    if header_match is None:
        before = "" if not text or text.endswith("\n") else line_ending
        gap = line_ending if text.strip() else ""
        section = line_ending.join((f"[{PICKS_SECTION}]", *lines.values(), ""))
        splices = [Splice(len(text), "", f"{before}{gap}{section}")]
    else:
        splices = list(_splice_section(text, header_match.end(), lines, line_ending))
    splice = join_splices(text, splices) if splices else None
    new_text = splice.apply(text) if splice else text
    saved_picks = _read_picks(new_text)
    if any(saved_picks.get(name) != card for name, card in picks.items()):
        hint = f"Write it there yourself, below [{PICKS_SECTION}]: {next(iter(lines.values()))}"
        raise WriteError("The picks cannot be kept in this file as it is written.", where=VAULT_CONFIG_PATH, hint=hint)
    return splice


_PICKS_HEADER = re.compile(r"^[ \t]*\[[ \t]*link[ \t]*\.[ \t]*picks[ \t]*\][^\r\n]*(?:\r?\n|\Z)", re.MULTILINE)
_ANY_HEADER = re.compile(r"^[ \t]*\[", re.MULTILINE)


def _splice_section(text: str, start: int, lines: Mapping[str, str], line_ending: str) -> Iterator[Splice]:
    """Yield splices that add missing lines at the end of the section, and correct lines that pick another card.

    `start` is the offset after the section's header. `lines` are the wanted lines by the ambiguous name.
    """
    next_header = _ANY_HEADER.search(text, start)
    section_end = start + len(text[start : next_header.start() if next_header else len(text)].rstrip())
    missing: list[str] = []
    for name, line in lines.items():
        spellings = "|".join(map(re.escape, {name, _quote(name), f"'{name}'"}))
        line_match = re.compile(rf"^[ \t]*(?:{spellings})[ \t]*=[^\r\n#]*", re.MULTILINE).search(
            text, start, section_end
        )
        if line_match is None:
            missing.append(line)
        elif line_match[0].strip() != line:
            old_line = line_match[0].rstrip()
            yield Splice(line_match.start(), old_line, line)
    if missing:
        before = line_ending if text[:section_end] and not text[:section_end].endswith("\n") else ""
        closing = "" if before else line_ending
        yield Splice(section_end, "", before + line_ending.join(missing) + closing)


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _read_picks(text: str) -> Mapping[str, object]:
    try:
        section = files.parse_toml(text.replace("\r\n", "\n")).get("link")
    except ValueError:
        return {}
    picks = section.get("picks") if isinstance(section, dict) else None
    return picks if isinstance(picks, dict) else {}


def _find_decks(workspace: Workspace, note: Note, name: str) -> tuple[DeckNote, ...]:
    """Return the decks to link to: the deck called `name`, else the decks that suit the note.

    Raises UsageError for the note of a deck or its cards, whichever deck is named.
    """
    compendium = workspace.compendium
    card_linker.refuse_own_notes(note, compendium.decks)
    if name:
        return (compendium.deck(name),)
    game_ids = rule_note.explained_games(note, by_title())
    for info in GAMES.values():
        if info.id in game_ids:
            return card_linker.decks_for(compendium, note, info.deck, info.id)
    return card_linker.decks_for(compendium, note)


def _check_generated(note: Note, allowed: bool) -> list[str]:
    """Return a warning if a converter overwrites the note. Raises WriteError unless that is allowed."""
    try:
        refuse_generated(note)
    except WriteError as error:
        if not allowed:
            hint = "Choose a note of your own, or link in it all the same with --generated."
            raise WriteError(error.message, where=error.where, hint=hint) from error
        return [f"{error.where}: {error.message}"]
    return []
