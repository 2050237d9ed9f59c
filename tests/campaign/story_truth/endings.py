"""Checks of what a story says about a whole game: its opening, middle and result, and who led since when."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from tests.campaign.story_truth.records import Deed, Record, Scores, leaders
from tests.campaign.story_truth.scale import best_other, points, sole, word
from tests.campaign.story_truth.sentences import Parsed
from vaultkit.games.hands import TAROKKA_NAMES
from vaultkit.games.messages import Seat

CLOSE_SHARE = 0.06


def hand_words(name: str, ranks: str) -> str:
    """Return the words for a hand of Prophet's Gambit, from the names of its category and ranks."""
    first, *others = ranks.split("-")
    if name == "High card":
        return f"{name} {first}"
    if name in {"Village", "Guild", "Family"}:
        return f"a {name} up to {first}"
    second = next(rank for rank in (*others, first) if rank != first or name not in {"Two pairs", "Fortune"})
    return {"Two pairs": f"two Pairs, {first}s and {second}s", "Fortune": f"a Fortune of {first}s and {second}s"}.get(
        name, f"a {name} of {first}s"
    )


@dataclass
class WholeGame:
    """Checks of one story; `step` and `chapter` are those of the deed told last."""

    record: Record
    phrases_of: str
    step: int = -1
    chapter: int = 0
    ended: bool = False
    told: list[Deed] = field(default_factory=list)
    named: Seat | None = None

    def _opening(self, said: Parsed) -> Iterator[str]:
        yield from self._check_whole(said)
        if "single Citizen" in said.phrase:
            first = next(position for position in self.record.positions if position.at.number == 1)
            at = first.at
            if len(at.in_play) + len(at.vowed[0]) + len(at.vowed[1]) != 1:
                yield f"began with {len(at.in_play)}"
        if "Only one could" in said.phrase and len(self.record.outcome.winners) > 1:
            yield "several won"
        undecided = self.record.outcome.kind == "seer" and not self.record.outcome.winners
        if undecided and re.search(r"before it was decided|to settle who", said.phrase):
            yield "nothing was decided"
        if "how much to stake" in said.phrase and not self._laid:
            yield "nothing was staked"

    @property
    def _laid(self) -> bool:
        return any(deed.kind == "lay" for deed in self.record.deeds)

    def _check_whole(self, said: Parsed) -> Iterator[str]:
        fill, outcome = said.fill, self.record.outcome
        ranks = outcome.ranks
        first = tuple(seat for seat, rank in enumerate(ranks) if rank == 1)
        second = tuple(seat for seat, rank in enumerate(ranks) if rank == 2)
        facts = {"winners": outcome.winners, "second": second, "players": tuple(range(len(ranks)))}
        for place, seats in facts.items():
            if place in fill and said.seats(place) != seats:
                yield f"{place}: {seats}"
        if "leader" in fill and said.seats("leader") != first:
            yield f"leader: {first}"
        if "who" in fill and said.seat("who") != (outcome.winners or (0,))[0]:
            yield "who"
        if "length" in fill and said.text("length") != f"{word(self.record.chapters)} {self.record.chapter}s":
            yield f"length: {self.record.chapters}"
        if "chapter" in fill and said.text("chapter") != self.record.chapter:
            yield "chapter"
        if "score" in fill:
            best = outcome.score(first[0])
            if said.text("score") != points(best or 0):
                yield f"score: {best}"
        if "margin" in fill and said.text("margin") != points(self._margin):
            yield f"margin: {self._margin}"

    @property
    def _margin(self) -> float:
        """The lead of the first seat over the second in rank."""
        scores = [self.record.outcome.score(seat) or 0 for seat in range(len(self.record.outcome.ranks))]
        first = self.record.outcome.winners[0]
        seconds = [scores[seat] for seat, rank in enumerate(self.record.outcome.ranks) if rank == 2]
        others = seconds or [scores[seat] for seat in range(len(scores)) if seat != first]
        return abs(scores[first] - (seconds[0] if seconds else max(others, default=scores[first])))

    def _result(self, said: Parsed) -> Iterator[str]:
        outcome, case = self.record.outcome, said.case
        self.ended = True
        yield from self._check_whole(said)
        winners = outcome.winners
        scores = [outcome.score(seat) for seat in range(len(outcome.ranks))]
        kinds = {"party", "dealer", "last-survivor", "win", "loss", "tie", "retreat", "match", "donjon"}
        if case.partition("-")[0] in kinds and case.removesuffix("-same") != outcome.kind and case in kinds:
            yield f"kind: {outcome.kind}"
        if case in {"conceded", "given-up"} and outcome.kind != "conceded":
            yield f"kind: {outcome.kind}"
        if case == "nobody" and (winners or self.record.options.get("seer", "truce") != "truce"):
            yield "somebody won"
        if case == "dealer-wins" and not (outcome.kind == "seer" and self.record.options.get("seer") == "dealer-wins"):
            yield "the dealer did not win so"
        if case == "shared" and (len(winners) < 2 or len({scores[seat] for seat in winners}) > 1):
            yield f"not shared evenly: {[scores[seat] for seat in winners]}"
        if case not in {"dealer", "nobody", "dealer-wins"} and re.search(r"\{winners\}", said.phrase) and not winners:
            yield "nobody won"
        if winners and self.record.game not in {"prophets-gambit", "deck-of-destiny"}:
            yield from self._drama(said, scores)
        if "home with nothing" in said.phrase and any(scores):
            yield f"scores: {scores}"
        yield from (self._gambit(said) if self.record.game == "prophets-gambit" else ())
        yield from (self._destiny(said) if self.record.game == "deck-of-destiny" else ())

    def _drama(self, said: Parsed, scores: Sequence[float | None]) -> Iterator[str]:
        case, winner = said.case, self.record.outcome.winners[0]
        best = scores[winner] or 0
        if case in {"surge", "comeback"} and self._was_ahead(winner):
            yield "was not behind"
        if re.search(r"(?i)for long|two thirds", said.phrase):
            yield "was behind with a third to go, and nobody knows for how long"
        if case == "close" and self._margin > max(1, CLOSE_SHARE * abs(best)):
            yield "not close"
        if case in {"clear", "surge"} and self._margin < abs(best) / 3:
            yield "not clear"
        if case == "level" and not (self._margin == 0 and len(self.record.outcome.winners) == 1):
            yield "not level"
        if re.search(r"\{second\}'s lead|overtook \{second\}", said.phrase):
            second = said.seats("second")
            stand = self._stand_at(self.record.chapters * 2 // 3)
            if (
                len(second) != 1
                or stand[second[0]] <= stand[winner]
                or ("lead" in said.phrase and sole(stand) != second[0])
            ):
                yield "was not behind the second"
        if re.search(r"as close as it could be", said.phrase) and self._margin > 1:
            yield "could have been closer"

    def _was_ahead(self, winner: Seat) -> bool:
        return winner in leaders(self._stand_at(self.record.chapters * 2 // 3))

    def _stand_at(self, chapter: int) -> Scores:
        return next((stand for number, stand in reversed(self.record.course) if number <= chapter), ())

    def _gambit(self, said: Parsed) -> Iterator[str]:
        outcome, last = self.record.outcome, self.record.positions[-1]
        if outcome.kind == "match":
            return
        hands = {seat: self._hand_of(seat) for seat in range(len(outcome.ranks))}
        winner, second = outcome.winners[0], outcome.ranks.index(2)
        expected = {
            "hand": hands[winner][0],
            "foe": hands[second][0],
            "ranks": hands[winner][1],
            "others": hands[second][1],
        }
        for place, text in expected.items():
            if place in said.fill and said.text(place).lower() != text.lower():
                yield f"{place}: {text}"
        for place, seat in (("own-hand", winner), ("other-hand", second)):
            if place in said.fill and said.text(place).lower() != hand_words(*hands[seat]).lower():
                yield f"{place}: {hands[seat]}"
        by_rank = self.record.options["tie_compare"] == "ranks"
        same = hands[winner][0] == hands[second][0]
        equal = same and (not by_rank or hands[winner][1] == hands[second][1])
        if said.case in {"same", "kickers"} and (not same or equal):
            yield "not the ranks"
        if said.case == "kickers" and hand_words(*hands[winner]) != hand_words(*hands[second]):
            yield "more than the kickers"
        if said.case == "equal" and not equal:
            yield "not equal"
        if said.case == "any" and "beat" in said.phrase and same:
            yield "the same hand"
        if said.case == "donjon" and last.at.donjon is None:
            yield "no Donjon"
        if re.search(r"early", said.phrase) and (last.at.judged is not None or last.at.donjon is None):
            yield "not early"

    def _hand_of(self, seat: Seat) -> tuple[str, str]:
        last = self.record.positions[-1]
        cards = (*last.at.hands[seat], last.at.fates[seat], *([last.at.focus] if last.at.focus else []))
        value = last.rules.cards.ranking.value(cards)
        ranks = ["Master" if rank in {0, 10} else str(rank) for rank in value.ranks]
        return TAROKKA_NAMES[value.category], "-".join(ranks)

    def _destiny(self, said: Parsed) -> Iterator[str]:
        end = self.record.positions[-1].at.end
        name = self.record.positions[-1].rules.cards.hand_name
        own = name(end.best.value.category) if end.best else ""
        foe = name(end.opponent_best.value.category) if end.opponent_best else ""
        for place, text in (("hand", own), ("foe", foe)):
            if place in said.fill and said.text(place).lower() != text.lower():
                yield f"{place}: {text}"
        for place, cards in (("best", end.best), ("against", end.opponent_best)):
            if place in said.fill and (cards is None or set(said.cards(place)) != set(cards.cards)):
                yield place
        counts = {"price": len(end.own) if not end.kept else 0, "prize": len(self.record.positions[-1].at.reward or ())}
        for place, count in counts.items():
            if place in said.fill and said.text(place) != f"{count} card{'s' * (count != 1)}":
                yield f"{place}: {count}"
        if "lost" in said.fill and (end.kept or set(said.cards("lost")) != set(end.own)):
            yield "lost: " + ("kept" if end.kept else str(end.own))
        if said.case in {"win-same", "loss-same"} and end.best.value == end.opponent_best.value:
            yield "equal hands"
        if re.search(r"won the encounter with \{hand\}|made \{hand\}", said.phrase) and self._is_exact(end):
            yield "won with another hand"
        if (
            re.search(r"opponent (kept the field|won)|to the opponent", said.phrase)
            and not foe
            and end.kind != "retreat"
        ):
            yield "no opponent"
        if (
            end.kind == "retreat"
            and "before it was decided" not in said.phrase
            and not end.phase
            and "drew" in said.phrase
        ):
            yield "was never there"

    def _is_exact(self, end: object) -> bool:
        last = self.record.positions[-1]
        category, exact = last.rules.category, last.rules.has_option("passive", "exact")
        best = getattr(end, "best", None)
        return bool(exact and category is not None and best and best.value.category != category)

    def _end(self, said: Parsed) -> Iterator[str]:
        outcome = self.record.outcome
        self.ended = True
        if said.case not in {outcome.kind, "any"}:
            yield f"kind: {outcome.kind}"
        yield from ()
        if "One after another the rivals" in said.phrase and self.record.seats < 3:
            yield "there was one rival"
        if "earlier than anybody had wished" in said.phrase:
            yield "nobody knows what anybody wished"
        if "dealt" in said.fill and said.cards("dealt") != (self.record.positions[-1].rules.cards.joker,):
            yield "dealt"

    def _check_halfway(self, said: Parsed) -> Iterator[str]:
        half = self.record.chapters // 2
        stand = self._stand_at(half)
        first = leaders(stand)
        others = sorted({points for seat, points in enumerate(stand) if seat not in first}, reverse=True)
        if said.case == "level" and len(first) < 2:
            yield "not level"
        if said.case in {"any", "more"} and len(first) != 1:
            yield "level"
        if said.case == "more" and (self.named,) != first:
            yield "nobody knows who leads"
        if "leader" in said.fill and said.seats("leader") != first:
            yield f"leader: {first}"
        if "score" in said.fill and said.text("score") != points(max(stand)):
            yield f"score: {max(stand)}"
        if "lead" in said.fill and (not others or said.text("lead") != points(max(stand) - others[0])):
            yield f"lead: {max(stand) - (others or [0])[0]}"
        if "second" in said.fill:
            second = tuple(seat for seat, score in enumerate(stand) if others and score == others[0])
            if said.seats("second") != second:
                yield f"second: {second}"
        if self.ended or self.chapter > half:
            yield f"told after {self.record.chapter} {self.chapter}"
        self.chapter = half
        self.step = max(
            (step for step, (number, _) in enumerate(self.record.course) if number <= half), default=self.step
        )

    def _check_meanwhile(self, said: Parsed) -> Iterator[str]:
        """Yield an error unless, after the told deed, a step gave that seat the sole lead with that card and margin."""
        leader = said.seat("leader") if "leader" in said.fill else self.named
        course = self.record.course
        if "card" not in said.fill:
            stands = [stand for _, stand in course[self.step + 1 :] if sole(stand) == leader]
            if not stands or (
                "lead" in said.fill
                and said.text("lead")
                not in {points(stand[leader or 0] - best_other(stand, leader or 0)) for stand in stands}
            ):
                yield "never led so"
            return
        trials = []
        for deed in self.record.deeds:
            if deed.step > self.step and ("card" not in said.fill or deed.who == leader):
                wrong = []
                if "card" in said.fill and said.cards("card") not in (deed.cards[:1], deed.cards[-1:]):
                    wrong.append("card")
                if "card" in said.fill and (sole(deed.after) != leader or sole(deed.before) == leader):
                    wrong.append("no new lead")
                lead = points(deed.after[leader] - best_other(deed.after, leader)) if leader is not None else ""
                if sole(deed.after) != leader or said.text("lead") != lead:
                    wrong.append(f"lead: {lead}")
                if deed.gain(leader) <= 0 and "card" in said.fill:
                    wrong.append("the card brought nothing")
                trials.append((wrong, deed))
        if not trials:
            yield "nothing happened meanwhile"
            return
        wrong, deed = min(trials, key=lambda trial: (len(trial[0]), trial[1].step))
        yield from wrong

    def _check_in_front(self, said: Parsed) -> Iterator[str]:
        """Yield an error unless the winner led alone from the named chapter on, and not before."""
        yield from self._check_whole_in_front(said)
        winner = self.record.outcome.winners[0]
        number = int(said.text("number"))
        led = [step for step, (_, stand) in enumerate(self.record.course) if sole(stand) == winner]
        since = len(self.record.course)
        while since - 1 in led:
            since -= 1
        if since == len(self.record.course) or self.record.course[since][0] != number:
            yield f"since {self.record.course[min(since, len(self.record.course) - 1)][0]}"

    def _check_whole_in_front(self, said: Parsed) -> Iterator[str]:
        if "winners" in said.fill and said.seats("winners") != self.record.outcome.winners:
            yield "winners"

    def _check_last(self, said: Parsed) -> Iterator[str]:
        ranks = self.record.outcome.ranks
        worst = [seat for seat, rank in enumerate(ranks) if rank == max(ranks)]
        if said.seats("who") != tuple(worst):
            yield f"last: {worst}"
        elif said.text("score") != points(self.record.outcome.score(worst[0]) or 0):
            yield "score"

    def _cause(self, said: Parsed) -> Iterator[str]:
        yield "says what would have happened"
