"""Facts that a phrase of a story may claim; they are checked before the phrase is chosen.

`story_schema.toml` lists the facts of each case. A fact is a name, in some facts with a word after it: `gain`,
`is thrown`, `option requires=none`.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field

from vaultkit.campaign.turning_points import GameTimeline, KeyEvent, Measures, lead_change, sole_leader
from vaultkit.games.concession import CONCEDED
from vaultkit.games.deck_of_destiny.rules import category_names, deck_kind, hand_name
from vaultkit.games.hands import Category
from vaultkit.games.messages import Outcome, Score, Seat
from vaultkit.games.options import Options

CLOSE_SHARE = 0.06
"""The share of the winner's score up to which a margin is close; a margin of one point is always close."""
CLEAR_SHARE = 1 / 3
"""The share of the winner's score from which a margin is clear."""


@dataclass(frozen=True)
class StoryMoment:
    """The content of one sentence: an event, or a run of several, and the events that were told before.

    `named_seats` are those that the sentence before it named.
    """

    run: Sequence[KeyEvent]
    timeline: GameTimeline
    told: Sequence[KeyEvent] = ()
    options: Options = field(default_factory=dict)
    named_seats: frozenset[Seat] = frozenset()

    @property
    def last(self) -> KeyEvent:
        return self.run[-1]


@dataclass(frozen=True)
class GameEnding:
    """A whole game and how it ended."""

    timeline: GameTimeline
    outcome: Outcome
    options: Options = field(default_factory=dict)

    @property
    def first(self) -> tuple[Seat, ...]:
        """The seats of the first rank."""
        return tuple(seat for seat, rank in enumerate(self.outcome.ranks) if rank == 1)

    @property
    def second(self) -> tuple[Seat, ...]:
        """The seats of the second rank."""
        return tuple(seat for seat, rank in enumerate(self.outcome.ranks) if rank == 2)

    @property
    def _scores(self) -> list[Score] | None:
        """The scores by rank; None unless every score is known and they are in order."""
        ranks = self.outcome.ranks
        by_rank = [self.outcome.score(seat) for seat in sorted(range(len(ranks)), key=ranks.__getitem__)]
        scores = [score for score in by_rank if score is not None]
        in_order = scores in (sorted(scores), sorted(scores, reverse=True))
        return scores if in_order and len(scores) == len(ranks) > 1 else None

    @property
    def margin(self) -> float | None:
        """The lead of the winner over the second, in points; None if more than scores decided."""
        is_by_score = len(self.outcome.winners) == 1 and self.outcome.kind not in {"winner", CONCEDED}
        return abs(self._scores[0] - self._scores[1]) if is_by_score and self._scores else None

    @property
    def scale(self) -> float:
        """The greatest score of the first two, against which a margin is judged."""
        return max(map(abs, self._scores[:2])) if self._scores else 0.0

    @property
    def hands(self) -> tuple[tuple[str, str], tuple[str, str]]:
        """The hand and its ranks of the first and of the second, or of the player and the opponent; "" if unknown."""
        first, second = self.timeline.revealed_hand(self.first), self.timeline.revealed_hand(self.second)
        own_hand, opponent_hand = self.timeline.final_hands
        return (first if first[0] else own_hand), (second if second[0] else opponent_hand)

    @property
    def asked_hand(self) -> str:
        """The hand that an encounter of Deck of Destiny asks for, as a part of a sentence; "" if it asks for none."""
        category = str(self.options.get("requires", "none")).replace("-", " ")
        return "" if category == "none" else hand_name(Category(category), category_names(deck_kind(self.options)))

    @property
    def late_standings(self) -> Measures:
        """The standings when two thirds of the game were over; empty for fewer than 3 chapters."""
        return self.timeline.leader_at(self.timeline.last_third)[1] if self.timeline.chapters >= 3 else ()


_HAND_WORDS = {
    "High card": "High card {0}", "Pair": "a Pair of {0}s", "Two pairs": "two Pairs, {0}s and {2}s",
    "Triple": "a Triple of {0}s", "Circle": "a Circle of {0}s", "Fortune": "a Fortune of {0}s and {3}s",
    "Village": "a Village up to {0}", "Guild": "a Guild up to {0}", "Family": "a Family up to {0}",
}  # fmt: skip


def describe_hand(hand: str, ranks: str = "") -> str:
    """Return a hand of Tarokka cards as a part of a sentence, `a Triple of 9s`; a hand without ranks as it is."""
    return _HAND_WORDS.get(hand, hand).format(*ranks.split("-")) if ranks else hand


# Facts about one moment; the shortest stand in MOMENT_FACTS itself.


def _is_for_good(moment: StoryMoment) -> bool:
    """Return whether the event gave a seat the lead that it kept to the end."""
    last = moment.last
    took_lead = moment.timeline.counts and lead_change(last) == "lead" and any(last.before)
    return took_lead and moment.timeline.leads_to_end(last.who, last.step)


def _leads_by_more(moment: StoryMoment) -> bool:
    last, is_ahead = moment.last, moment.timeline.counts and lead_change(moment.last) == "ahead"
    return is_ahead and lead_of(last.after, last.who) > lead_of(last.before, last.who)


def _answers_other_seat(moment: StoryMoment) -> bool:
    """Return whether the event told last is of another seat and in the same chapter."""
    if not moment.told:
        return False
    last, last_told = moment.last, moment.told[-1]
    return last_told.chapter == last.chapter and last_told.who not in {None, last.who}


def _is_first_of_kind(moment: StoryMoment) -> bool:
    kind = moment.last.event.kind
    return next(key_event for key_event in moment.timeline.key_events if key_event.event.kind == kind) is moment.last


def _has_event(subject: "StoryMoment | GameEnding", kind: str) -> bool:
    """Return whether there is an event of the kind in the whole game."""
    return any(key_event.event.kind == kind for key_event in subject.timeline.key_events)


def _are_several_cards(moment: StoryMoment) -> bool:
    cards = [key_event.event.cards[0] for key_event in moment.run if key_event.event.cards]
    return len(set(cards)) == len(moment.run)


def _is_followed(moment: StoryMoment, kind: str) -> bool:
    """Return whether an event of the kind follows, up to and including the next key event.

    `kind*` means that an event of that kind follows for every seat.
    """
    seats = {event.seat for event in moment.last.following if event.kind == kind.rstrip("*")}
    required_seats = set(range(len(moment.last.before))) if kind.endswith("*") else set()
    return bool(seats) and required_seats <= seats


def _is_outstanding(changes: Sequence[float]) -> bool:
    """Return whether one seat's hand rose by at least one kind of hand, and by one more than any other."""
    most, *others = sorted(changes, reverse=True) or [0.0]
    return most >= 1 and all(most - other >= 1 for other in others)


def _is_in_final_hand(moment: StoryMoment) -> bool:
    return moment.last.event.cards[-1] in moment.timeline.final_cards[0]


def lead_of(stand: Measures, who: Seat | None) -> float:
    """Return how far a seat is ahead of the best other one; negative if it is behind."""
    others = [points for seat, points in enumerate(stand) if seat != who]
    return 0 if who is None or not others else stand[who] - max(others)


# Facts about a whole game; the shortest stand in GAME_FACTS itself.


def _has_margin(ending: GameEnding) -> bool:
    return bool(ending.margin) and len(ending.second) == 1


def _is_shared_evenly(ending: GameEnding) -> bool:
    winners = ending.outcome.winners
    return len(winners) > 1 and len({ending.outcome.score(seat) for seat in winners}) == 1


def _is_tied(ending: GameEnding) -> bool:
    """Return whether a single seat is second, has the winner's score, and played on to the end."""
    return ending.margin == 0 and len(ending.second) == 1 and not set(ending.second) & ending.timeline.out


def _winner_was_behind(ending: GameEnding) -> bool:
    """Return whether the winner was behind when a third of the game was left."""
    winners, late_standings = ending.outcome.winners, ending.late_standings
    if not ending.timeline.counts or not late_standings or len(winners) != 1:
        return False
    return late_standings[winners[0]] < max(late_standings)


def _is_same_hand(ending: GameEnding) -> bool:
    own, foe = ending.hands
    return bool(own[0]) and own[0] == foe[0]


def _is_other_hand(ending: GameEnding) -> bool:
    own, foe = ending.hands
    return bool(own[0]) and bool(foe[0]) and own[0] != foe[0]


def _is_equal_hand(ending: GameEnding) -> bool:
    """Return whether the game's rules see no difference between the first and the second hand."""
    own, foe = ending.hands
    return _is_same_hand(ending) and (ending.options.get("tie_compare") == "category-only" or own[1] == foe[1])


def _is_higher_hand(ending: GameEnding) -> bool:
    """Return whether two hands of one name differ by their cards."""
    return _is_same_hand(ending) and not _is_equal_hand(ending)


def _is_last_alone(ending: GameEnding) -> bool:
    ranks = ending.outcome.ranks
    return len(ranks) > 2 and ranks.count(max(ranks)) == 1 and max(ranks) > 1


def _is_option(subject: StoryMoment | GameEnding, setting: str) -> bool:
    """Return whether a house rule is set, as in `requires=none`, or is not, as in `requires!=none`."""
    key, _, value = setting.partition("=")
    is_set = str(subject.options.get(key.rstrip("!"), "")) == value
    return is_set is not key.endswith("!")


MOMENT_FACTS: Mapping[str, Callable[..., bool]] = {
    "gain": lambda moment: moment.timeline.counts and sum(key_event.gain for key_event in moment.run) > 0,
    "gain-each": lambda moment: moment.timeline.counts and all(key_event.gain > 0 for key_event in moment.run),
    "score": lambda moment: moment.timeline.counts and moment.last.who is not None,
    "new-leader": lambda moment: moment.timeline.counts and lead_change(moment.last) == "lead",
    "for-good": _is_for_good,
    "continues": lambda moment: moment.named_seats == {moment.last.who},
    "was-behind": lambda moment: moment.last.who is not None and lead_of(moment.last.before, moment.last.who) < 0,
    "leads-by-more": _leads_by_more,
    "level": lambda moment: moment.timeline.counts and lead_change(moment.last) == "level",
    "behind": lambda moment: moment.timeline.counts and lead_change(moment.last) == "behind",
    "other": lambda moment: moment.last.other is not None,
    "loss": lambda moment: moment.timeline.counts and moment.last.loss > 0,
    "taken-before": lambda moment: moment.timeline.find_earlier_taking(moment.last) is not None,
    "taking-told": lambda moment: moment.timeline.find_earlier_taking(moment.last) in moment.told,
    "answers": _answers_other_seat,
    "first-of-kind": _is_first_of_kind,
    "nobody": lambda moment: moment.last.who is None,
    "somebody": lambda moment: moment.last.who is not None,
    "own": lambda moment: all(event.other is None and event.meaning != "everybody" for event in moment.run),
    "did": _has_event,
    "several-cards": _are_several_cards,
    "is": lambda moment, word: all(word in {event.meaning, event.event.detail} for event in moment.run),
    "then": _is_followed,
    "without": lambda moment, kind: not _is_followed(moment, kind),
    "rose": lambda moment: _is_outstanding(moment.last.changes),
    "fell": lambda moment: _is_outstanding([-change for change in moment.last.changes]),
    "in-final-hand": _is_in_final_hand,
    "in-no-final-hand": lambda moment: bool(moment.timeline.final_cards[0]) and not _is_in_final_hand(moment),
    "ends-game": lambda moment: moment.timeline.key_events[-1] is moment.last,
    "option": _is_option,
}
"""The facts about one event, or a run of them."""
GAME_FACTS: Mapping[str, Callable[..., bool]] = {
    "winner": lambda ending: bool(ending.outcome.winners),
    "no-winner": lambda ending: not ending.outcome.winners,
    "lone-winner": lambda ending: len(ending.outcome.winners) == 1,
    "margin": _has_margin,
    "shared": _is_shared_evenly,
    "tied": _is_tied,
    "close": lambda ending: _has_margin(ending) and (ending.margin or 0) <= max(1, CLOSE_SHARE * ending.scale),
    "clear": lambda ending: _has_margin(ending) and (ending.margin or 0) >= CLEAR_SHARE * ending.scale,
    "was-late": _winner_was_behind,
    "overtook-second": lambda ending: (
        _winner_was_behind(ending) and (sole_leader(ending.late_standings),) == ending.second
    ),
    "same-hand": _is_same_hand,
    "other-hand": _is_other_hand,
    "equal-hand": _is_equal_hand,
    "higher-hand": _is_higher_hand,
    "kickers": lambda ending: _is_higher_hand(ending) and len({describe_hand(*hand) for hand in ending.hands}) == 1,
    "several-winners": lambda ending: len(ending.outcome.winners) > 1,
    "did": _has_event,
    "last": _is_last_alone,
    "ended": lambda ending, kind: ending.outcome.kind == kind,
    "lost-cards": lambda ending: bool(ending.timeline.lost),
    "option": _is_option,
}
"""The facts about a whole game."""


def holds(fact: str, subject: StoryMoment | GameEnding) -> bool:
    """Return whether a fact, with its word if it has one, is true of a moment or of a game."""
    name, *words = fact.split()
    return (GAME_FACTS if isinstance(subject, GameEnding) else MOMENT_FACTS)[name](subject, *words)
