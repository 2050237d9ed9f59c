"""A game with the notes of a vault that it is played from: its deck, its options, its seats and its sessions."""

import secrets
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cached_property, partial
from pathlib import Path
from typing import Unpack

import msgspec

from vaultkit.bots import registry as bots
from vaultkit.campaign import house_rules
from vaultkit.campaign.log import LogResult, record_game
from vaultkit.campaign.logged_game import Participant, PlayedGame, played_games
from vaultkit.campaign.players import Players
from vaultkit.campaign.result import Sources, from_session
from vaultkit.campaign.workspace import Workspace
from vaultkit.cards.deck import known_deck
from vaultkit.compendium import DeckNote, RuleNote
from vaultkit.errors import InvalidError, UsageError
from vaultkit.games import registry
from vaultkit.games.game import AnyGame
from vaultkit.games.options import Options, Value
from vaultkit.games.registry import GameInfo
from vaultkit.scene.rule_reference import Reference
from vaultkit.search.answers import Answers
from vaultkit.session import Session
from vaultkit.session.headers import EMPTY_MAPPING, TableFacts, new_header
from vaultkit.session.journal import Contents
from vaultkit.session.journal_records import Agreement, Header
from vaultkit.session.journal_store import SavedJournal, Store
from vaultkit.session.match import LAST_WINNER_BEGINS, Match, check_match, create_match
from vaultkit.session.options import all_options, find_overruling_rules, select_game_options, settle
from vaultkit.session.seats import BOT_NAMES, SeatSpec, parse_seats
from vaultkit.session.session import Clock
from vaultkit.session.session_ids import create_unused_id
from vaultkit.text import join_words, name_key
from vaultkit.vault.writing.history import private_folder


@dataclass(frozen=True)
class GameNotes:
    """The game that `info` describes, with the vault's notes for it; `deck_name` is the kind or name of its deck."""

    workspace: Workspace
    info: GameInfo
    deck_name: str

    @classmethod
    def from_name(
        cls, workspace: Workspace, name: str, assignments: Sequence[str] = (), *, deck: str = ""
    ) -> "GameNotes":
        """Return a game by its id or title.

        `assignments` are the options of `--set`. `deck` is the kind or name of a session's deck; with "" the options
        decide.

        Raises UsageError for an unknown game or option, and InvalidError or NothingFound without a valid deck for the
        game.
        """
        info = workspace.score_sheets.find_playable(name)
        notes = cls(workspace, info, deck or registry.rules(info.id).deck)
        if not deck:
            notes = replace(notes, deck_name=notes.game.deck_for(notes.option_values(assignments)))
        assert notes.deck_note, "a deck that cannot be used is refused here"
        return notes

    @classmethod
    def from_saved(cls, workspace: Workspace, session_id: str) -> "tuple[GameNotes, SavedJournal, Contents]":
        """Return a saved game of this vault, its file and its contents, by its id or the last letters of it.

        Raises NothingFound if there is no such game, and InvalidError if its journal is damaged or names an unknown
        game.
        """
        saved = Store(workspace.journals).find(session_id)
        if saved.contents is None:
            raise InvalidError(
                f"This game's journal cannot be read: {saved.problem}",
                where=str(saved.path),
                hint=saved.hint or "To delete a journal that cannot be repaired: vaultkit sessions --discard ID",
            )
        header = saved.contents.header
        try:
            return cls.from_name(workspace, header.game, deck=header.deck), saved, saved.contents
        except UsageError as error:
            hint = "The journal was changed by hand, or written by another version of vaultkit."
            raise InvalidError(error.message, where=str(saved.path), hint=hint) from error

    @cached_property
    def deck_note(self) -> DeckNote:
        """The note of the deck. Raises InvalidError or NothingFound without a valid one."""
        compendium, kind = self.workspace.compendium, self.deck_name
        if kind != self.info.deck and not known_deck(kind):
            return compendium.deck(kind)
        other_games = (info.id for info in registry.GAMES.values() if info.deck == kind)
        comes_with = self.info.id if kind == self.info.deck else next(other_games, self.info.id)
        return compendium.deck_of_kind(kind, self.info.id, game_to_copy=comes_with)

    @cached_property
    def game(self) -> AnyGame:
        return registry.rules(self.info.id)

    @cached_property
    def rule_note(self) -> RuleNote | None:
        return self.workspace.rule_note(self.info)

    @property
    def sources(self) -> Sources:
        """The notes that the game is played from, for the links of the session note."""
        return Sources.from_deck(self.rule_note.note.path if self.rule_note else "", self.deck_note)

    def options(
        self, assignments: Sequence[str], encounter_options: Mapping[str, object] = EMPTY_MAPPING
    ) -> dict[str, object]:
        """Return the house rules that somebody has set, by key (G-11).

        From weak to strong they come from the settings, the rule note, `encounter_options` and `assignments` (`--set`).

        Raises InvalidError that names the file with a wrong option, and UsageError for a word of `--set` without `=`.
        """
        return {
            **house_rules.valid_options(self.workspace, self.info),
            **encounter_options,
            **option_pairs(assignments),
        }

    def option_values(
        self, assignments: Sequence[str], encounter_options: Mapping[str, object] = EMPTY_MAPPING
    ) -> dict[str, Value]:
        """Return the value of every option.

        Raises UsageError for a key that is no option or a word of `--set` without `=`, and InvalidError that names the
        file with a wrong option.
        """
        return settle(self.game, self.options(assignments, encounter_options))

    def seats(self, seat_arguments: Sequence[str]) -> tuple[SeatSpec, ...]:
        """Return the seats that `--seat` names, or without any the players of the settings.

        Raises UsageError if both are empty, and for an unknown strategy of a bot.
        """
        seat_texts = tuple(seat_arguments) or self.workspace.settings.players
        if not seat_texts:
            raise UsageError("Who plays?", hint="Name each seat: --seat Ysolde --seat Bram --seat bot:greedy")
        seats = parse_seats(seat_texts, bots.names(), self._bot_names())
        bots.check_strategies((seat.strategy for seat in seats), self.game)
        return seats

    def _bot_names(self) -> Iterator[str]:
        """Return names for bots that no player and no note of the vault has."""
        workspace = self.workspace
        players = Players(workspace.vault, workspace.settings.players)
        return (name for name in workspace.settings.play.bot_names or BOT_NAMES if not players.is_known(name))

    def begin(
        self, seats: Sequence[SeatSpec], seed: int | None, *, clock: Clock, **table: Unpack[TableFacts]
    ) -> Session:
        """Begin a new session, with its journal in the vault.

        With None as `seed` a random one is drawn. Raises UsageError for seats or options with which the game
        cannot be played.
        """
        return self.begin_from_header(self._header(seats, seed, clock, table), clock)

    def begin_match(
        self, limit: int, seats: Sequence[SeatSpec], seed: int | None, *, clock: Clock, **table: Unpack[TableFacts]
    ) -> Match:
        """Create a new match of at most `limit` games, without any game yet.

        Raises UsageError for seats or options with which the match cannot be played.
        """
        table["agreement"] = msgspec.structs.replace(table.get("agreement", Agreement()), match_games=limit)
        header = self._header(seats, seed, clock, table)
        check_match(self.game, header, limit)
        self.game.new(len(seats), select_game_options(self.game, header.options), self.deck_note.deck)
        return create_match(private_folder(self.workspace.root, "journals"), header)

    def _header(self, seats: Sequence[SeatSpec], seed: int | None, clock: Clock, table: TableFacts) -> Header:
        folder = private_folder(self.workspace.root, "journals")
        actual_seed = secrets.randbelow(10**6) if seed is None else seed
        preset_turns = preset_chance_turns(self.workspace, self.game, table.get("options", EMPTY_MAPPING), seats)
        table["known"] = {**table.get("known", {}), **preset_turns}
        session_id, deck = create_unused_id(folder, self.info.id, clock(), actual_seed), self.deck_note.deck
        return new_header(self.game, deck, seats, clock(), id=session_id, seed=actual_seed, **table)

    def begin_from_header(self, header: Header, clock: Clock) -> Session:
        """Begin the session of a header that has no journal yet, and create its journal in the vault."""
        folder = private_folder(self.workspace.root, "journals")
        return Session.begin(folder, self.game, self.deck_note.deck, header, clock=clock)

    def begin_again(self, header: Header, clock: Clock) -> Session:
        """Begin another game with the seats, house rules and agreements of a finished one, and shuffle anew.

        Raises UsageError if the last winner is to begin and there is no single one (G-2).
        """
        notes = replace(
            self, workspace=Workspace(self.workspace.root, self.workspace.cached)
        )  # the last game may have been logged meanwhile
        facts = TableFacts(
            options=header.options, real_cards=header.real_cards, unseen=header.unseen, agreement=header.agreement,
            known=header.known,
        )  # fmt: skip
        return notes.begin(header.seats, None, clock=clock, **facts)

    def resume(self, path: Path, clock: Clock) -> Session:
        """Resume a session from its journal."""
        return Session.resume(path, self.game, self.deck_note.deck, clock=clock)

    def reference(self, session: Session, to_plain_text: Callable[[str], str]) -> Reference:
        """Return the reference to notes and rulings for a session; `to_plain_text` converts Markdown to plain text."""
        header = session.header
        return self.reference_under(header.options, to_plain_text, header.agreement.settled_options)

    def reference_under(
        self, options: Options, to_plain_text: Callable[[str], str], settled_keys: Collection[str] = ()
    ) -> Reference:
        """Return the reference to notes and rulings under some options; `settled_keys` are as in `answers`."""
        find_overruled = partial(find_overruling_rules, self.game, options, settled_keys)
        answers = self.answers(options, settled_keys)
        return Reference(self.rule_note, self.deck_note, to_plain_text, find_overruled, answers)

    def answers(self, options: Options, settled_keys: Collection[str] = ()) -> Answers:
        """Return the object that answers questions during a game with some options.

        Those with `settled_keys`, which an encounter or a character has settled, count with their defaults, since they
        are no house rules.
        """
        defaults = {option.key: option.default for option in all_options(self.game) if option.key in settled_keys}

        def in_force(info: GameInfo) -> Options:
            own_options = {**options, **defaults}
            return own_options if info is self.info else house_rules.option_values_if_set(self.workspace, info)

        language = self.workspace.settings.ask.language
        return Answers(self.workspace.compendium, in_force, self.info.id, language)

    def log(self, session: Session, campaign: str | None, *, now: datetime, dry_run: bool = False) -> LogResult:
        """Log a finished session in the campaign's notes."""
        result = from_session(session, self.sources, self.workspace.vault.root)
        vault, settings = self.workspace.vault, self.workspace.settings
        return record_game(result, vault, settings, campaign=campaign, now=now, dry_run=dry_run)


def option_pairs(assignments: Sequence[str]) -> dict[str, str]:
    """Return the `key=value` words of `--set` as a mapping. Raises UsageError for a word without `=`."""
    pairs = {}
    for word in assignments:
        key, equals, value = word.partition("=")
        if not equals:
            raise UsageError(f"'--set {word}' sets nothing.", hint="Write it as --set option=value.")
        pairs[key.strip()] = value.strip()
    return pairs


def preset_chance_turns(
    workspace: Workspace, game: AnyGame, options: Mapping[str, object], seats: Sequence[SeatSpec]
) -> Mapping[str, tuple[str, ...]]:
    """Return the seat of the last game's winner, by the key of the chance turn that an option gives to it (G-2).

    The mapping is empty unless an option has the value WINNER. Raises UsageError if these people have no logged game,
    if the last one has no single winner, or if the winner is not at the table.
    """
    values = settle(game, options)
    key = next((option.key for option in game.options if values[option.key] == LAST_WINNER_BEGINS), "")
    return {key: (str(_seat_of_winner(workspace, game, key, seats)),)} if key else {}


def _seat_of_winner(workspace: Workspace, game: AnyGame, key: str, seats: Sequence[SeatSpec]) -> int:
    """Return the seat of the winner of the last game among the same people.

    Raises UsageError if there is no such game, no single winner, or the winner is not at the table.
    """
    players = Players(workspace.vault, workspace.settings.players)
    identities = [players.note(seat.name) or name_key(seat.name) for seat in seats]
    people = {who for who, seat in zip(identities, seats, strict=True) if seat.is_person}
    games = (item for item in played_games(workspace.vault, workspace.settings.players) if item.game == game.id)
    same_people_games = (item for item in games if {who.identity for who in item.people} == people)
    newest_game = max(same_people_games, key=lambda item: item.order, default=None)
    last_game = newest_game and newest_game.single_games[-1]
    if last_game is None:
        raise _refusal(f"No game of {game.title} among these people is logged yet, so nobody has won the last one", key)
    winner = _find_single_winner(last_game, key)
    if winner.identity not in identities:
        reason = f"{winner.name}, who won the last game of {game.title}, is not at the table"
        raise _refusal(reason, key, last_game.note)
    return identities.index(winner.identity)


def _find_single_winner(last_game: PlayedGame, key: str) -> Participant:
    winners = [participant for participant in last_game.participants if participant.won]
    if len(winners) > 1:
        names = join_words(participant.name for participant in winners)
        raise _refusal(f"{names} share the win of the last game", key, last_game.note)
    if not winners:
        raise _refusal("Nobody has won the last game", key, last_game.note)
    return winners[0]


def _refusal(reason: str, key: str, where: str = "") -> UsageError:
    hint = f"Name a seat, counted from 0, as --set {key}=0, or draw lots: --set {key}=random"
    return UsageError(f"{reason}: '{key} = {LAST_WINNER_BEGINS}' names no seat (G-2).", where=where, hint=hint)
