"""Whole games as people would enter them with `--light`, derived from the events."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple

from tests.games.conformance import LONGEST, Case, answer, deck_of, start
from tests.games.scoresheets.papers import options_of
from vaultkit.cards import Deck
from vaultkit.games.game import State
from vaultkit.games.ledger import Ledger, LedgerLine, open_ledger
from vaultkit.games.messages import Event, Seat
from vaultkit.games.turn import Chance, Prompt
from vaultkit.session.scoresheets import score_sheet


class Whole(NamedTuple):
    """A finished game: the events of each step, and the number of answers that people typed."""

    state: Any
    steps: Sequence[tuple[Event, ...]]
    typed: int


def played(case: Case, rng: Random) -> Whole:
    state, shy, typed = start(case, rng), rng.random() < 0.8, 0
    steps: list[tuple[Event, ...]] = []
    while state.turn is not None and len(steps) < LONGEST:
        typed += _is_typed(state)
        steps.append(state.apply(answer(state, rng, shy)))
    return Whole(state, steps, typed)


def _is_typed(state: State[Any]) -> bool:
    """Return whether a person types the answer: to chance, and to a decision with a choice or always asked (G-6)."""
    turn = state.turn
    return isinstance(turn, Chance) or (isinstance(turn, Prompt) and (len(turn.moves) > 1 or turn.ask_always))


def written_down(case: Case, whole: Whole) -> Ledger:
    entries = tuple(ENTRIES[case.game.id](whole))
    sheet, deck = score_sheet(case.game.id), deck_of(case.game, case.given)
    return open_ledger(sheet, whole.state.seats, options_of(case), deck, entries)


def at(seat: Seat) -> str:
    return f"@{seat}"


def citadel(whole: Whole) -> Iterator[LedgerLine]:
    """Yield a line for each round: the cards won and with what, open Crowns spent, and seats that are out."""
    line: list[str] = []
    laid: list[str] = []
    for events in whole.steps:
        for event in events:
            if event.kind == "turn-up":
                yield from _round(line, whole)
                line, laid = [event.cards[0]], []
            elif event.kind in {"plays", "reveal"}:
                pairs = zip(event.sentence.seats, event.cards, strict=False)
                laid += [token for seat, card in pairs for token in (at(seat), card)]
            elif event.kind == "won" and event.sentence.words.startswith("Everybody"):
                line += laid
            elif event.kind == "won":
                line += [at(event.sentence.seats[0]), event.cards[1]]
            elif event.kind == "crown":
                line += [at(event.sentence.seats[-1]), event.cards[0]] if len(event.cards) == 1 else [event.cards[0]]
            elif event.kind == "forfeit":
                line += [at(event.sentence.seats[0]), "out"]
            elif event.kind == "joker":
                line = [*line[:1], at(event.sentence.seats[0]), event.cards[0]]
    yield from _round(line, whole)
    if whole.state.at.end.kind in {"party", "score"}:
        yield ("over",)


def _round(line: list[str], whole: Whole) -> Iterator[LedgerLine]:
    """Yield the line of a round; a lone Crown was paid for by all, any other lone card was lost (DC-9, DC-22)."""
    if line:
        alone = len(line) == 1 and not whole.state.rules.cards.is_crown(line[0])
        yield (line[0], "lost") if alone else tuple(line)


def propheta(whole: Whole) -> Iterator[LedgerLine]:
    """Yield a line for each trick: its winner, and the prophecies turned up."""
    line: list[str] = []
    for events in whole.steps:
        for event in events:
            if event.kind in {"won", "trick"} and event.cards:
                if line:
                    yield tuple(line)
                line = [at(event.sentence.seats[0])]
            elif event.kind == "fulfilled":
                pairs = zip(event.sentence.seats, event.cards, strict=True)
                line += [token for seat, card in pairs for token in (at(seat), card)]
    yield tuple(line)


def gambit(whole: Whole) -> Iterator[LedgerLine]:
    """Yield the lines of the dealer, the Focus, and the hands with the Fate last."""
    at_end = whole.state.at
    judged, donjon = at_end.judged, at_end.donjon
    if not isinstance(whole.state.rules.options["dealer"], int):
        yield (at(at_end.dealer), "dealer")
    ended = (at(donjon), "ended") if donjon is not None else ()
    if judged is None:
        yield (*ended, "focus", at_end.focus)
    else:
        yield (*ended, at(judged.seat), {"kill": "killed", "save": "saved"}[judged.verdict], judged.focus)
    for seat, hand in enumerate(at_end.hands):
        yield (at(seat), *hand, at_end.fates[seat])


def fate(whole: Whole) -> Iterator[LedgerLine]:
    """Yield the lines of the temples, the first Citizens, and each turn."""
    line: list[str] = []
    for events in whole.steps:
        for event in events:
            if event.kind == "temples":
                yield (at(event.sentence.seats[0]), str(event.sentence.values[0]).lower())
            elif event.kind in {"introduce", "own-mind"}:
                line.append(event.cards[0])
            elif event.kind in {"play", "wild", "pass"}:
                if line:
                    yield tuple(line)
                line = [*event.cards] or ["pass"]
    if line:
        end = whole.state.at.end
        stuck = end.kind == "no-fate" and end.seat == whole.state.at.mover
        same = stuck and _moved_last(whole) == end.seat
        yield (*line, "over") if same else tuple(line)
        if end.kind != "nobody-left" and not same:
            yield ("over" if end.kind == "no-fate" else "stalled",)


def _moved_last(whole: Whole) -> Seat:
    told = (event.seat for events in whole.steps for event in events if event.kind in {"play", "wild", "pass"})
    return [seat for seat in told if seat is not None][-1]


def destiny(whole: Whole) -> Iterator[LedgerLine]:
    """Yield the cards of each phase, and the result."""
    end = whole.state.at.end
    yield from filter(None, end.laid)
    result = {"win": "won", "loss": "lost"}.get(end.kind, end.kind)
    yield (result, *([end.best.value.category.value.lower()] if end.best else []), *whole.state.at.reward)


ENTRIES: Mapping[str, Callable[[Whole], Iterator[LedgerLine]]] = {
    "dragon-citadel": citadel,
    "prophets-gambit": gambit,
    "propheta": propheta,
    "turn-of-fate": fate,
    "deck-of-destiny": destiny,
}


def typed(entry: LedgerLine, names: Sequence[str], deck: Deck) -> str:
    """Return an entry as people might type it."""
    return ", ".join(_spelt(token, names, deck) for token in entry)


def _spelt(token: str, names: Sequence[str], deck: Deck) -> str:
    if token.startswith("@"):
        return names[int(token[1:])].lower()
    return deck[token].name if token in deck.by_id else token
