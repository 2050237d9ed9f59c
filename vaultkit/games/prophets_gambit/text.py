"""What moves and zones are called, and the score table."""

from collections.abc import Iterator, Mapping

from vaultkit.games.hands import TAROKKA_NAMES
from vaultkit.games.prophets_gambit.ending import CATEGORY_NUMBER, rank_name
from vaultkit.games.prophets_gambit.state import GambitView
from vaultkit.games.turn import Move
from vaultkit.games.words import Outcome, Seat, Sentence, Table, Zone

LABELS = {
    "show": "Show the {c0}",
    "keep": "Keep the Fate",
    "replace": "Discard the Fate and take a new one",
    "play": "Play the {c0}",
    "risk": "Risk the {c0}: discard it and turn a High card",
    "draw-one": "Draw a card, then discard one",
    "decline": "Do not draw",
    "discard": "Discard {cards}",
    "demand": "Have the {c0} discarded",
    "take": "Take the {c0}",
    "pass": "Pass the {c0} to the left",
    "offer": "Trade the {c0} away",
    "kill": "Kill the Focus",
    "save": "Save the Focus",
    "draw": "{cards}",
}
CATEGORIES = {number: TAROKKA_NAMES[category] for category, number in CATEGORY_NUMBER.items()}


def label(move: Move) -> Sentence:
    """What a move means, as an offer."""
    if move.verb == "target":
        return Sentence("{s0}", (int(move.operands[0]),))
    if move.verb == "order":
        seat, way = move.operands
        return Sentence("{s0} must play the {v0} numbered card", (int(seat),), (), (way,))
    if move.verb == "discard" and len(move.operands) == 1:
        return Sentence("Discard the {c0}", (), move.operands)
    return Sentence(LABELS[move.verb], (), move.operands)


def table(view: GambitView) -> tuple[Zone, ...]:
    """The Focus, the Fates, what all show, the hands, and the piles."""
    return (*_middle(view), *_in_front(view), *_hands(view), *_piles(view))


def _middle(view: GambitView) -> Iterator[Zone]:
    if view.turned is not None:
        yield Zone(Sentence("High card"), (view.turned,))
    if view.focus is not None:
        yield Zone(Sentence("Focus"), (view.focus,))
    for seat in _own_first(view):
        if view.dealt[seat]:
            fate = view.fates[seat]
            words = "Your Fate" if seat == view.seat else "Fate of {s0}"
            cards, hidden = ((), 1) if fate is None else ((fate,), 0)
            yield Zone(_title(words, seat), cards, hidden, seat)


def _in_front(view: GambitView) -> Iterator[Zone]:
    for seat, pile in enumerate(view.shown):
        if pile:
            dealer = ", the dealer" if seat == view.dealer else ""
            yield Zone(Sentence(f"Shown by {{s0}}{dealer}", (seat,)), pile[-1:], owner=seat)
        if view.kept[seat]:
            yield Zone(Sentence("Kept by {s0}", (seat,)), view.kept[seat], owner=seat)


def _hands(view: GambitView) -> Iterator[Zone]:
    for seat in _own_first(view):
        known = view.hands[seat]
        words = "Your hand" if seat == view.seat else "Hand of {s0}"
        yield Zone(_title(words, seat), known, view.hand_sizes[seat] - len(known), seat)


def _piles(view: GambitView) -> Iterator[Zone]:
    yield Zone(Sentence("Common Deck"), hidden=view.common_size)
    yield Zone(Sentence("Discard pile ({v0})", values=(len(view.discard),)), view.discard[-1:])
    yield Zone(Sentence("High Deck"), hidden=view.high_size)
    if view.high_discard:
        yield Zone(Sentence("High cards set aside"), view.high_discard)


def _own_first(view: GambitView) -> tuple[Seat, ...]:
    return (view.seat, *(seat for seat in range(view.seats) if seat != view.seat))


def _title(words: str, seat: Seat) -> Sentence:
    return Sentence(words, (seat,) if "{s0}" in words else ())


def score_tables(outcome: Outcome) -> tuple[Table, ...]:
    """Every final hand: its category, its ranks, and its place; of a match the place in every game."""
    seats = tuple(range(len(outcome.scores)))
    if outcome.kind == "match":
        return (_match_table(outcome, seats),)
    columns: tuple[str, ...] = ("Player", "Hand", "Ranks", "Place")
    rows = tuple(_row(parts, rank) for parts, rank in zip(outcome.scores, outcome.ranks, strict=True))
    if not any("cards" in parts for parts in outcome.scores):
        columns, rows = _without(2, columns), tuple(_without(2, row) for row in rows)
    return (Table("Final Hands", columns, rows, seats),)


def _without(column: int, row: tuple[str, ...]) -> tuple[str, ...]:
    return row[:column] + row[column + 1 :]


def _row(parts: Mapping[str, int], rank: int) -> tuple[str, ...]:
    """Ranks, and with real cards even the hand, are told only where they are known."""
    ranks = " ".join(rank_name(parts[f"rank.{place}"]) for place in range(1, parts.get("cards", 0) + 1))
    return "", CATEGORIES.get(parts.get("category", 0), "–"), ranks or "–", str(rank)


def _match_table(outcome: Outcome, seats: tuple[Seat, ...]) -> Table:
    games = tuple(key.removesuffix(".place") for key in outcome.scores[0] if key.endswith(".place"))
    rows = tuple(("", *(_in_match(parts, game) for game in games), str(parts["score"])) for parts in outcome.scores)
    return Table("Games Won", ("Player", *(game.replace(".", " ").capitalize() for game in games), "Won"), rows, seats)


def _in_match(parts: Mapping[str, int], game: str) -> str:
    """The place in one game, and the hand where it is known: `1, Pair`."""
    hand = CATEGORIES.get(parts.get(f"{game}.category", 0))
    return f"{parts[f'{game}.place']}{f', {hand}' if hand else ''}"
