"""Options in the frontmatter of rule notes that a game would refuse, or never see."""

import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from contextlib import suppress

from vaultkit.compendium import rulenote
from vaultkit.compendium.compendium import Compendium
from vaultkit.compendium.rulecards import GameNames, Refusal
from vaultkit.compendium.rulenote import HOW_TO_SET, PROPERTY, RuleNote, WrittenOption
from vaultkit.errors import Problem, VaultkitError
from vaultkit.vault import Note
from vaultkit.vault.facts import texts


def problems(compendium: Compendium, games: Iterable[GameNames], chosen: Collection[str]) -> Iterator[Problem]:
    """What is wrong with the options of rule notes among the vault paths `chosen`.

    An error for each that its game refuses, a warning for each that stands where nothing reads it.
    """
    for game, note in _rule_notes(compendium, [game for game in games if game.refusal], chosen):
        assert game.refusal
        yield from _refused(RuleNote(game.id, note), game.refusal)
        yield from _unread(note, game.refusal)


def _rule_notes(
    compendium: Compendium, games: Sequence[GameNames], chosen: Collection[str]
) -> Iterator[tuple[GameNames, Note]]:
    """Each game with the notes that explain it, in one pass over all notes of the vault."""
    titles = {game.id: frozenset(title.casefold() for title in game.titles) for game in games}
    every = frozenset[str]().union(*titles.values())
    for facts in compendium.vault.note_facts:
        if facts.path in chosen and rulenote.may_be_rule_note(facts, every):
            with suppress(VaultkitError):  # gone since its facts were read
                explained = [game for game in games if rulenote.is_rule_note(facts, game.id, titles[game.id])]
                yield from ((game, compendium.vault.read(facts.path)) for game in explained)


def _refused(rules: RuleNote, refusal: Refusal) -> Iterator[Problem]:
    for written in rules.written:
        wrong = _wrong(written, refusal)
        if wrong:
            yield Problem(rules.note.path, *_place(rules.note, written.text), "rule-option", *wrong)


def _unread(note: Note, refusal: Refusal) -> Iterator[Problem]:
    """A property of its own that is named like an option, and could be meant as one."""
    for name, value in note.properties.items():
        said = "".join(texts(value))
        if said and not isinstance(value, list) and "[[" not in said and not refusal(name, said):
            message = f"The property '{name}' is the name of an option, but sets nothing here."
            hint = f'If you mean the option, write {PROPERTY}: ["{name}={said}"].'
            yield Problem(note.path, *_place(note, name), "rule-option-place", message, hint, "warning")


def _wrong(written: WrittenOption, refusal: Refusal) -> tuple[str, str] | None:
    """The message and the hint."""
    if not written.is_pair:
        return f"'{written.text}' is no option.", HOW_TO_SET
    error = refusal(written.key, written.value)
    return (error.message, error.hint) if error else None


def _place(note: Note, written: str) -> tuple[int, int]:
    """Line and column where it stands in the frontmatter, as a word of its own; the first line if it is not found."""
    found = re.search(rf"(?<![\w-]){re.escape(written)}(?![\w-])", note.text[: note.body_start])
    start = found.start() if found else 0
    return note.places.line(start), note.places.column(start)
