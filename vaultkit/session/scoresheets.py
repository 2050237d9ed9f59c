"""The score sheets of games: of built-in ones, of those that a vault defines, and of shipped definitions."""

from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from itertools import chain

from msgspec.structs import replace

from vaultkit.compendium.own_games import RawSheet, kept_sheet, latin_id, raw_sheets, shipped_sheet
from vaultkit.errors import InvalidError, UnknownName, UsageError
from vaultkit.games import registry
from vaultkit.games.definition import Definition
from vaultkit.games.definition_reader import complete_definition, read_definition
from vaultkit.games.game_info import GameInfo, load
from vaultkit.games.registry import GAMES
from vaultkit.games.scoresheet import ScoreSheet
from vaultkit.schema import convert_table
from vaultkit.text import group, lookalike_key, quote_word
from vaultkit.vault import Vault

BLANK = "blank"
"""The name of the empty sheet for any game, which no game may have."""


class ScoreSheets:
    """The score sheets that can be used in a vault, or without a vault (None): built-in, shipped and defined there."""

    def __init__(self, vault: Vault | None) -> None:
        self._vault = vault
        self._kept_sheets = dict[tuple[str, str], ScoreSheet]()

    def find(self, name: str) -> ScoreSheet:
        """Return the score sheet of the game whose id, title or alias is `name`, in any case.

        Raises InvalidError with file and line if the definition of the game is faulty, and UsageError if there is no
        such game or it has no score sheet.
        """
        info = self.find_info(name)
        return self.defined[info.id] if info.id in self.defined else score_sheet(info.id)

    def has(self, name: str) -> bool:
        """Return whether a game has this id, title or alias."""
        return lookalike_key(name) in self.names

    @property
    def names(self) -> set[str]:
        """The ids, titles and aliases of all games, as `lookalike_key` makes them."""
        infos = (*GAMES.values(), *(sheet.info for sheet in self.defined.values()))
        return {name for info in infos for name in names_of(info)}

    def split_words(self, words: Sequence[str]) -> tuple[str, list[str]]:
        """Return the game that the first words name, as many as possible, or else the last ones, and the other words.

        If no game has such a name, all words are returned as its name.
        """
        names = self.names
        lengths = range(len(words), 0, -1)
        starts = (([*words[:length]], [*words[length:]]) for length in lengths)
        ends = (([*words[-length:]], [*words[:-length]]) for length in lengths)
        pairs = ((" ".join(name), rest) for name, rest in chain(starts, ends))
        return next((pair for pair in pairs if lookalike_key(pair[0]) in names), (" ".join(words), []))

    def find_info(self, name: str) -> GameInfo:
        """Return the game whose id, title or alias is `name`, in any case, even if it has no score sheet.

        Raises InvalidError with file and line if the definition of the game is faulty, and UsageError if there is no
        such game.
        """
        key = lookalike_key(name)
        if info := next((info for info in GAMES.values() if key in names_of(info)), None):
            return info
        for raw, fault in self.faults:
            if key in raw.names:
                raise fault
        if sheet_info := next((sheet.info for sheet in self.defined.values() if key in names_of(sheet.info)), None):
            return sheet_info
        ids = (*GAMES, *self.defined)
        hint = f"A score sheet for it: vaultkit games new {quote_word(name)}. Games: {', '.join(ids)}."
        raise UnknownName(f"There is no game '{name}'.", hint=registry.suggest_games(key, ids) or hint)

    def find_playable(self, name: str) -> GameInfo:
        """Return the game whose id, title or alias is `name`, in any case, if it can be played in vaultkit.

        Raises UsageError if there is no such game, or it has only a score sheet (the hint then names commands that
        work), and InvalidError with file and line if the definition of the game is faulty.
        """
        try:
            info = self.find_info(name)
        except UnknownName as error:
            playable_hint = f"Games that can be played here: {', '.join(GAMES)}."
            error.hint = registry.suggest_games(lookalike_key(name), GAMES) or playable_hint
            raise
        if info.id not in GAMES:
            message = f"{info.title} has only a score sheet here: it has no rules, and cannot be played."
            raise UsageError(message, hint=f"What works: vaultkit print scores {info.id}, vaultkit log {info.id}")
        return info

    def title(self, game: str) -> str:
        """Return the title of the game with the given id, or the id itself if there is no such game."""
        titled_game = GAMES.get(game) or self.defined.get(game)
        return titled_game.title if titled_game else game

    def current_id(self, game: str) -> str:
        """Return the id that a game has today; for a logged game its id may still be one of Latin letters only."""
        is_known = not game or game in GAMES or game in self.defined
        return game if is_known else self._ids_by_latin_id.get(game, game)

    @cached_property
    def _ids_by_latin_id(self) -> Mapping[str, str]:
        return {latin_id(sheet.title): sheet.id for sheet in self.defined.values()}

    def find_by_definition(self, game: str, definition: str) -> ScoreSheet:
        """Return the score sheet of a game with a certain version of its definition.

        `definition` is the id of the current definition or of a kept earlier one. Raises InvalidError if there is no
        such definition, or if the kept one cannot be read or was changed.
        """
        current_sheet = self.defined.get(game)
        if current_sheet is not None and current_sheet.definition_id == definition:
            return current_sheet
        key = game, definition
        if key not in self._kept_sheets:
            self._kept_sheets[key] = _load_kept_sheet(game, definition, self._vault)
        return self._kept_sheets[key]

    @property
    def defined(self) -> Mapping[str, ScoreSheet]:
        """The score sheets of games that are not built in, by the ids of the games.

        A definition in the vault replaces shipped definitions with the same id, title or alias.
        """
        return self._sheets_and_faults[0]

    @property
    def faults(self) -> tuple[tuple[RawSheet, InvalidError], ...]:
        """The definitions that cannot be used, each with its error.

        Of definitions with the same id none can be used; of those with the same title or alias only the first one.
        """
        return self._sheets_and_faults[1]

    @cached_property
    def _sheets_and_faults(self) -> tuple[Mapping[str, ScoreSheet], tuple[tuple[RawSheet, InvalidError], ...]]:
        sheets: dict[str, ScoreSheet] = {}
        sheets_by_name: dict[str, ScoreSheet] = {}
        faults: list[tuple[RawSheet, InvalidError]] = []
        for raws in group((raw.game, raw) for raw in raw_sheets(self._vault)).values():
            preferred_raws = [raw for raw in raws if not raw.ours] or raws
            try:
                sheet = sheet_of(*preferred_raws)
                if not preferred_raws[0].ours:
                    self._refuse_hiding_alias(sheet)
                names = names_of(sheet.info)
                shared_names = names & sheets_by_name.keys()
                if preferred_raws[0].ours and (shared_names or any(names & raw.names for raw, _ in faults)):
                    continue
                if shared_names:
                    message = f"Two games are called '{min(shared_names)}'."
                    hint = f"The other one is {sheets_by_name[min(shared_names)].where(())}."
                    raise InvalidError(message, where=sheet.where(("title",)), hint=hint)
                sheets[sheet.id] = sheet
                sheets_by_name |= dict.fromkeys(names, sheet)
            except InvalidError as error:
                faults.append((preferred_raws[-1], error))
        return sheets, tuple(faults)

    def _refuse_hiding_alias(self, sheet: ScoreSheet) -> None:
        """Raise InvalidError for an alias by which a shipped game would not be found any more.

        A definition that has the id or the title of a shipped game takes its place.
        """
        own_names = {lookalike_key(sheet.id), lookalike_key(sheet.title)}
        for shipped in _shipped_sheets():
            names = names_of(shipped.info)
            hidden = [alias for alias in sheet.info.aliases if lookalike_key(alias) in names]
            if hidden and not own_names & names:
                message = f"The alias '{hidden[0]}' would hide {shipped.title}, another game."
                hint = f"Delete that alias. A game with the id or the title of {shipped.title} takes its place."
                raise InvalidError(message, where=sheet.where(("aliases",)), hint=hint)


@cache
def _shipped_sheets() -> Sequence[ScoreSheet]:
    """Return the score sheets that come with vaultkit and can be replaced."""
    return tuple(sheet_of(raw) for raw in raw_sheets(None))


@cache
def score_sheet(name: str) -> ScoreSheet:
    """Return the score sheet of a built-in game.

    Raises UsageError if there is no such game, or it has no score sheet.
    """
    if not (info := registry.find(name)).score_sheet:
        hint = f"Play it here instead: vaultkit play {info.id}" + " --real-cards" * bool(info.refereeing)
        raise UsageError(f"There is no score sheet of {info.title}: its score cannot be written down.", hint=hint)
    tables, sheet_class = shipped_sheet(info.id).tables, load(info.score_sheet)
    definition = convert_table(tables.table, Definition)
    # A score sheet with its own code may require an answer in an empty box, and checks high numbers by its rulings.
    complete = complete_definition(definition)
    own_definition = complete if sheet_class is ScoreSheet else replace(definition, score=complete.score)
    sheet: ScoreSheet = sheet_class(info, own_definition, tables.place)
    return sheet


def names_of(info: GameInfo) -> set[str]:
    """Return the id, title and aliases of a game as comparison keys."""
    return {lookalike_key(name) for name in (info.id, info.title, *info.aliases)}


def sheet_of(raw: RawSheet, *others: RawSheet) -> ScoreSheet:
    """Return the score sheet of the definition of a game, after checking its names.

    `others` are further definitions with the same id. Raises InvalidError with file and line if there are any, if the
    definition is faulty, or if a built-in game has one of its names.
    """
    locate = raw.tables.place
    for other in others:
        message = f"Two definitions are of the game '{raw.game}'."
        raise InvalidError(message, where=other.tables.place(()), hint=f"The other one is {locate(())}.")
    sheet = _convert_sheet(raw)
    info = sheet.info
    if BLANK in names_of(info):
        hint = f"`vaultkit print scores {BLANK}` prints a sheet of no game. Give it another title."
        raise InvalidError(f"No game can be called '{BLANK}'.", where=locate(("title",)), hint=hint)
    if namesake := next((other_info for other_info in GAMES.values() if names_of(other_info) & names_of(info)), None):
        hint = f"Give it another id and title; {namesake.title} has its own score sheet."
        raise InvalidError(f"This is {namesake.title}, which exists already.", where=locate(("title",)), hint=hint)
    return sheet


def _convert_sheet(raw: RawSheet) -> ScoreSheet:
    """Return the score sheet of a definition, without checking its name.

    Raises InvalidError with file and line if the definition is faulty.
    """
    if raw.fault:
        raise raw.fault
    with raw.tables.locate_errors():
        definition = read_definition(raw.game, raw.tables.table)
    info = GameInfo(raw.game, definition.title, definition.players, "", aliases=definition.aliases)
    return ScoreSheet(info, definition, raw.tables.place, raw.tables.table)


def _load_kept_sheet(game: str, definition: str, vault: Vault | None) -> ScoreSheet:
    """Return the score sheet of a definition that a vault keeps for logged games.

    Raises InvalidError if there is no vault, or if the kept file cannot be read or was changed.
    """
    if vault is None:
        raise InvalidError("Definitions are kept in vaults only.")
    raw = kept_sheet(game, definition, vault.root)
    sheet = _convert_sheet(raw)
    if sheet.definition_id != definition:
        message = "This file was changed after a game was logged by it; it is no longer that game's definition."
        raise InvalidError(message, where=raw.tables.where, hint="Bring it back as it was, from a backup or git.")
    return sheet
