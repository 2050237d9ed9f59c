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
from vaultkit.errors import UsageError, WriteError
from vaultkit.games.registry import GAMES, by_title
from vaultkit.settings import CONFIG, PICKS
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
        decks = _decks(workspace, note, deck)
        _refuse_unknown(picks, decks)
        linker = CardLinker(workspace.vault, decks, any_case=any_case, first=first, picks=all_picks)
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
            raise UsageError(f"'{name}' cannot be picked: there is no card '{card}'.", hint=hint)


def _plan_settings_write(workspace: Workspace, picks: Mapping[str, str], writer: Writer) -> None:
    """Plan to write the picks into the vault's settings file, without changing any other byte."""
    plan = partial(pick_splice, picks=picks)
    if workspace.vault.file(CONFIG).exists():
        writer.change(CONFIG, plan)
    else:
        first = plan(Note(CONFIG, b""))
        writer.create(CONFIG, first.inserted if first else "", plan)


def pick_splice(note: Note, picks: Mapping[str, str]) -> Splice | None:
    """Return a splice that adds or corrects the lines of `[link.picks]` in a settings file, or None if none is needed.

    Raises WriteError if the picks are written in a form that cannot be edited line by line.
    """
    text, end = note.text, "\r\n" if "\r\n" in note.text else "\n"
    lines = {name: f"{_quote(name)} = {_quote(card)}" for name, card in picks.items()}
    head = _HEAD.search(text)
    if head is None:
        before = "" if not text or text.endswith("\n") else end
        gap = end if text.strip() else ""
        section = end.join((f"[{PICKS}]", *lines.values(), ""))
        splices = [Splice(len(text), "", f"{before}{gap}{section}")]
    else:
        splices = list(_splice_section(text, head.end(), lines, end))
    splice = join_splices(text, splices) if splices else None
    after = splice.apply(text) if splice else text
    saved_picks = _read_picks(after)
    if any(saved_picks.get(name) != card for name, card in picks.items()):
        hint = f"Write it there yourself, below [{PICKS}]: {next(iter(lines.values()))}"
        raise WriteError("The picks cannot be kept in this file as it is written.", where=CONFIG, hint=hint)
    return splice


_HEAD = re.compile(r"^[ \t]*\[[ \t]*link[ \t]*\.[ \t]*picks[ \t]*\][^\r\n]*(?:\r?\n|\Z)", re.MULTILINE)
_NEXT_HEAD = re.compile(r"^[ \t]*\[", re.MULTILINE)


def _splice_section(text: str, start: int, lines: Mapping[str, str], end: str) -> Iterator[Splice]:
    """Yield splices that add missing lines at the end of the section, and correct lines that pick another card.

    `start` is the offset after the section's header. `lines` are the wanted lines by the ambiguous name.
    """
    following = _NEXT_HEAD.search(text, start)
    stop = start + len(text[start : following.start() if following else len(text)].rstrip())
    missing: list[str] = []
    for name, line in lines.items():
        spellings = "|".join(map(re.escape, {name, _quote(name), f"'{name}'"}))
        there = re.compile(rf"^[ \t]*(?:{spellings})[ \t]*=[^\r\n#]*", re.MULTILINE).search(text, start, stop)
        if there is None:
            missing.append(line)
        elif there[0].strip() != line:
            old_line = there[0].rstrip()
            yield Splice(there.start(), old_line, line)
    if missing:
        before = end if text[:stop] and not text[:stop].endswith("\n") else ""
        closing = "" if before else end
        yield Splice(stop, "", before + end.join(missing) + closing)


def _quote(text: str) -> str:
    return json.dumps(text, ensure_ascii=False)


def _read_picks(text: str) -> Mapping[str, object]:
    try:
        section = files.parse_toml(text.replace("\r\n", "\n")).get("link")
    except ValueError:
        return {}
    picks = section.get("picks") if isinstance(section, dict) else None
    return picks if isinstance(picks, dict) else {}


def _decks(workspace: Workspace, note: Note, name: str) -> tuple[DeckNote, ...]:
    """Return the decks to link to: the deck called `name`, else the decks that suit the note.

    Raises UsageError for the note of a deck or its cards, whichever deck is named.
    """
    compendium = workspace.compendium
    card_linker.refuse_own_notes(note, compendium.decks)
    if name:
        return (compendium.deck(name),)
    explained = rule_note.games_of(note, by_title())
    for info in GAMES.values():
        if info.id in explained:
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
