"""Checks of rule notes, for cards that are missing from the vault's decks, and for options that games refuse."""

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping

from vaultkit.compendium import rule_note
from vaultkit.compendium.rule_note import OPTIONS_HINT, OPTIONS_PROPERTY, RuleNote
from vaultkit.errors import Problem, VaultkitError
from vaultkit.games.registry import GAMES, GameInfo, by_title
from vaultkit.vault import Note, Vault
from vaultkit.vault.checking.check import Check
from vaultkit.vault.checking.selection import CheckScope
from vaultkit.vault.note_facts import Facts, texts


def _check_cards(selection: CheckScope) -> Iterator[Problem]:
    """Yield a problem for the first mention, in each note, of each card that is missing from the decks of the vault.

    A game for whose kind of deck the vault has no deck is skipped. A renamed card is not missing, nor is a card with
    mistakes in a deck note, which other checks report.
    """
    if not selection.get_shared(_rule_notes_by_game):
        return
    from vaultkit.compendium.compendium import Compendium
    from vaultkit.session.examples.missing_cards import find_missing_cards

    for game in GAMES.values():
        decks = [deck for deck in selection.get_shared(Compendium).decks if deck.deck.kind == game.deck]
        yield from (
            CARD_CHECK.problem_at(*mention)
            for mention in find_missing_cards(game.deck, decks, _read_rule_notes(selection, game))
        )


def _read_rule_notes(selection: CheckScope, game: GameInfo) -> Iterator[Note]:
    """Yield the selected notes that are rule notes of a game."""
    return selection.read_notes(
        facts for facts in selection.get_shared(_rule_notes_by_game)[game.id] if facts.path in selection.notes
    )


def _rule_notes_by_game(vault: Vault) -> Mapping[str, list[Facts]]:
    """Return the facts of all rule notes in the vault, by the ids of their games."""
    titles = by_title()
    facts_by_game: defaultdict[str, list[Facts]] = defaultdict(list)
    for facts in vault.note_facts:
        for game in rule_note.explained_games(facts, titles):
            facts_by_game[game].append(facts)
    return facts_by_game


def _check_options(selection: CheckScope) -> Iterator[Problem]:
    """Yield a problem for each option that its game refuses, and for each property that is named like an option."""
    for game in GAMES.values():
        for note in _read_rule_notes(selection, game):
            yield from _check_entries(RuleNote(game.id, note), game)
            yield from _check_properties(note, game)


def _check_entries(rules: RuleNote, game: GameInfo) -> Iterator[Problem]:
    """Yield a problem for each option entry that is not a key with a value, or that the game refuses."""
    for entry in rules.entries:
        offset = _find_offset(rules.note, entry.text)
        if not entry.is_pair:
            yield OPTION_CHECK.problem_at(rules.note, offset, f"'{entry.text}' is no option.", OPTIONS_HINT)
        elif error := _find_refusal(game, entry.key, entry.value):
            yield OPTION_CHECK.problem_at(rules.note, offset, error.message, error.hint)


def _check_properties(note: Note, game: GameInfo) -> Iterator[Problem]:
    """Yield a problem for each property that has the name of an option and a value that the option would accept."""
    for name, value in note.properties.items():
        text = "".join(texts(value))
        if text and not isinstance(value, list) and "[[" not in text and not _find_refusal(game, name, text):
            message = f"The property '{name}' is the name of an option, but sets nothing here."
            hint = f'If you mean the option, write {OPTIONS_PROPERTY}: ["{name}={text}"].'
            yield OPTION_PLACE_CHECK.problem_at(note, _find_offset(note, name), message, hint)


def _find_refusal(game: GameInfo, key: str, value: object) -> VaultkitError | None:
    """Return the error of a game for the key and value of an option, or None if it accepts them."""
    from vaultkit.session.options import faults

    return next((error for _, error in faults(game.rules(), {key: value})), None)


def _find_offset(note: Note, word: str) -> int:
    """Return the offset of `word`, as a whole word, in the frontmatter of the note, or 0 if it is not found."""
    match = re.search(rf"(?<![\w-]){re.escape(word)}(?![\w-])", note.text[: note.body_start])
    return match.start() if match else 0


CARD_CHECK = Check("rule-card", "warning", in_vault=_check_cards, of_decks=True)
OPTION_CHECK = Check("rule-option", in_vault=_check_options)
OPTION_PLACE_CHECK = Check("rule-option-place", "warning", in_vault=_check_options)

CHECKS = (CARD_CHECK, OPTION_CHECK, OPTION_PLACE_CHECK)
