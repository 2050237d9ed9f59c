"""A request to play a game: what the players want, checked in one place before anything is opened or saved."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property

from msgspec.structs import replace

from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.log import check_target
from vaultkit.campaign.logbook import Logbook
from vaultkit.campaign.matches import MatchNotes
from vaultkit.campaign.players import Players, split_names
from vaultkit.campaign.stakes import GameStake, resolve_stake
from vaultkit.errors import UsageError
from vaultkit.games.options import Value
from vaultkit.scene import narration
from vaultkit.session import Session
from vaultkit.session.headers import TableFacts
from vaultkit.session.options import settle
from vaultkit.session.real_deck import find_refereeing
from vaultkit.session.seats import SeatSpec
from vaultkit.session.session import Clock
from vaultkit.text import format_command, format_range


@dataclass(frozen=True)
class ScreenRequest:
    """The screens that show a game: the terminal, or with `table` the browser, or with `phones` the browser and phones.

    `script` is a file of moves, None without one. `address` is the one that phones use, None to choose it.
    """

    script: str | None = None
    plain: bool = False
    ascii_only: bool = False
    table: bool = False
    phones: bool = False
    address: str | None = None

    @property
    def is_in_browser(self) -> bool:
        return self.table or self.phones

    def check(self, *, real_cards: bool = False, gm: bool = False, match: bool = False) -> None:
        """Raise UsageError for options that the browser or phones cannot use."""
        terminal_options = {"--script": self.script, "--plain": self.plain, "--ascii": self.ascii_only}
        if self.is_in_browser and (option := next((name for name, value in terminal_options.items() if value), "")):
            raise UsageError(f"{option} is for the terminal.", hint=f"Leave out {option} or --table.")
        if self.address and not self.phones:
            raise UsageError("--address is for --phones.", hint="Leave out --address, or add --phones.")
        reasons = {
            "A match cannot be played on phones yet.": match,
            "Real cards are in the hands of people, not on phones.": real_cards,
            "A GM without a seat has no phone yet.": gm,
        }
        if self.phones and (reason := next((reason for reason, applies in reasons.items() if applies), "")):
            raise UsageError(reason, hint="Use --table instead of --phones: one screen for all.")


@dataclass(frozen=True)
class PlayRequest:
    """A request to play a game: who plays, house rules, and how it is played, shown and logged.

    `game` is an id or a title. With `real_cards` a deck lies on the table: players enter only what decides the game, or
    with `referee` every card. `match` is the highest number of games, None for a single game. `gm` plays the dealer,
    None for nobody. `words` is the command line as it was typed, for hints that repeat it; `names` are those of its
    words that name the game and who plays.
    """

    game: str = ""
    seats: Sequence[str] = ()
    seed: int | None = None
    options: Sequence[str] = ()
    campaign: str | None = None
    is_logged: bool = True
    real_cards: bool = False
    referee: bool = False
    character: str | None = None
    encounter: str | None = None
    new_inventory: bool = False
    story: bool = False
    match: int | None = None
    gm: str | None = None
    screen: ScreenRequest = field(default_factory=ScreenRequest)
    words: Sequence[str] = ("play",)
    names: Sequence[str] = ()

    @property
    def command(self) -> str:
        """The command line as it was typed."""
        return format_command(self.words)

    def command_with(self, game: str, seats: Sequence[str]) -> str:
        """Return the command line as it was typed, with another name of the game and other players."""
        words, names, rest = ["play", game], ["play", *self.names], iter(self.words)
        for word in rest:
            if word == "--seat":
                next(rest, None)
            elif names and word == names[0]:
                names.pop(0)
            elif not word.startswith("--seat="):
                words.append(word)
        return format_command(words, {"--seat": seats})

    @property
    def records_only_scores(self) -> bool:
        """Whether players enter only what decides a game with real cards."""
        return self.real_cards and not self.referee

    def check(self) -> None:
        """Raise UsageError for options that do not go together in any game."""
        if self.referee and not self.real_cards:
            raise UsageError("--referee is for real cards.", hint=f"Add them: {self.command} --real-cards")
        if self.real_cards and self.seed is not None:
            raise UsageError("A seed has no effect with real cards.", hint="Leave out --seed, or --real-cards.")
        self.screen.check(real_cards=self.real_cards, gm=self.gm is not None, match=self.match is not None)
        every_card_options = {
            "--story": self.story,
            "--character": self.character is not None,
            "--encounter": self.encounter is not None,
            "--new-inventory": self.new_inventory,
            "--match": self.match is not None,
            "--gm": self.gm is not None,
        }
        option = next((name for name, is_used in every_card_options.items() if is_used), "")
        if self.records_only_scores and option:
            raise self.every_card_error(option)

    def every_card_error(self, name: str) -> UsageError:
        """Return the error for the option or bot `name`, which needs a game in which every card is entered."""
        message = f"{name} needs every card, and --real-cards asks only for what decides the game."
        return UsageError(message, hint=f"Enter every card: {self.command} --referee")


@dataclass(frozen=True)
class GameSetup:
    """A request that can be played with a game's notes, with the stake of its character and encounter."""

    request: PlayRequest
    notes: GameNotes
    stake: GameStake

    @classmethod
    def from_request(cls, request: PlayRequest, notes: GameNotes) -> "GameSetup":
        """Check a request against a game, and resolve its stake.

        Raises UsageError for options that the game does not have, and MissingNote or InvalidError for errors in the
        notes of a character or an encounter.
        """
        if request.story:
            narration.check_story(notes.game)
        stake = resolve_stake(notes, request.options, request.character, request.encounter, request.new_inventory)
        return cls(request, notes, stake)

    @property
    def seat_words(self) -> Sequence[str]:
        """The seats as they were named; the character has the only one if nobody was named."""
        workspace = self.notes.workspace
        return split_names(self.request.seats, Players(workspace.vault, workspace.settings.players)) or [
            self.stake.character
        ] * bool(self.stake.character)

    @cached_property
    def options(self) -> dict[str, Value]:
        """The value of every option."""
        return settle(self.notes.game, self.stake.options)

    def check(self, seats: Sequence[SeatSpec], now: datetime, *, are_named: bool = True) -> None:
        """Raise UsageError for seats that cannot play so, and VaultkitError if the game could not be logged.

        Seats that are not named are the players of the settings.
        """
        request, workspace = self.request, self.notes.workspace
        if request.gm:
            self.notes.game.check_gm(self.options)
        if request.is_logged:
            check_target(workspace.vault, workspace.settings, request.campaign, now.date())
        has_bot = any(not seat.is_person for seat in seats)
        if request.records_only_scores and (has_bot or not self.notes.info.ledger):
            find_refereeing(self.notes.info.id, self.options, seats)
            raise request.every_card_error("A bot" if has_bot else self.notes.info.title)
        if fault := self.seat_fault(len(seats), are_named=are_named):
            others = "".join(f" Or with --set {value}." for value in self._find_seat_options(len(seats)))
            command = self.request.command_with(self.notes.info.id, self.propose_seats(seats))
            hint = f"Say who plays, for example: {command}{others and f'.{others}'}"
            raise UsageError(fault, hint=hint)

    def seat_fault(self, count: int, *, are_named: bool) -> str:
        """Return the message `Propheta is for 2 to 4 players, not 5.`; "" if `count` players can play.

        Players who are not named are those of the settings.
        """
        fewest, most = self.notes.game.seats_under(self.options)
        if fewest <= count <= most:
            return ""
        reason = f"not {count}" if are_named else f"but the settings have {count}"
        return f"{self.notes.info.title} is for {format_range(fewest, most, 'player')}, {reason}."

    def propose_seats(self, seats: Sequence[SeatSpec]) -> list[str]:
        """Return the first of the seats with which the game can be played, with bots in the place of missing people."""
        fewest, most = self.notes.game.seats_under(self.options)
        names = [f"bot:{seat.strategy}" if seat.strategy else seat.name for seat in seats]
        others = [f"Guest {n}" if self.request.records_only_scores else "bot:fair" for n in range(len(names), fewest)]
        return [*names, *others][:most]

    def _find_seat_options(self, count: int) -> Iterator[str]:
        """Yield house rules, as option=value, under which that many can play."""
        game = self.notes.game
        for option in game.options:
            for value in option.values:
                fewest, most = game.seats_under({**self.options, option.key: value})
                if fewest <= count <= most:
                    yield f"{option.key}={value}"

    def begin_logbook(self, seats: Sequence[SeatSpec], now: datetime) -> Logbook:
        """Begin a game with real cards of which only the entries that decide it are recorded."""
        request = self.request
        return Logbook.begin(
            self.notes, seats, self.options, now, campaign=request.campaign, wants_log=request.is_logged
        )

    def begin_match(self, seats: Sequence[SeatSpec], limit: int, clock: Clock) -> MatchNotes:
        """Begin a match of at most `limit` games."""
        facts = self._table_facts(seats)
        return MatchNotes(self.notes, self.notes.begin_match(limit, seats, self.request.seed, clock=clock, **facts))

    def begin_session(self, seats: Sequence[SeatSpec], clock: Clock) -> Session:
        """Begin a game of which vaultkit knows every card."""
        return self.notes.begin(seats, self.request.seed, clock=clock, **self._table_facts(seats))

    def _table_facts(self, seats: Sequence[SeatSpec]) -> TableFacts:
        request, stake = self.request, self.stake
        unseen = find_refereeing(self.notes.info.id, self.options, seats).unseen if request.real_cards else ()
        agreement = replace(
            stake.agreement,
            campaign=request.campaign,
            is_logged=request.is_logged,
            tells_story=request.story,
            gm=request.gm or "",
        )
        return TableFacts(
            options=stake.options, real_cards=request.real_cards, unseen=unseen, agreement=agreement, known=stake.known
        )
