"""Prospects of a move in Turn of Fate: what may follow before the mover's next turn, as far as one seat can know."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from vaultkit.games.facts import Consequence, GameFact
from vaultkit.games.messages import Seat, Sentence
from vaultkit.games.turn import HIDDEN, Move
from vaultkit.games.turn_of_fate.facts import CitizenPlace, citizen_fact, find_places
from vaultkit.games.turn_of_fate.rules import INTRODUCE, PASS, RIVAL, citizen_points
from vaultkit.games.turn_of_fate.state import FateView
from vaultkit.games.turn_of_fate.turns import REFILL_CITIZEN_COUNT, DrawFates
from vaultkit.text import format_count


class CountRange(NamedTuple):
    """A whole number of which a seat knows only the least and the greatest possible value."""

    low: int
    high: int

    def limit_to(self, count: int) -> "CountRange":
        """Return the range with both ends lowered to `count` if they are greater."""
        return CountRange(min(self.low, count), min(self.high, count))


class ProspectCalculator:
    """The calculator of what may follow a move, for the seat of `view`, which has just moved and counts cards."""

    def __init__(self, view: FateView) -> None:
        self.view, self.at, self.cards = view, view.at, view.rules.cards
        self.seat, self.rival = view.seat, 1 - view.seat
        own_temple = self.at.temples[self.seat]
        self._own_suit, self._rival_suit = self.cards.bearing[own_temple], self.cards.bearing[RIVAL[own_temple]]
        unseen_fates = frozenset(self.cards.fates) - view.seen
        self._candidates = unseen_fates - self._own_suit
        """The unseen Fates that the rival may hold, none of which bears the seat's suit (TF-12)."""
        self._hand = frozenset(self.at.hands[self.rival]) - {HIDDEN}
        self._hidden_in_hand = self.at.hands[self.rival].count(HIDDEN)
        if self._hidden_in_hand == len(self._candidates):
            self._hand |= self._candidates

    @property
    def draw_count(self) -> int:
        """The number of Fates that the seat is about to draw, if the deck has them; 0 if it is not drawing."""
        task = self.view.pending[-1] if self.view.pending else None
        return task.count if isinstance(task, DrawFates) and self.view.to_act is None else 0

    @property
    def own_draws(self) -> CountRange:
        """The number of Fates in the deck that the seat may take (TF-8).

        These include all Fates that the rival has put under the deck, since they bear the seat's own suit (TF-2).
        """
        fates, untakeable_fates = self.at.fates, self._rival_suit & self._candidates
        takeable_bottom_count = sum(card not in self._rival_suit for card in fates.bottom)
        hidden_in_deck = len(self._candidates) - self._hidden_in_hand
        max_unknown = len(fates.unknown) - max(0, len(untakeable_fates) - self._hidden_in_hand)
        return CountRange(
            len(fates.unknown) - min(len(untakeable_fates), hidden_in_deck) + takeable_bottom_count,
            max_unknown + takeable_bottom_count,
        )

    @property
    def rival_draws(self) -> CountRange:
        """The number of Fates in the deck that the rival may take after the seat has drawn."""
        bottom_fates = [card for card in self.at.fates.bottom if card != HIDDEN and card not in self._own_suit]
        max_takeable = len(self._candidates) - self._hidden_in_hand + len(bottom_fates)
        certain_count = sum(card in self._rival_suit for card in bottom_fates)
        min_unheld_count = len(self._rival_suit & self._candidates) - self._hidden_in_hand
        return CountRange(max(certain_count + max(0, min_unheld_count), max_takeable - self.draw_count), max_takeable)

    def playable_fates(self, fates: frozenset[str]) -> frozenset[str]:
        """Return the ones of `fates` that match the top card on a Citizen in play (TF-12)."""
        return frozenset(fate for fate in fates for stack in self.at.in_play if fate in self.cards.matching[stack[-1]])

    def can_play(self, seat: Seat, fates: frozenset[str]) -> bool:
        """Return whether `seat` could play one of `fates` now, also as a wild Crown (TF-22)."""
        wild = self.cards.wild.get(self.at.temples[seat]) in fates and not fates.isdisjoint(self.cards.aces)
        return bool(self.at.in_play) and (wild or bool(self.playable_fates(fates)))

    # The rest of this turn.

    def draw_consequences(self) -> Iterator[Consequence]:
        """Yield how many Fates the seat draws next; a single certain Fate gets no sentence (TF-19)."""
        count = self.draw_count
        if not count:
            return
        low, high = self.own_draws.limit_to(count)
        words: str | None = "{s0} draws 1 or 2 Fates." if low else "{s0} draws at most {v0}."
        if low == high:
            words = {0: "{s0} can draw no Fate.", 1: "{s0} draws a Fate."}.get(low, "{s0} draws 2 Fates.")
        if low == high == count == 1:
            words = None
        sentence = Sentence(words, (self.seat,), (), (format_count(high, "Fate"),)) if words else None
        yield Consequence(GameFact("next", self.seat, sentence=sentence))

    def introduction_consequences(self, move: Move) -> Iterator[Consequence]:
        """Yield where the next Citizen may go (TF-5, TF-7), or that the seat will fill the table with Citizens."""
        rules, missing_count = self.view.rules, REFILL_CITIZEN_COUNT - len(self.at.in_play)
        if rules.has_option("introduce", "refill-to-4") and missing_count > 0 and len(self.at.citizens):
            words = Sentence(
                "{s0} introduces new Citizens, up to {v0} in play.", (self.seat,), (), (REFILL_CITIZEN_COUNT,)
            )
            yield Consequence(GameFact("next", self.seat, sentence=words))
        if move != INTRODUCE or rules.has_option("memory", "closed"):
            return
        places: dict[tuple[str, Seat | None], list[str]] = {}
        for citizen in self.cards.citizens:
            if citizen in self._citizens_to_come:
                place = self._place_of_newcomer(citizen)
                places.setdefault((place.area, place.seat), []).append(citizen)
        if len(self._citizens_to_come) == 1:
            yield from map(Consequence, self._only_newcomer(next(iter(self._citizens_to_come))))
            return
        for (area, seat), citizens in places.items():
            special_words = {"temple": "May take vows for {s0}", "removed": "May leave the city"}
            ordinary_words = "May go to the Agora" if seat is None else "May join {s0}"
            seats = () if seat is None else (seat,)
            words = Sentence(f"{special_words.get(area, ordinary_words)}: {{cards}}.", seats, tuple(citizens))
            yield Consequence(GameFact("next", seat, cards=tuple(citizens), sentence=words))

    def _only_newcomer(self, citizen: str) -> Iterator[GameFact]:
        """Yield the facts of the introduction of `citizen`, the only one left, whose place is therefore certain."""
        place = self._place_of_newcomer(citizen)
        if place.seat is not None:
            amount = citizen_points(place.stack, self.at.temples[place.seat], self.cards)
            yield GameFact("score", place.seat, amount=amount)
        yield citizen_fact(CitizenPlace("deck", None, place.stack), place, self.view)

    def _place_of_newcomer(self, citizen: str) -> CitizenPlace:
        temples, special_temple = self.at.temples, self.cards.specials.get(citizen)
        if special_temple:
            takes_vows = special_temple in temples
            seat = temples.index(special_temple) if takes_vows else None
            return CitizenPlace("temple" if takes_vows else "removed", seat, (citizen,))
        seats = [seat for seat, temple in enumerate(temples) if temple in self.cards.suits[citizen]]
        return CitizenPlace("play", next(iter(seats), None), (citizen,))

    # The end of the game.

    def ending_consequences(self, move: Move) -> Iterator[Consequence]:
        """Yield how the game ends, or may end, before the seat moves again (TF-22 to TF-24)."""
        for seat, words, is_certain in (*self._endings_of_turn(move), *self._endings_before_rival_turn()):
            sentence, short = Sentence(words, (self.seat, self.rival)), Sentence("ends the game")
            yield Consequence(GameFact("ends", seat, sentence=sentence, short=short), is_certain)
            if is_certain:
                return

    def _endings_of_turn(self, move: Move) -> Iterator[tuple[Seat | None, str, bool]]:
        at, draws = self.at, self.own_draws
        is_citizen_deck_empty, hand = not len(at.citizens), frozenset(at.hands[self.seat])
        is_stuck = self.draw_count and is_citizen_deck_empty and not self.can_play(self.seat, hand)
        if is_stuck and (draws.high == 0 or self._may_stay_stuck(draws)):
            if draws.high == 0:
                yield self.seat, "The game ends: {s0} can play no Fate and draw no other.", True
            else:
                yield self.seat, "The game ends: {s0} draws no Fate that can be played, and no other is left.", False
        stays_empty_handed = is_citizen_deck_empty or (
            self.view.rules.has_option("introduce", "refill-to-4") and len(at.in_play) >= REFILL_CITIZEN_COUNT
        )
        if move == PASS and self.draw_count and stays_empty_handed and draws.low == 0 and at.idle:
            yield None, "The game ends: it is the second idle turn.", draws.high == 0
        is_last_special = len(at.citizens) == 1 and self._citizens_to_come.issubset(self.cards.specials)
        if is_last_special and not at.in_play and not self.view.rules.has_option("introduce", "optional"):
            yield None, "The game ends: the last Citizen stays with nobody, and nobody is in play.", True

    def _may_stay_stuck(self, draws: CountRange) -> bool:
        """Return whether the seat may draw all Fates that it can take and still be unable to play."""
        certain_fates = frozenset(self.at.fates.bottom) - self._rival_suit - {HIDDEN}
        possible_fates = (frozenset(self.cards.fates) - self.view.seen - self._rival_suit) | certain_fates
        unplayable_fates = possible_fates - self.playable_fates(possible_fates)
        if draws.low > self.draw_count or len(unplayable_fates) < draws.low:
            return False
        return unplayable_fates.issuperset(certain_fates)

    def _endings_before_rival_turn(self) -> Iterator[tuple[Seat | None, str, bool]]:
        """Yield the end of the game before the rival's turn, if the rival can then neither play nor draw."""
        takeable_range, deck_run_out = self.rival_draws, self._citizens_run_out
        outlook = self._after_introductions()
        if not deck_run_out.high or takeable_range.low or self.view.to_act == self.rival:
            return
        if outlook.can_play(self.rival, self._hand):
            return
        is_known = self._candidates.issubset(self._hand)
        misfits = self._candidates - outlook.playable_fates(self._candidates)
        if not is_known and len(misfits) < self._hidden_in_hand:
            return
        hand = self._hand if is_known else self._hand | self._candidates
        is_certain = bool(deck_run_out.low) and takeable_range.high == 0 and not outlook.can_play(self.rival, hand)
        yield self.rival, "The game ends: {s1} can play no Fate and draw no other.", is_certain

    @property
    def _citizens_to_come(self) -> frozenset[str]:
        """The Citizens who have not been introduced yet."""
        return frozenset(self.cards.citizens) - self.view.seen | frozenset(self.at.citizens.bottom)

    @property
    def _citizens_run_out(self) -> CountRange:
        """A truth value as a range: whether the Citizen Deck is empty at the rival's turn.

        1 to 1 means certainly, 0 to 1 possibly, 0 to 0 never.
        """
        rules, deck_size = self.view.rules, len(self.at.citizens)
        special_count = len(self._citizens_to_come.intersection(self.cards.specials))
        if not deck_size:
            return CountRange(1, 1)
        if rules.has_option("introduce", "refill-to-4"):
            missing_count, ordinary_count = REFILL_CITIZEN_COUNT - len(self.at.in_play), deck_size - special_count
            may_lack = missing_count > 0 and ordinary_count <= missing_count
            return CountRange(int(ordinary_count < missing_count), int(may_lack))
        replaced_count = special_count if rules.has_option("special_replace", "yes") else 0
        is_sure = deck_size == 1 and not rules.has_option("introduce", "optional")
        return CountRange(int(is_sure), int(deck_size - replaced_count <= 1))

    def _after_introductions(self) -> "ProspectCalculator":
        """Return the prospects after all other Citizens are introduced, as if they all went to the Agora."""
        if not len(self.at.citizens):
            return self
        at = self.at.copy()
        new_citizens = sorted(self._citizens_to_come - frozenset(self.cards.specials))
        at.agora = (*at.agora, *((citizen,) for citizen in new_citizens))
        return ProspectCalculator(replace(self.view, at=at))

    def idle_turn_consequences(self, move: Move) -> Iterator[Consequence]:
        """Yield the risk of an idle turn: the game ends after two in a row (TF-23)."""
        if move != PASS:
            return
        is_citizen_deck_empty = not len(self.at.citizens)
        is_over = self.at.idle == 1 and self.view.to_act == self.rival
        may_be_idle = self.draw_count and not self.at.idle and is_citizen_deck_empty and self.own_draws.low == 0
        if is_over or may_be_idle:
            is_certain = bool(is_over or self.own_draws.high == 0)
            sentence = Sentence("The turn is idle: if {s0} does nothing either, the game ends.", (self.rival,))
            fact = GameFact("risk", self.seat, self.rival, sentence=sentence, short=Sentence("an idle turn"))
            yield Consequence(fact, is_certain)

    # The Citizen on whom a Fate was played.

    def rival_consequences(self, citizen: str) -> Iterator[Consequence]:
        """Yield what the rival can do to a Citizen in the next turn, or that no Fate for that is left.

        What is merely possible is reported only if it is worse than what the rival can certainly do with known cards.
        """
        place = find_places(self.at)[citizen]
        if place.area != "play":
            return
        worst_level = 0
        for fates, is_certain in ((self._hand, True), (self._hand | self._candidates, False)):
            threats = sorted(self._threatening_fates(place, fates))
            # The level is 2 for a Moment of Truth, 1 for another Fate (TF-14).
            fate_by_level = {1 + self.cards.is_moment(fate, place.stack[-1], own=False): fate for fate in threats}
            threat_level = max(fate_by_level, default=0)
            if threat_level > worst_level and (is_certain or self._hidden_in_hand):
                worst_level = threat_level
                fact = self._risk_fact(place, fate_by_level[threat_level], threat_level, is_certain=is_certain)
                yield Consequence(fact, is_certain)
        if not worst_level and not self._threatening_fates(place, self._reachable_fates):
            words = Sentence("{s0} can get no Fate that fits them.", (self.rival,))
            fact = GameFact("other", self.seat, self.rival, (citizen,), sentence=words, short=Sentence("safe"))
            yield Consequence(fact)

    @property
    def _reachable_fates(self) -> frozenset[str]:
        """Every Fate that the rival may hold in any later turn, including an Ace with which the seat pays (TF-18)."""
        bottom_fates = frozenset(self.at.fates.bottom) - self._own_suit - {HIDDEN}
        has_wild_temple = self.at.temples[self.seat] in self.cards.wild
        may_return_ace = has_wild_temple and self.view.rules.has_option("ace_discard", "bottom")
        aces = self.cards.aces.intersection(self.at.hands[self.seat]) - self._own_suit
        if not may_return_ace:
            aces = frozenset()
        return self._hand | self._candidates | bottom_fates | aces

    def _threatening_fates(self, place: CitizenPlace, fates: frozenset[str]) -> frozenset[str]:
        """Return the ones of `fates` that the rival could play on the Citizen, also as a wild Crown."""
        wild = self.cards.wild.get(self.at.temples[self.rival])
        matching_fates = fates & self.cards.matching[place.stack[-1]]
        return matching_fates | {wild} if wild in fates and not fates.isdisjoint(self.cards.aces) else matching_fates

    def _risk_fact(self, place: CitizenPlace, fate: str, threat_level: int, *, is_certain: bool) -> GameFact:
        citizen = place.stack[0]
        deeds = (("drive", "them to the Agora"), ("win", "them over"))
        if place.seat is None:
            deeds = (("win", "them back"), ("keep", "them for good"))
        verb, object_words = deeds[threat_level - 1]
        short_words = f"{{s0}} can {verb} {object_words}" if is_certain else f"{{s0}} {verb}s {object_words}"
        known_fates = (fate,) if is_certain else ()
        words = "As you know, {s0} holds the {c0} and" if is_certain else "{s0}"
        sentence = Sentence(f"{words} can {verb} {object_words}.", (self.rival,), known_fates)
        cards = (citizen, *known_fates)
        return GameFact(
            "risk", self.seat, self.rival, cards, sentence=sentence, short=Sentence(short_words, (self.rival,))
        )


def prospects(view: FateView, move: Move) -> Iterator[Consequence]:
    """Yield what follows, before the next turn of the viewer, from the viewer's `move` that led to `view`.

    Nothing follows if the game is over. With the option `memory=closed` some consequences that a player would have to
    count cards for are left out (TF-28).
    """
    if view.at.end is not None or not view.at.number:
        return
    outlook = ProspectCalculator(view)
    yield from outlook.draw_consequences()
    yield from outlook.introduction_consequences(move)
    endings = tuple(outlook.ending_consequences(move))
    yield from endings
    yield from outlook.idle_turn_consequences(move)
    is_over = any(ending.is_certain for ending in endings)
    if move.verb in {"play", "wild"} and not is_over and not view.rules.has_option("memory", "closed"):
        yield from outlook.rival_consequences(move.operands[-1])
