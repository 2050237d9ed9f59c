"""The game Turn of Fate: new games, labels of moves, zones, score tables, and positions for examples."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from vaultkit.cards import Deck
from vaultkit.games.facts import Consequence, GameFact
from vaultkit.games.game import Game, ShortMemory
from vaultkit.games.messages import Event, Outcome, Seat, Sentence, Standing, Table, Zone
from vaultkit.games.options import Options
from vaultkit.games.position_setup import Arrangement, Arranger
from vaultkit.games.turn import HIDDEN, Move, Pile, Rng
from vaultkit.games.turn_of_fate import INFO, ending, facts
from vaultkit.games.turn_of_fate.fate_play import PLAY_LABELS
from vaultkit.games.turn_of_fate.prospects import prospects
from vaultkit.games.turn_of_fate.rules import (
    FIRST_TO_MOVE,
    HEADING_OPTIONS,
    OPTIONS,
    RIVAL,
    FateCards,
    FateRules,
    Stack,
    make_cards,
    score_parts,
)
from vaultkit.games.turn_of_fate.setup import first_tasks
from vaultkit.games.turn_of_fate.state import Deeds, FatePosition, FateState, FateView
from vaultkit.games.turn_of_fate.turns import BeginTurn, is_stuck
from vaultkit.text import format_count

MAX_DEAL_ATTEMPTS = 20
"""The most random deals that are tried until one leaves the rival, whose turn it is, something to do."""

MOVE_LABELS = {**PLAY_LABELS, "pass": "Hold back", "introduce": "Introduce a Citizen", "draw": "{cards}"}


HAND_SIZE = 3
_MIDGAME_TURN_INDEX = 9
"""The number of the turn in such a position: an ordinary turn, past the start of the game."""


class TurnOfFate(Game[FateState, FateView]):
    """The game Turn of Fate (rulings TF-1 to TF-32)."""

    id, title, seats, deck = INFO.id, INFO.title, INFO.seats, INFO.deck
    options = OPTIONS
    option_headings = HEADING_OPTIONS
    endings = ending.ENDINGS
    short_memory = ShortMemory(
        "closed", ("play", "wild", "pass"), (), "Only the last two turns may be looked up (TF-28)."
    )
    story = ("play", "wild")

    def new(self, seats: int, options: Options, deck: Deck, people: frozenset[Seat] = frozenset()) -> FateState:
        self.check_seats(seats)
        cards = make_cards(deck)
        position = FatePosition(
            citizens=Pile(cards.citizens),
            fates=Pile(cards.fates),
            hands=[(), ()],
            known=[frozenset(), frozenset()],
            congregations=[(), ()],
            vowed=[(), ()],
            deeds=[Deeds(), Deeds()],
        )
        return FateState(FateRules(seats, options, people, cards), position, first_tasks())

    def determinize(self, view: FateView, rng: Rng) -> FateState:
        """Return a state in which the rival's hand and both decks are dealt at random."""
        at, rival = view.at, 1 - view.seat
        state = _deal_at_random(view, rng)
        if view.to_act == rival and not at.citizens.unknown and at.number:
            deal_count = 1
            while is_stuck(state, rival) and deal_count < MAX_DEAL_ATTEMPTS:
                state = _deal_at_random(view, rng)
                deal_count += 1
        return state

    def roles(self, state: FateState) -> Mapping[str, Seat]:
        """Return the seats by their roles: Player 1, who moved first (TF-3), and the leader of each temple."""
        temples, player_1 = state.at.temples, state.at.player_1
        if not temples:
            return {}
        mover = next(seat for seat, temple in enumerate(temples) if temple in FIRST_TO_MOVE)
        seats_by_temple = {temple: temples.index(temple) for temple in RIVAL if temple in temples}
        players = {"Player 1": player_1, "Player 2": 1 - player_1}
        movers = {"moves first": mover, "moves second": 1 - mover}
        return players | movers | seats_by_temple

    def outcome(self, state: FateState) -> Outcome | None:
        return ending.outcome(state)

    def label(self, move: Move) -> Sentence:
        if move.verb == "temple":
            return Sentence("Serve the temple of the {v0}", values=move.operands)
        return Sentence(MOVE_LABELS[move.verb], (), move.operands)

    def facts(self, before: FateView, after: FateView, events: Sequence[Event]) -> Iterator[GameFact]:
        """Yield facts from the places of the Citizens before and after the step, and from some of its events."""
        yield from facts.transition_facts(before, after, events)

    def consequences(self, view: FateView, moves: Sequence[Move]) -> tuple[tuple[Consequence, ...], ...]:
        """Return what each move changes, and what follows before the seat's next turn.

        One sampled position is enough: nothing before the next chance event or the rival's move depends on hidden
        cards.
        """
        (position,) = self.sample_positions(view, 1)
        return tuple(self._consequences_in(position.clone(), view, move) for move in moves)

    def _consequences_in(self, state: FateState, view: FateView, move: Move) -> tuple[Consequence, ...]:
        events = tuple(event for event in state.apply(move) if event.is_visible_to(view.seat))
        after = state.view(view.seat)
        changes = map(Consequence, self.facts(view, after, events))
        return tuple(sorted((*changes, *prospects(after, move)), key=lambda consequence: not consequence.is_certain))

    def aim(self, view: FateView) -> Sentence:  # noqa: ARG002
        return Sentence(
            "Win Citizens for your temple and play Fates on them: their numbers are points; most points win."
        )

    def key_facts(self, view: FateView) -> Iterator[Sentence]:
        return facts.key_facts(view)

    def heading(self, view: FateView) -> tuple[Sentence, ...]:
        return (Sentence("turn {v0}", values=(view.at.number,)),) if view.at.number else ()

    def table(self, view: FateView) -> tuple[Zone, ...]:
        """Return the zones: both hands, the Citizens in play with the Fates on them, the Temples, and the decks."""
        at, owners = view.at, (view.seat, 1 - view.seat)
        zones = [zone for owner in owners for zone in _hand_zones(view, owner)]
        zones += [_citizen_zone(view, stack, owner) for owner in owners for stack in at.congregations[owner]]
        zones += [Zone(Sentence("Agora"), stack, kind="stack") for stack in at.agora]
        zones += [zone for owner in owners if at.vowed[owner] for zone in _temple_zones(view, owner)]
        zones.append(Zone(Sentence("Citizen Deck"), hidden=len(at.citizens), kind="pile"))
        zones.append(Zone(Sentence("Deck of Fates"), hidden=len(at.fates), kind="pile"))
        if at.removed:
            zones.append(Zone(Sentence("Out of the game"), at.removed, kind="pile"))
        return tuple(zones)

    def standing(self, view: FateView) -> tuple[Standing, ...]:
        """Return the standings: each seat's temple, and its points, including the ones in the Temple (TF-25).

        With the option `memory=closed` the points are not shown, and are given only as the weight (TF-28).
        """
        return tuple(_seat_standing(view, seat) for seat in range(view.seats) if view.at.temples)

    def why_not(self, view: FateView, card: str) -> Sentence | None:
        """Return why a Fate in hand cannot be played: it must share a suit with the card beneath (TF-12)."""
        in_play, matching = view.at.in_play, view.rules.cards.matching
        if card not in view.at.hands[view.seat] or any(card in matching[stack[-1]] for stack in in_play):
            return None
        top_cards = tuple(stack[-1] for stack in in_play)
        return Sentence("The {c0} shares no suit with a card that it could lie on.", (), (card, *top_cards))

    def score_tables(self, outcome: Outcome) -> tuple[Table, ...]:
        """Return a table of points in Congregations and Temples: Citizens, doubled Citizens and Fates (TF-25)."""
        rows = map(_sheet_row, outcome.whole_scores)
        return (Table.of_seats("Score Sheet", ("Congregation", "Temple", "Total"), rows),)


def _seat_standing(view: FateView, seat: Seat) -> Standing:
    points, is_closed = facts.current_score(view, seat), view.rules.has_option("memory", "closed")
    words = Sentence("temple of the {v0}", values=(view.at.temples[seat],))
    return Standing(seat, None if is_closed else points, words, points)


def _deal_at_random(view: FateView, rng: Rng) -> FateState:
    """Return a state in which the hidden cards are dealt at random.

    Hidden cards that the rival has put under the deck bear the viewer's suit, and no card in the rival's hand does
    (TF-9).
    """
    at, rival, cards, visible_cards = view.at.copy(), 1 - view.seat, view.rules.cards, view.seen
    own_suit_fates = cards.bearing[at.temples[view.seat]] if at.temples else frozenset()
    unseen_fates = sorted(fate for fate in cards.fates if fate not in visible_cards)
    rng.shuffle(unseen_fates)
    hidden_under_fates = [fate for fate in unseen_fates if fate in own_suit_fates]
    bottom_fates = tuple(hidden_under_fates.pop() if card == HIDDEN else card for card in at.fates.bottom)
    visible_in_hand = tuple(card for card in at.hands[rival] if card != HIDDEN)
    other_fates = [fate for fate in unseen_fates if fate not in own_suit_fates]
    hand = (*visible_in_hand, *other_fates[: len(at.hands[rival]) - len(visible_in_hand)])
    open_fates = at.known[view.seat].difference(at.hands[view.seat], at.fates.bottom)
    newly_placed_fates = set(bottom_fates).difference(at.fates.bottom)
    at.known[rival] = open_fates.union(hand, newly_placed_fates, at.known[rival])
    at.hands[rival] = hand
    at.fates = Pile(tuple(sorted(set(unseen_fates).difference(hand, bottom_fates))), bottom_fates)
    at.citizens = Pile(tuple(citizen for citizen in cards.citizens if citizen not in visible_cards), at.citizens.bottom)
    return FateState.from_view(view, at, rng)


def _hand_zones(view: FateView, owner: Seat) -> Iterator[Zone]:
    """Yield the zone of a hand, its cards sorted from low to high, and that of its cards known from under the deck."""
    hand, value = view.at.hands[owner], view.rules.cards.value
    visible_cards = sorted((card for card in hand if card != HIDDEN), key=lambda card: (value[card], card))
    hidden_count, is_known = len(hand) - len(visible_cards), view.seat != owner and not view.at.end
    if hidden_count or not (is_known and visible_cards):
        yield Zone(Sentence("hand"), () if is_known else tuple(visible_cards), hidden_count, owner, "hand")
    if is_known and visible_cards:  # TF-9: the viewer has put them under the deck, and knows who drew them
        yield Zone(Sentence("hand, known from under the deck"), tuple(visible_cards), owner=owner)


def _citizen_zone(view: FateView, stack: Stack, owner: Seat) -> Zone:
    """Return the zone of a Citizen in a Congregation, with the points and their parts.

    The latest Fate is last, since the next one must match it.
    """
    parts = score_parts((stack,), (), view.at.temples[owner], view.rules.cards)
    return Zone(
        Sentence("Congregation"), stack, owner=owner, kind="stack", short=_points_sentence(parts, "congregation")
    )


def _temple_zones(view: FateView, owner: Seat) -> Iterator[Zone]:
    """Yield zones of the Citizens in a Temple and of their Fates.

    With the option `memory=closed` a single zone shows only the number of cards (TF-28).
    """
    stacks = view.at.vowed[owner]
    if view.rules.has_option("memory", "closed"):
        yield Zone(Sentence("Temple"), hidden=sum(map(len, stacks)), owner=owner, kind="won")
        return
    parts = score_parts((), stacks, view.at.temples[owner], view.rules.cards)
    citizens, fates = tuple(stack[0] for stack in stacks), tuple(fate for stack in stacks for fate in stack[1:])
    yield Zone(Sentence("Temple"), citizens, owner=owner, kind="won", short=_points_sentence(parts, "temple"))
    if fates:
        yield Zone(Sentence("Fates in the Temple"), fates, owner=owner, kind="won")


def _points_sentence(parts: Mapping[str, int], pile_name: str) -> Sentence:
    """Return the points of a pile and why it counts them, such as `2 × 8 + 10 of Fates = 26 points`."""
    reasons, points = _pile_points_text(parts, pile_name).removeprefix("0 + "), format_count(parts["total"], "point")
    return Sentence("{v0}", values=(points if reasons == str(parts["total"]) else f"{reasons} = {points}",))


def _sheet_row(parts: Mapping[str, int]) -> tuple[str, ...]:
    return (_pile_points_text(parts, "congregation"), _pile_points_text(parts, "temple"), str(parts["total"]))


def _pile_points_text(parts: Mapping[str, int], pile_name: str) -> str:
    """Return the points of a Congregation or Temple, such as `8 + 2 × 6 + 50 of Fates`, without parts that are 0.

    The number after `2 ×` is that of the Citizens who count twice (TF-25).
    """
    citizens, doubled, fates = (parts[f"{pile_name}.{part}"] for part in ("citizens", "doubled", "fates"))
    doubled_text = f" + 2 × {doubled // 2}" if doubled else ""
    return f"{citizens}{doubled_text}{f' + {fates} of Fates' if fates else ''}"


def arrange(setup: Arrangement, known_fates: tuple[str, str] = ("", ""), **overrides: Any) -> FateState:
    """Build a game of Turn of Fate at the beginning of a turn.

    `setup.at` names the suit of the first seat's temple, Moons if it is empty. The zones `fates` and `citizens` are the
    draw piles, and `bottom` are the Fates at the bottom of their pile, in a known order. A pile that `setup` does not
    name gets all its cards that lie nowhere else; cards left over are out of the game. `known_fates` holds a text for
    each seat: the ids, separated by spaces, of Fates that the seat has seen although they do not lie open. Further
    keyword arguments override fields of FatePosition.
    """
    cards, first_temple = make_cards(setup.deck), setup.at or MOMENTS[0]
    temples = (first_temple, RIVAL[first_temple])
    allowed = [_allowed_fates(setup, cards, temple) for temple in reversed(temples)]
    hands = [setup.given_or_dealt_cards("hand", seat, HAND_SIZE, allowed[seat]) for seat in range(setup.seats)]
    seat_stacks = [setup.stacks(zone, seat) for zone in ("congregation", "temple") for seat in range(setup.seats)]
    open_cards = [card for zone in (*seat_stacks, setup.stacks("agora")) for stack in zone for card in stack]
    open_fates = frozenset(card for card in open_cards if card in cards.fates)
    fates, citizens = (
        setup.cards(name) if setup.names(name) else setup.deal_rest(frozenset(among))
        for name, among in (("fates", cards.fates), ("citizens", cards.citizens))
    )
    position = FatePosition(
        citizens=Pile(citizens),
        fates=Pile(fates, setup.cards("bottom")),
        hands=hands,
        known=[open_fates | {*hand, *extra_ids.split()} for hand, extra_ids in zip(hands, known_fates, strict=True)],
        congregations=seat_stacks[: setup.seats],
        vowed=seat_stacks[setup.seats :],
        deeds=[Deeds() for _ in hands],
        agora=setup.stacks("agora"),
        removed=setup.deal_rest(),
        **{"temples": temples, "mover": setup.turn or 0, "number": _MIDGAME_TURN_INDEX, **overrides},
    )
    return FateState(FateRules(setup.seats, setup.options, setup.people, cards), position, [BeginTurn()])


def _allowed_fates(setup: Arrangement, cards: FateCards, rival_temple: str) -> frozenset[str]:
    """Return the Fates that may be dealt to a hand: all that do not show the suit of the rival's temple."""
    return frozenset(card for card in cards.fates if rival_temple not in setup.deck[card].suits)


MOMENTS = ("Moons", "Wyrms", "Suns", "Leaves")
"""The suits that the temple of the first seat may have; one of them is named as the moment of a position."""
ARRANGER = Arranger(("hand", "congregation", "temple"), ("agora", "fates", "citizens", "bottom"), MOMENTS, arrange)
