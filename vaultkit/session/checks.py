"""Checks of decks, spreads, roll tables and games, with their settings and rule notes, and the list of all checks."""

import os
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from vaultkit import files, resources
from vaultkit.budget import Limit
from vaultkit.compendium import rule_note
from vaultkit.compendium.decks import markers
from vaultkit.compendium.rule_note import GAME_PROPERTY, OPTIONS_HINT, OPTIONS_PROPERTY, RuleNote
from vaultkit.errors import InvalidError, Problem, UsageError, VaultkitError, split_place
from vaultkit.games.registry import GAMES, GameInfo, by_title, find
from vaultkit.session.examples import check_examples
from vaultkit.spelling import did_you_mean
from vaultkit.user_folders import config_folder
from vaultkit.vault import Note, Vault
from vaultkit.vault.checking import checks as vault
from vaultkit.vault.checking.check import Check, Checks
from vaultkit.vault.checking.selection import CheckScope
from vaultkit.vault.note_facts import Facts, texts
from vaultkit.vault.tables import may_have_roll_tables

if TYPE_CHECKING:
    from vaultkit.session.scoresheets import ScoreSheets

# The readers of decks, spreads and tables are imported late, since few vaults need them.

_MAX_WRONG_SETTINGS = Limit("These settings have", 100, "unknown names", "Correct the first, then check again.")


def _check_decks(selection: CheckScope) -> Iterator[Problem]:
    """Yield the problems of decks, except problems of the frontmatter, which another check reports."""
    if not any(map(markers.is_marked, selection.vault.note_facts)):
        return
    from vaultkit.compendium.compendium import Compendium
    from vaultkit.compendium.decks import table_rows

    for deck in selection.get_shared(Compendium).decks:
        problems = (*deck.problems, *(table_rows.check_headings(deck.note) if deck.headed else ()))
        yield from (
            problem for problem in problems if problem.code != "frontmatter" and problem.note in selection.notes
        )


def _check_spreads(selection: CheckScope) -> Iterator[Problem]:
    """Yield the problems of spreads.

    A spread in a file is reported by its path in the vault, and only if the whole vault is checked.
    """
    folder = resources.vault_folder("print", selection.vault.root) / "spreads"
    if not (folder.exists() or "vaultkit-spread" in selection.property_names):
        return
    from vaultkit.compendium.spreads import Spreads

    spreads = Spreads(selection.vault)
    _ = spreads.all  # fills its problems
    for problem in spreads.problems:
        if problem.note.endswith(".toml") and selection.paths is None:
            yield replace(problem, note=f".vaultkit/print/{problem.note}")
        elif problem.note in selection.notes or selection.paths is None:
            yield problem


def _check_inventories(selection: CheckScope) -> Iterator[Problem]:
    if "destiny-inventory" in selection.property_names:
        from vaultkit.compendium import deck_of_destiny
        from vaultkit.compendium.compendium import Compendium

        yield from deck_of_destiny.check_inventories(selection.get_shared(Compendium), selection.notes)


def _check_tables(note: Note) -> tuple[Problem, ...]:
    from vaultkit.compendium.tables import table_parser

    return table_parser.problems(note)


_DECK_ERROR_CODES = (
    "card-missing", "card-unknown", "card-twice", "card-line", "card-suit", "card-rank", "card-facts", "card-words",
    "deck-empty", "deck-size",
)  # fmt: skip
_DECK_WARNING_CODES = ("card-columns", "card-image", "deck-property", "deck-kind", "deck-several")
_TABLE_WARNING_CODES = ("table-row", "table-range", "table-overlap", "table-gap", "table-roll")

COMPENDIUM_CHECKS = (
    *(Check(code, in_vault=_check_decks, of_decks=True) for code in _DECK_ERROR_CODES),
    *(Check(code, "warning", in_vault=_check_decks, of_decks=True) for code in _DECK_WARNING_CODES),
    *(Check(code, in_vault=_check_inventories, of_decks=True) for code in ("inventory-card", "inventory-twice")),
    Check("spread", in_vault=_check_spreads),
    *(Check(code, "warning", in_note=_check_tables, quick=may_have_roll_tables) for code in _TABLE_WARNING_CODES),
)


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
        mentions = find_missing_cards(game.deck, decks, _read_rule_notes(selection, game))
        yield from (CARD_CHECK.problem_at(*mention) for mention in mentions)


def _read_rule_notes(selection: CheckScope, game: GameInfo) -> Iterator[Note]:
    """Yield the selected notes that are rule notes of a game."""
    candidates = selection.get_shared(_rule_notes_by_game)[game.id]
    return selection.read_notes(facts for facts in candidates if facts.path in selection.notes)


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
            yield OPTION_CHECK.problem_at(rules.note, offset, f"'{entry.text}' is not an option.", OPTIONS_HINT)
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

RULE_NOTE_CHECKS = (CARD_CHECK, OPTION_CHECK, OPTION_PLACE_CHECK)


# Modules that read settings and score sheets are imported only for vaults that have any.


def no_game_error(section: str) -> VaultkitError:
    """Return the error for a section `games.SECTION` of the settings whose name is not the id of a game."""
    try:
        return InvalidError(f"The section [games.{section}] is not read.", hint=f"Write [games.{find(section).id}].")
    except UsageError as error:
        return error


def _check_settings(selection: CheckScope) -> Iterator[Problem]:
    """Yield the problems of the settings, including options of games.

    Nothing is yielded if only some notes are checked.
    """
    config_file = selection.vault.root / files.VAULTKIT_FOLDER / "config.toml"
    config_files = (config_file, Path(config_folder()) / config_file.name)
    if selection.paths is not None or not any(map(_exists_or_is_evicted, config_files)):
        return
    from vaultkit.session.options import layers
    from vaultkit.settings import VAULT_CONFIG_PATH, line_of, load

    file = selection.vault.root / VAULT_CONFIG_PATH
    try:
        settings = load(selection.vault.root)
    except InvalidError as error:
        error_path, line = split_place(error.where)
        yield _settings_problem(VAULT_CONFIG_PATH if error_path == str(file) else error_path, line, error)
        return
    codes = [check.code for check in every_check()]

    def find_wrong() -> Iterator[tuple[str, str, VaultkitError]]:
        for code in settings.check:
            if code not in codes and settings.origins.get(f"check.{code}") == str(file):
                hint = did_you_mean(code, codes)
                yield "check", code, InvalidError(f"There is no code '{code}' of a problem.", hint=hint)
        for game in settings.games:
            vault_options = (layer.options for layer in layers(settings, game) if layer.where == str(file))
            for key, fault in _find_faults(game, next(vault_options, {})):
                yield f"games.{game}", key, fault

    for number, (section, key, fault) in enumerate(find_wrong()):
        if number == _MAX_WRONG_SETTINGS.maximum:
            yield _settings_problem(VAULT_CONFIG_PATH, 0, _MAX_WRONG_SETTINGS.error())
            return
        yield _settings_problem(VAULT_CONFIG_PATH, line_of(file, section, key), fault)


def _exists_or_is_evicted(file: Path) -> bool:
    return os.path.lexists(file) or files.is_evicted(file)


def _find_faults(game: str, game_options: Mapping[str, object]) -> Iterator[tuple[str, VaultkitError]]:
    from vaultkit.session.options import faults

    if game in GAMES:
        yield from faults(GAMES[game].rules(), game_options)
    elif game_options:
        yield next(iter(game_options)), no_game_error(game)


def _settings_problem(path: str, line: int, error: VaultkitError) -> Problem:
    return Problem(path, line, min(line, 1), "settings", error.message, error.hint)


def _check_score_sheets(selection: CheckScope) -> Iterator[Problem]:
    """Yield the problems of the score sheets that a vault defines, and of notes that name unknown games.

    Definitions in files other than notes are checked only if the whole vault is checked.
    """
    has_folder = resources.vault_folder("scoresheets", selection.vault.root).exists()
    if not has_folder and GAME_PROPERTY not in selection.property_names:
        return
    from vaultkit.games.definition_reader import find_hidden_words
    from vaultkit.session.scoresheets import ScoreSheets

    sheets = ScoreSheets(selection.vault)
    for raw, error in sheets.faults:
        if not raw.ours and (raw.tables.where in selection.notes or selection.paths is None):
            line = split_place(error.where)[1]
            yield Problem(raw.tables.where, line, min(line, 1), "game", error.message, error.hint)
    for sheet in sheets.defined.values():
        for path, message in find_hidden_words(sheet.definition):
            where, line = split_place(sheet.where(path))
            if where in selection.notes or selection.paths is None:
                yield Problem(where, line, 1, "game", message, "Give it another id if you mean the word.", "warning")
    if selection.paths is None:
        yield from _check_kept_definitions(selection, sheets)
    yield from _check_game_names(selection, sheets)


def _check_kept_definitions(selection: CheckScope, sheets: "ScoreSheets") -> Iterator[Problem]:
    """Yield a problem for each definition, kept for logged games, that cannot be read or was changed."""
    from vaultkit.compendium.own_games import kept_definitions

    for definition, where in kept_definitions(selection.vault.root):
        try:
            sheets.find_by_definition("game", definition)
        except InvalidError as error:
            yield Problem(where, 0, 0, "game", error.message, error.hint)


def _check_game_names(selection: CheckScope, sheets: "ScoreSheets") -> Iterator[Problem]:
    """Yield a problem for each note whose game property names no game."""
    notes = (facts for facts in selection.vault.note_facts if facts.path in selection.notes)
    candidates = (facts for facts in notes if facts.property(GAME_PROPERTY) is not None)
    for note in selection.read_notes(candidates):
        value = note.property(GAME_PROPERTY)
        if isinstance(value, dict):
            continue
        offset = max(note.text.find(GAME_PROPERTY, 0, note.body_start), 0)
        try:
            sheets.find_info("".join(texts(value)[:1]))
        except UsageError as error:
            yield GAME_CHECK.problem_at(note, offset, error.message, error.hint)
        except InvalidError:  # the error is reported for the definition
            continue


GAME_CHECK = Check("game", in_vault=_check_score_sheets)

CHECKS = (Check("settings", in_vault=_check_settings), *RULE_NOTE_CHECKS, *check_examples.CHECKS, GAME_CHECK)


@cache
def every_check() -> Checks:
    """Return the checks of all layers."""
    return (*vault.CHECKS, *COMPENDIUM_CHECKS, *CHECKS)
