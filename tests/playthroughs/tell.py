"""A seeded random game as a story: what each seat was asked, what it chose, and all that happened."""

from collections.abc import Iterator
from random import Random

from vaultkit.cards.deck import known_deck
from vaultkit.games.game import AnyGame
from vaultkit.games.messages import Event, Outcome, Sentence
from vaultkit.games.options import resolve
from vaultkit.games.turn import Chance, Move, Turn, draw_move

NAMES = ("Ysolde", "Bram", "Sefa", "Corin", "Mirela")


class Teller:
    """Plays one game and tells it, line by line. Only `Random.random` is used, whose numbers Python keeps for ever."""

    def __init__(self, game: AnyGame, seats: int, seed: int, **options: object) -> None:
        settled = resolve(game.options, options, game.title)
        deck = known_deck(game.deck_for(settled))
        assert deck is not None
        self.game, self.deck, self.seats, self.options = game, deck, seats, options
        self.rng = Random(seed)
        self.state = game.new(seats, settled, deck)

    def story(self) -> Iterator[str]:
        settings = ", ".join(f"{key}={value}" for key, value in self.options.items()) or "the rules as they are"
        yield f"## {self.game.title}: {settings}"
        yield ""
        turn = self.state.turn
        while turn is not None:
            yield from self._asked(turn)
            move = self._choose(turn)
            if not isinstance(turn, Chance):
                yield f"    > {move.id}"
            yield from map(self._told, self.state.apply(move))
            turn = self.state.turn
        outcome = self.game.outcome(self.state)
        assert outcome is not None
        yield from self._ending(outcome)

    def _speak(self, sentence: Sentence) -> str:
        return sentence.render(NAMES.__getitem__, lambda card: self.deck[card].title)

    def _asked(self, turn: Turn) -> Iterator[str]:
        if isinstance(turn, Chance) or turn is None:
            return
        secret = ", face down" if turn.secret else ""
        yield f"    {NAMES[turn.seat]}{secret}: {self._speak(turn.text)} [{turn.rule}; {', '.join(turn.rulings)}]"
        yield f"    | {', '.join(move.id for move in turn.moves)}"

    def _choose(self, turn: Turn) -> Move:
        assert turn is not None
        if not isinstance(turn, Chance):
            return turn.moves[self._below(len(turn.moves))]
        if turn.options:
            return draw_move(turn.options[self._below(len(turn.options))])
        left = list(turn.pile.unknown)
        cards = [left.pop(self._below(len(left))) for _ in range(min(turn.count, len(left)))]
        return draw_move(*cards, *turn.pile.bottom[: turn.count - len(cards)])

    def _below(self, limit: int) -> int:
        return int(self.rng.random() * limit)

    def _told(self, event: Event) -> str:
        who = "" if event.seen_by is None else f" (seen by {', '.join(NAMES[seat] for seat in sorted(event.seen_by))})"
        mark = "* " if event.notable else ""
        return f"{mark}{self._speak(event.sentence)}{who}"

    def _ending(self, outcome: Outcome) -> Iterator[str]:
        winners = ", ".join(NAMES[seat] for seat in outcome.winners) or "nobody"
        yield ""
        yield f"The end ({outcome.kind}): {self._speak(outcome.reason)} Winners: {winners}."
        for label, fact in outcome.facts:
            yield f"{label}: {self._speak(fact)}"
        for table in self.game.score_tables(outcome):
            yield ""
            yield table.title
            yield " | ".join(table.columns)
            for seat, row in zip(table.seats, table.rows, strict=True):
                yield " | ".join((NAMES[seat], *row[1:]))
