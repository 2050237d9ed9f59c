"""Readers of games that compare hands: Prophet's Gambit and the Deck of Destiny."""

from collections.abc import Iterator
from itertools import combinations
from typing import Any

from tests.campaign.story_truth.records import Found, Reader, Scores
from vaultkit.games.messages import Seat


class GambitReader(Reader):
    """The reader of Prophet's Gambit: High cards, discarded Fates, and the verdict on the Focus."""

    chapter_name, counts = "round", False

    def chapter_of(self, before: Any, after: Any) -> int:
        return int(before.at.round)

    def scores(self, state: Any) -> Scores:
        """Return the rank of each seat's best hand of three cards, Fate and Focus."""
        return tuple(self._best_rank(state, seat) for seat in range(self.seats))

    def _best_rank(self, state: Any, seat: Seat) -> float:
        at = state.at
        fixed = tuple(card for card in (at.fates[seat], at.focus) if card is not None)
        held = at.hands[seat]
        rests = [tuple(card for card in held if card != gone) for gone in self._must_play(at, seat)] or [held]
        hands = (three for rest in rests for three in combinations(rest, min(3, len(rest))))
        values = [self.cards.ranking.value((*hand, *fixed)) for hand in hands if len(hand) + len(fixed) in (4, 5)]
        return float(max((value.strength for value in values), default=0))

    def _must_play(self, at: Any, seat: Seat) -> list[str]:
        """Return the cards one of which a marionette has to play."""
        if not at.forced or at.forced[0] != seat:
            return []
        numbers = {card: rank for card in at.hands[seat] if (rank := self.cards.number[card]) is not None}
        wanted = (max if at.forced[1] == "highest" else min)(numbers.values(), default=None)
        return [card for card, number in numbers.items() if number == wanted] or list(at.hands[seat])

    def deeds(self, before: Any, after: Any) -> Iterator[Found]:
        old, new = before.at, after.at
        if old.focus is None and new.focus is not None and old.round == 0:
            yield "focus", (new.dealer + 1) % self.seats, (new.focus,), None, {}
        for seat, card in new.risks[len(old.risks) :]:
            yield (
                "high-card",
                seat,
                (card,),
                None,
                {"innocent": next((owner for owner, kept in enumerate(old.kept) if "innocent" in kept), None)},
            )
        for seat in range(self.seats):
            fate = old.fates[seat]
            if fate is not None and new.fates[seat] is None:
                yield "replace", seat, (fate,), None, {}
        if new.judged and not old.judged:
            yield "execution", new.judged.seat, (new.judged.focus,), None, {"verdict": new.judged.verdict}
        task = after.stack[-1] if after.stack else None
        if type(task).__name__ == "Trade" and type(before.stack[-1]).__name__ != "Trade":
            yield "tempt", task.seat, (), task.target, {}


class DestinyReader(Reader):
    """The reader of the Deck of Destiny: cards laid, the board, and the final hands."""

    counts = False

    def scores(self, state: Any) -> Scores:
        """Return the rank of the best hand of the cards laid and the open board."""
        at = state.at
        board = tuple(card for card in at.board if card in self.deck.by_id)
        if not at.own or len(at.own) + len(board) < 5:
            return (0.0,)
        return (float(state.rules.find_best(at.own, board)[0].strength),)

    def deeds(self, before: Any, after: Any) -> Iterator[Found]:
        old, new = before.at, after.at
        for phase, kind in ((0, "lay"), (1, "add"), (2, "add")):
            for card in new.laid[phase][len(old.laid[phase]) :]:
                yield kind, 0, (card,), None, {}
        if turned := self._turned_up(old, new):
            yield "board", 0, turned, None, {}
        yield from self._hands(before, new)
        if new.end and not old.end and new.end.kind == "retreat":
            yield "retreat", 0, (), None, {"phase": new.end.phase}
        if new.reward and not old.reward:
            yield "reward", 0, new.reward, None, {}
        if type(before.stack[-1]).__name__ == "ProceedOrRetreat" and not new.end:
            yield "proceed", 0, (), None, {}

    def _turned_up(self, old: Any, new: Any) -> tuple[str, ...]:
        """Return the cards of the board that were turned up in a step, wherever they lie afterwards."""
        board = new.board
        if new.end and not old.end:
            board = new.end.board
        elif len(new.ties) > len(old.ties):
            board = new.ties[-1].board
        return tuple(card for card in board if card in self.deck.by_id and card not in old.board)

    def _hands(self, before: Any, new: Any) -> Iterator[Found]:
        """Yield the hands that were compared, at the end or before new cards were dealt."""
        old, name = before.at, self.cards.hand_name
        made = [(0, new.end.best), (None, new.end.opponent_best)] if new.end and not old.end else []
        for who, best in made:
            if best:
                yield "hand", who, best.cards, None, {"hand": name(best.value.category)}
        if len(new.ties) > len(old.ties):
            tie = new.ties[-1]
            for own, who in ((old.own, 0), (tie.opponent, None)):
                value, cards = before.rules.find_best(own, tie.board)
                yield "hand", who, cards, None, {"hand": name(value.category)}
