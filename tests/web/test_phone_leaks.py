"""Leaks of hidden information: cards that a seat may not know change no byte that its page is sent.

Two worlds are played move by move, in which two cards that a seat never sees have changed places. Everything sent to
that seat's phone must be the same in both, and so must everything sent to the screen, which knows no more than any
seat.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from random import Random

import pytest

from tests.counts import count
from tests.web.phone_driver import Phone, PhoneTable, Tap, fix_lots, phone_table, seats_of
from vaultkit import resources
from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.workspace import Workspace
from vaultkit.games.turn import Chance, IllegalMove, Move, Prompt, draw_move
from vaultkit.host import game_host as game_module
from vaultkit.session.headers import EMPTY_MAPPING
from vaultkit.session.history import GameHistory, Step
from vaultkit.session.options import settle
from vaultkit.session.seeded_choices import deal

GAMES: tuple[tuple[str, int, Mapping[str, object]], ...] = (
    ("propheta", 3, EMPTY_MAPPING),
    ("prophets-gambit", 3, EMPTY_MAPPING),
    ("dragon-citadel", 3, {"mode": "competitive"}),
    ("dragon-citadel", 3, EMPTY_MAPPING),
    ("turn-of-fate", 2, EMPTY_MAPPING),
    ("deck-of-destiny", 1, EMPTY_MAPPING),
)
QUESTIONS = ({"do": "who"}, {"do": "why", "card": "raven"}, {"do": "offer", "offer": 0, "question": "x"})


@dataclass(frozen=True)
class Case:
    found: GameNotes
    people: int
    options: Mapping[str, object]
    bots: int = 0

    @property
    def seats(self) -> int:
        return self.people + self.bots

    def history(self) -> GameHistory:
        game = self.found.game
        seats = seats_of(self.people, self.bots)
        return GameHistory(game, self.found.deck_note.deck, seats, settle(game, self.options))

    def play_whole(self, rng: Random) -> GameHistory:
        """Play a whole game with random moves."""
        history = self.history()
        while (turn := history.state.turn) is not None:
            auto = isinstance(turn, Prompt) and len(turn.moves) == 1 and not turn.ask_always
            n = len(history.steps) + 1
            move = deal(turn, rng.randrange(999), n) if isinstance(turn, Chance) else rng.choice(turn.moves)
            history.play(move, lambda _: None, auto=auto)
        return history


@dataclass(frozen=True)
class Pair:
    """Two worlds that look the same to a seat for `steps` steps."""

    seat: int
    steps: int
    one: tuple[Step, ...]
    other: tuple[Step, ...]

    @property
    def apart(self) -> int:
        """The number of steps in which the worlds differ."""
        alike = [one.move == other.move for one, other in zip(self.one, self.other, strict=True)]
        return self.steps - alike.index(False) if False in alike else 0


def pairs(case: Case, rng: Random) -> Iterator[Pair]:
    """Yield pairs of worlds for each seat in turn, the longest-lasting difference of 40 samples each time."""
    whole = tuple(case.play_whole(rng).steps)
    while True:
        for seat in range(case.seats):
            tried = [_exchange_cards(case, whole, seat, rng) for _ in range(40)]
            yield max(tried, key=lambda pair: pair.apart)


def _exchange_cards(case: Case, whole: tuple[Step, ...], seat: int, rng: Random) -> Pair:
    here, there = case.history(), case.history()
    ids = case.found.deck_note.deck.by_id.keys() & {card for step in whole for card in step.move.operands}
    one, other = rng.sample(sorted(ids - here.state.view(seat).seen), 2)
    swap = {one: other, other: one}
    for step in whole:
        try:
            move = _exchange(step, swap)
            mine = here.play(step.move, lambda _: None, step.auto)
            theirs = there.play(move, lambda _: None, step.auto)
        except IllegalMove:
            break
        if _visible_step(here, mine, seat) != _visible_step(there, theirs, seat) or here.outcome():
            break
    steps = min(len(here.steps), len(there.steps)) - 1
    return Pair(seat, steps, tuple(here.steps[:steps]), tuple(there.steps[:steps]))


def _exchange(step: Step, swap: Mapping[str, str]) -> Move:
    cards = tuple(swap.get(one, one) for one in step.move.operands)
    return draw_move(*cards) if step.chance else Move(step.move.verb, cards)


def _visible_step(history: GameHistory, step: Step, seat: int) -> object:
    return history.state.view(seat), [event.sentence for event in step.events if event.is_visible_to(seat)]


def watch(case: Case, folder: Path, script: tuple[Step, ...], seat: int) -> list[list[str]]:
    """Return everything sent to the screen and to a seat's phone in one world; a bot's seat has no phone."""
    folder.mkdir(parents=True)
    table = phone_table(case.found, folder, case.people, case.options, bots=case.bots, script=script)
    with table.game.session as session:
        phones = {one: table.phone(one) for one in range(case.people)}
        own = [phones[seat].client] if seat in phones else []
        taps = list(map(Tap.attach, (table.door.clients[0], *own)))
        table.order("begin")
        _go_on(table)
        while len(session.steps) < len(script):
            step, prompt = script[len(session.steps)], session.prompt
            assert prompt and step.seat == prompt.seat
            place = prompt.moves.index(step.move)
            if prompt.seat != seat and seat in phones:
                _seal(table, phones[seat], script, taps[1])
            asked = table.page.sight(phones[prompt.seat].client).question
            order = {"question": asked, "do": "offer", "offer": place, "sure": True}
            answer = phones[prompt.seat].post(f"{phones[prompt.seat].at}order", order)
            assert answer.status == 200, answer.body
            if prompt.seat == seat:
                taps[1].answer(answer)
            _go_on(table)
            for more in QUESTIONS if seat in phones else ():
                taps[1].answer(phones[seat].post(f"{phones[seat].at}order", more))
    return [tap.sent for tap in taps]


def _seal(table: PhoneTable, phone: Phone, script: tuple[Step, ...], tap: Tap) -> None:
    """Let a phone choose in secret before the others have chosen, where it may (G-3)."""
    seat, steps = int(phone.client.seat), len(table.game.session.steps)
    later = [step.move for step in script[steps:] if step.seat == seat]
    while (scene := table.game._scene_ahead(seat)) and len(
        made := table.game._pending._moves_by_seat.get(seat, [])
    ) < len(later):
        place = [offer.move for offer in scene.offers].index(later[len(made)])
        asked = table.page.sight(phone.client).question
        order = {"question": asked, "do": "offer", "offer": place, "sure": True}
        tap.answer(phone.post(f"{phone.at}order", order))


def _go_on(table: PhoneTable) -> None:
    """Advance step by step, publishing each one, until a person is asked or the script ends."""
    while table.page.go_on(watched=True) is not None:
        table.host.publish()
    table.host.publish()


def compare(case: Case, folder: Path, pair: Pair, patch: pytest.MonkeyPatch) -> None:
    fix_lots(patch)
    patch.setattr(game_module, "_STEP_SLICE_SECONDS", -1.0)
    mine = watch(case, folder / "mine", pair.one, pair.seat)
    theirs = watch(case, folder / "theirs", pair.other, pair.seat)
    for whose, here, there in zip(("screen", "phone"), mine, theirs, strict=False):
        for number, (one, other) in enumerate(zip(here, there, strict=False)):
            assert one == other, (whose, number)
        assert len(here) == len(there), whose


@pytest.fixture(scope="module")
def workspace() -> Workspace:
    return Workspace(resources.shipped_folder("vault-example"), cached=False)


@pytest.mark.slow
@pytest.mark.parametrize("game", GAMES, ids=lambda one: f"{one[0]}{'-rivals' * bool(one[2])}")
@pytest.mark.parametrize("seed", range(count(2, 20)))
def test_hidden_information_changes_no_byte_sent_to_a_page(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, game: tuple[str, int, Mapping[str, object]],
    seed: int,
) -> None:  # fmt: skip
    name, seats, options = game
    bots = min(seed % 2, seats - 1)
    notes = GameNotes.from_name(workspace, name, [f"{key}={word}" for key, word in options.items()])
    case = Case(notes, seats - bots, options, bots)
    for number, pair in enumerate(islice(pairs(case, Random(f"{name} {seed}")), case.seats)):
        assert pair.apart > 0 or name == "deck-of-destiny" or (name == "dragon-citadel" and not options)
        compare(case, tmp_path / str(number), pair, monkeypatch)


@pytest.mark.short(1)
@pytest.mark.parametrize("kind", [("prophets-gambit", 3, 0, 0), ("turn-of-fate", 1, 1, 1)], ids=lambda kind: kind[0])
def test_hidden_events_do_not_reach_a_page_in_the_first_rounds(
    workspace: Workspace, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: tuple[str, int, int, int]
) -> None:
    game, people, bots, seat = kind
    case = Case(GameNotes.from_name(workspace, game, []), people, EMPTY_MAPPING, bots)
    pair = next(pair for pair in pairs(case, Random(1)) if pair.seat == seat)
    short = Pair(pair.seat, 14, pair.one[:14], pair.other[:14])
    assert short.apart > 5
    compare(case, tmp_path, short, monkeypatch)
