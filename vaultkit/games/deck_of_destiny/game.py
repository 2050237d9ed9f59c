"""The game Deck of Destiny: new games, labels of moves, zones, score tables, and positions for examples."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from vaultkit.cards import Deck
from vaultkit.errors import UsageError
from vaultkit.games.deck_of_destiny import INFO, ending
from vaultkit.games.deck_of_destiny.facts import aim, key_facts, makes_hand, step_facts
from vaultkit.games.deck_of_destiny.rules import HEADING_OPTIONS, OPTIONS, PHASE_RULES, deck_kind, make_rules
from vaultkit.games.deck_of_destiny.state import PLAYER_SEAT_INDEX, DestinyPosition, DestinyState, DestinyView
from vaultkit.games.deck_of_destiny.turns import first_task
from vaultkit.games.facts import GameFact
from vaultkit.games.game import Game
from vaultkit.games.messages import Event, Outcome, Seat, Sentence, Standing, Table, Zone
from vaultkit.games.options import Options
from vaultkit.games.position_setup import Arrangement, Arranger
from vaultkit.games.turn import Move, Pile, Rng, draw_move
from vaultkit.text import join_words

MOVE_LABELS = {
    "play": "Lay the {c0}",
    "add": "Add the {c0}",
    "done": "Add no more",
    "proceed": "Go on",
    "retreat": "Retreat",
    "draw": "{cards}",
}
SCORE_COLUMNS = ("before", "played", "back", "gained", "after")


class DeckOfDestiny(Game[DestinyState, DestinyView]):
    """The game Deck of Destiny (rulings DD-1 to DD-20). A game is a single encounter of a single seat."""

    id, title, seats, deck = INFO.id, INFO.title, INFO.seats, INFO.deck
    options = OPTIONS
    option_headings = HEADING_OPTIONS
    endings = ending.ENDINGS
    sampled_positions = 1
    deciding_facts = ("Best hand", "Best hand of the opponent")

    def carry(self, outcome: Outcome) -> tuple[int, Mapping[str, tuple[str, ...]]]:
        owned_cards = dict(outcome.facts)["Inventory"].cards
        return len(owned_cards), {"inventory": owned_cards}

    def check_match(self, options: Options) -> None:  # noqa: ARG002
        reason = "one character faces the deck, and nobody else is there to win more games"
        hint = "Play one encounter after another: with --character the inventory is kept from each to the next."
        raise UsageError(f"There is no match of {self.title}: {reason}.", hint=hint)

    def deck_for(self, options: Options) -> str:
        return deck_kind(options)

    def new(self, seats: int, options: Options, deck: Deck, people: frozenset[Seat] = frozenset()) -> DestinyState:  # noqa: ARG002
        self.check_seats(seats, hint="One character faces an encounter alone: give --seat once.")
        rules = make_rules(options, deck)
        return DestinyState(rules, DestinyPosition(Pile(rules.cards.ids)), [first_task(rules)])

    def determinize(self, view: DestinyView, rng: Rng) -> DestinyState:
        """Return a state with the cards of the view; nothing is hidden but the order of the veiled deck."""
        at = view.at.copy()
        known_cards = frozenset(at.cards())
        at.veiled = Pile(tuple(card for card in view.rules.cards.ids if card not in known_cards))
        return DestinyState.from_view(view, at, rng)

    def outcome(self, state: DestinyState) -> Outcome | None:
        return ending.outcome(state)

    def balance_key(self, event: Event) -> tuple[str, str] | None:
        """Return the category of the hand that the player makes, or a retreat, as the kind; None for other events."""
        if event.kind == "hand" and event.seat == PLAYER_SEAT_INDEX:
            return f"made {event.sentence.values[0]}", ""
        return ("retreat", "") if event.kind == "retreat" else None

    def label(self, move: Move) -> Sentence:
        if move.verb == "turn":
            cards = "card" if len(move.operands) == 1 else "cards"
            return Sentence(f"Turn up {cards} {{v0}}", values=(join_words(move.operands),))
        return Sentence(MOVE_LABELS[move.verb], (), move.operands)

    def aim(self, view: DestinyView) -> Sentence:
        return aim(view.rules)

    def key_facts(self, view: DestinyView) -> Iterator[Sentence]:
        return key_facts(view)

    def heading(self, view: DestinyView) -> tuple[Sentence, ...]:
        """Return the number and name of the phase, and what the character faces."""
        at, encounter = view.at, Sentence("{v0}", values=(ending.encounter_text(view.rules),))
        luck_rule = PHASE_RULES.get(max(1, len(at.face_up) - 1), "") if at.own and at.end is None else ""
        rule = view.prompt.rule if view.prompt else luck_rule
        for number, name in PHASE_RULES.items():
            if name == rule:
                phase_name = Sentence("{v0}", values=(name.partition(": ")[2].lower(),))
                return Sentence("phase {v0} of 3", values=(number,)), phase_name, encounter
        return (encounter,)

    def table(self, view: DestinyView) -> tuple[Zone, ...]:
        """Return the encounter, the board, the opponent, the player's cards, and the piles."""
        at, rules = view.at, view.rules
        encounter = Sentence("{v0}", values=(ending.encounter_text(rules),))
        zones = [Zone(Sentence("Encounter"), kind="legend", short=encounter)]
        face_down = 0
        if at.own:
            face_down = len(at.face_down) + (0 if at.opponent else rules.strength)
            zones.extend(_table_zones(view))
        zones.append(Zone(Sentence("inventory"), at.inventory, owner=PLAYER_SEAT_INDEX, kind="hand"))
        zones.append(Zone(Sentence("Veiled deck"), hidden=len(at.veiled) - face_down, kind="pile"))
        return tuple(zones)

    def standing(self, view: DestinyView) -> tuple[Standing, ...]:
        """Return the player's standing: the best hand so far, with the hand's strength as its weight (DD-16)."""
        at, rules = view.at, view.rules
        if not makes_hand(at.own, at.face_up):
            return (Standing(PLAYER_SEAT_INDEX, weight=0.0),)
        value, _ = rules.find_best(at.own, at.face_up)
        words = Sentence("{v0} so far", values=(rules.cards.hand_name(value.category),))
        return (Standing(PLAYER_SEAT_INDEX, None, words, float(value.strength)),)

    def facts(self, before: DestinyView, after: DestinyView, events: Sequence[Event]) -> Iterator[GameFact]:  # noqa: ARG002
        return step_facts(before, after)

    def score_tables(self, outcome: Outcome) -> tuple[Table, ...]:
        """Return the table of how many cards the encounter cost and brought."""
        rows = ((str(parts[column]) for column in SCORE_COLUMNS) for parts in outcome.scores)
        table = Table.of_seats("Cards in the Inventory", map(str.capitalize, SCORE_COLUMNS), rows)
        return (replace(table, spoken_columns=("Player", "Before", "Laid", "Taken back", "Won", "Now")),)


def _table_zones(view: DestinyView) -> Iterator[Zone]:
    at, rules = view.at, view.rules
    yield Zone(Sentence("Board"), at.face_up, len(at.face_down))
    if rules.strength:
        yield Zone(Sentence("Opponent"), at.opponent, 0 if at.opponent else rules.strength)
    yield Zone(Sentence("laid"), at.own, owner=PLAYER_SEAT_INDEX, by=True)
    if at.face_up and makes_hand(at.own, at.face_up):
        value, cards = rules.find_best(at.own, at.face_up)
        name = rules.cards.hand_name(value.category)
        title = Sentence("best hand")
        yield Zone(title, cards, owner=PLAYER_SEAT_INDEX, kind="legend", short=Sentence("{v0}", values=(name,)))


def _make_encounter(arrangement: Arrangement) -> DestinyState:
    """Return the beginning of an encounter of a character who owns exactly the cards of the zone `inventory`."""
    owned_cards = arrangement.cards("inventory")
    options = {**arrangement.options, "inventory": len(owned_cards)}
    state = DeckOfDestiny().new(arrangement.seats, options, arrangement.deck)
    if owned_cards:
        state.apply(draw_move(*owned_cards))
    return state


ARRANGER = Arranger((), ("inventory",), (), _make_encounter)
