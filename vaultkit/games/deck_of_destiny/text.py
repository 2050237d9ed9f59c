"""What moves and zones are called, and the table of cards."""

from vaultkit.games.deck_of_destiny.outcome import encounter
from vaultkit.games.deck_of_destiny.rules import BOARD
from vaultkit.games.deck_of_destiny.state import PLAYER
from vaultkit.games.deck_of_destiny.view import DestinyView
from vaultkit.games.turn import Move
from vaultkit.games.words import Outcome, Sentence, Table, Zone, listing

LABELS = {
    "play": "Lay the {c0}",
    "add": "Add the {c0}",
    "done": "Add no more",
    "proceed": "Go on",
    "retreat": "Retreat",
    "draw": "{cards}",
}
COLUMNS = ("before", "played", "back", "gained", "after")


def label(move: Move) -> Sentence:
    """What a move means, as an offer."""
    if move.verb == "turn":
        cards = "card" if len(move.operands) == 1 else "cards"
        return Sentence(f"Turn up {cards} {{v0}}", values=(listing(move.operands),))
    return Sentence(LABELS[move.verb], (), move.operands)


def table(view: DestinyView) -> tuple[Zone, ...]:
    """What is asked, the board, the opponent, the player's cards, and the piles."""
    at, rules = view.at, view.rules
    zones = [Zone(Sentence("Encounter: {v0}", values=(encounter(rules),)))]
    if at.own:
        zones.append(Zone(Sentence("Board"), at.shown, len(at.face_down)))
        if rules.strength:
            hidden = 0 if at.opponent else rules.strength
            zones.append(Zone(Sentence("Opponent"), at.opponent, hidden))
        zones.append(Zone(Sentence("Laid by {s0}", (PLAYER,)), at.own, owner=PLAYER))
        zones.extend(_so_far(view))
    zones.append(Zone(Sentence("Inventory of {s0}", (PLAYER,)), at.inventory, owner=PLAYER))
    face_down = rules.strength + len(at.face_down) if at.own and not at.opponent else len(at.face_down) * bool(at.own)
    zones.append(Zone(Sentence("Veiled deck"), hidden=len(at.veiled) - face_down))
    return tuple(zones)


def _so_far(view: DestinyView) -> list[Zone]:
    """The best hand with what lies open, once that is enough for one."""
    if len(view.own) + len(view.board) < BOARD or not view.board:
        return []
    value, cards = view.rules.best(view.own, view.board)
    name = view.rules.cards.called(value.category)
    return [Zone(Sentence("Best hand so far: {v0}", values=(name,)), cards, owner=PLAYER)]


def score_tables(outcome: Outcome) -> tuple[Table, ...]:
    """How many cards the encounter cost and brought."""
    rows = tuple(("", *(str(parts[column]) for column in COLUMNS)) for parts in outcome.scores)
    columns = ("Player", *(column.capitalize() for column in COLUMNS))
    return (Table("Cards in the Inventory", columns, rows, (PLAYER,)),)
