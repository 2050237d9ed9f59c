"""Checks of each sentence of a story against the game's record: its values, its case, and its words."""

import re
from collections.abc import Callable, Iterator, Sequence

from tests.campaign.story_truth.claims import CLAIMS, STAYS
from tests.campaign.story_truth.endings import WholeGame
from tests.campaign.story_truth.records import Deed, Record, Scores, leaders
from tests.campaign.story_truth.scale import best_other, points, sole, word
from tests.campaign.story_truth.sentences import Parsed, mark_names, readings
from vaultkit.campaign.story import Story
from vaultkit.games.hands import Category
from vaultkit.games.messages import Seat, Sentence


def problems(record: Record, story: Story, phrases_of: str = "") -> list[str]:
    """Return what is false in a story, a line for each false sentence."""
    return list(Verifier(record, phrases_of or record.game).problems(story))


class Verifier(WholeGame):
    """The checks of one story, sentence by sentence.

    `named` is the seat that alone was named in the sentence before, `last_named` the one that the last sentence named.
    """

    last_named: Seat | None = None

    def problems(self, story: Story) -> Iterator[str]:
        for sentence in story.sentences:
            yield from self._judge(sentence, ())
        if story.headline:
            yield from self._judge(story.headline, ("headline",))
        for card, sentence in story.cards:
            yield from self._judge(sentence, ("card",), card)

    def _judge(self, sentence: Sentence, kinds: tuple[str, ...], card: str = "") -> Iterator[str]:
        text, judged = mark_names(sentence), list[tuple[list[str], Parsed, tuple[int, int]]]()
        self.named, named = self.last_named, set(sentence.seats)
        if not kinds:
            self.last_named = named.pop() if len(named) == 1 else None
        before = self.step, self.chapter, len(self.told)
        for reading in readings(self.phrases_of, sentence, kinds):
            self.step, self.chapter = before[:2]
            del self.told[before[2] :]
            wrong = [*self._check(reading, card), *self._words(reading)]
            judged.append((wrong, reading, (self.step, self.chapter)))
            if not wrong:
                return
        if not judged:
            yield f"{text} | no phrase"
            return
        wrong, reading, (self.step, self.chapter) = min(judged, key=lambda one: len(one[0]))
        yield f"{text} | {reading.kind}.{reading.case}: {'; '.join(wrong)}"

    def _words(self, said: Parsed) -> Iterator[str]:
        """Yield errors about words that no sentence may use, whatever happened."""
        if re.search(r"\bwould (have|ever)\b|\bHad \{|\bWithout the\b|\bif .* had (not|stayed)\b", said.phrase):
            yield "says what would have happened"
        combat = self.record.options.get("requires", "none") == "none"
        if self.record.game == "deck-of-destiny" and "opponent" in said.phrase and not combat:
            yield "there was no opponent"

    def _check(self, said: Parsed, card: str) -> Iterator[str]:
        if said.kind == "card":
            yield from self._card(said, card)
            return
        check = CHECKS.get(said.kind)
        if check is not None:
            yield from check(self, said)
        elif said.case == "before" and said.kind == "forfeit":
            yield from self._forfeits(said)
        elif said.kind.endswith(("-up", "-down")):
            yield from self._check_hand_moved(said)
        elif said.case in {"run", "all", "more-run"}:
            yield from self._run(said)
        else:
            yield from self._deed(said)

    # single deeds

    def _deed(self, said: Parsed) -> Iterator[str]:
        if self.ended:
            yield "told after the end"
        trials = []
        for deed in self.record.deeds:
            if deed.kind == said.kind and deed.step >= self.step:
                trials.append((list(self._check_deed(deed, said)), deed))
        if not trials:
            yield "nothing of the kind happened after what was told before"
            return
        wrong, deed = min(trials, key=lambda trial: (len(trial[0]), trial[1].step))
        yield from wrong
        self._advance_to(deed)

    def _advance_to(self, *deeds: Deed) -> None:
        self.step, self.chapter = deeds[-1].step, deeds[-1].chapter
        self.told += deeds

    def _check_deed(self, deed: Deed, said: Parsed) -> Iterator[str]:
        yield from self._places(deed, said)
        yield from self._case(deed, said)
        if said.case.startswith("more") and deed.who != self.named:
            yield f"nobody knows that it is about {deed.who}"
        for pattern, holds, why in CLAIMS:
            if re.search(pattern, said.phrase) and not holds(self, deed, said):
                yield why

    def _places(self, deed: Deed, said: Parsed) -> Iterator[str]:
        fill = said.fill
        who = deed.who
        if "who" in fill and said.seats("who") != (() if who is None else (who,)):
            yield f"who: {who}"
        if "other" in fill and said.seat("other") != deed.other:
            yield f"other: {deed.other}"
        if "former" in fill and said.seat("former") != sole(deed.before):
            yield f"former: {sole(deed.before)}"
        if "card" in fill and said.cards("card") != deed.cards[:1]:
            yield f"card: {deed.cards}"
        if "with" in fill and said.cards("with") != deed.cards[1:2]:
            yield f"with: {deed.cards}"
        if "cards" in fill and set(said.cards("cards")) != set(deed.cards):
            yield f"cards: {deed.cards}"
        if "dealt" in fill and said.cards("dealt") != (deed.facts.get("dealt", self._dealer_card(deed)),):
            yield f"dealt: {deed.facts.get('dealt', self._dealer_card(deed))}"
        yield from self._numbers(deed, said)
        if "number" in fill and said.text("number") != str(deed.chapter):
            yield f"number: {deed.chapter}"
        if "chapter" in fill and said.text("chapter") != self.record.chapter:
            yield f"chapter: {self.record.chapter}"
        if "when" in fill:
            yield from self._check_time(deed, said.text("when").lower())
        if "earlier" in fill:
            yield from self._check_earlier(deed, said)

    def _numbers(self, deed: Deed, said: Parsed) -> Iterator[str]:
        fill, who, after = said.fill, deed.who, deed.after
        for place in ("gain", "points"):
            if place in fill and said.text(place) != points(deed.gain(who)):
                yield f"{place}: {points(deed.gain(who))}"
        if "loss" in fill and said.text("loss") != points(-deed.gain(deed.other)):
            yield f"loss: {points(-deed.gain(deed.other))}"
        if who is not None:
            if "score" in fill and said.text("score") != points(after[who]):
                yield f"score: {points(after[who])}"
            if "lead" in fill and said.text("lead") != points(abs(after[who] - best_other(after, who))):
                yield f"lead: {points(abs(after[who] - best_other(after, who)))}"
        if "left" in fill and said.text("left") != word(int(str(deed.facts["left"]))):
            yield f"left: {deed.facts['left']}"
        if "hand" in fill and deed.kind == "hand" and said.text("hand").lower() != str(deed.facts["hand"]).lower():
            yield f"hand: {deed.facts['hand']}"

    def _dealer_card(self, deed: Deed) -> str | None:
        position = self.record.positions[deed.step]
        found = getattr(position.at, "dealer_card", None) or getattr(
            self.record.positions[deed.step + 1].at, "dealer_card", None
        )
        return found if isinstance(found, str) else None

    def _check_time(self, deed: Deed, when: str) -> Iterator[str]:
        gap = deed.chapter - self.chapter
        if match := re.fullmatch(r"in (\w+) (\d+)", when):
            if match[1] != self.record.chapter or int(match[2]) != deed.chapter:
                yield f"when: {self.record.chapter} {deed.chapter}"
        elif re.search(r"\blast\b|at the end|late in", when):
            if deed.chapter != self.record.chapters:
                yield f"when: {deed.chapter} of {self.record.chapters}"
        elif re.search(r"same|that very|moments later", when):
            if gap:
                yield f"when: {gap} later"
        elif re.search(r"next|later|after", when):
            if gap != 1:
                yield f"when: {gap} later"
        elif when != "then":
            yield f"when: {when}"

    def _check_earlier(self, deed: Deed, said: Parsed) -> Iterator[str]:
        """Yield an error unless the rival had taken the card from this seat, which had not regained it since."""
        citizen = deed.cards[0]
        takes = [
            one for one in self.record.deeds
            if one.kind.endswith("won-over") and one.step < deed.step and one.cards[0] == citizen
        ]  # fmt: skip
        last = takes[-1] if takes else None
        if last is None or (last.who, last.other) != (deed.other, deed.who):
            yield "had not been taken"
        elif said.text("earlier") != f"{self.record.chapter} {last.chapter}":
            yield f"earlier: {last.chapter}"
        elif any(
            one.kind in {"play", "wild"} and last.step < one.step < deed.step and citizen in one.cards
            and one.facts["to"] == ("congregation", deed.who)
            for one in self.record.deeds
        ):  # fmt: skip
            yield "had been won back before"

    def _case(self, deed: Deed, said: Parsed) -> Iterator[str]:
        """Yield errors about what the name of a case claims, in any game."""
        who, before, after = deed.who, deed.before, deed.after
        names = set(said.case.split("-"))
        if not self.record.counts:
            if said.case in {"kill", "save"} and deed.facts.get("verdict") != said.case:
                yield f"verdict: {deed.facts.get('verdict')}"
            return
        if "lead" in names and (sole(after) != who or sole(before) == who):
            yield "no new lead"
        if "level" in names and (who is None or len(leaders(after)) < 2 or who not in leaders(after)):
            yield "not level at the top"
        if "ahead" in names and not sole(before) == sole(after) == who:
            yield "not ahead as before"
        if "behind" in names and who in leaders(after):
            yield "not behind"
        if "other" in names and deed.other is None:
            yield "nobody else"
        if "nobody" in names and deed.who is not None:
            yield "somebody"
        if "same" in names and (deed.chapter != self.chapter or not self.told or deed.who == self.told[-1].who):
            yield "no answer in the same chapter"

    # several deeds

    def _run(self, said: Parsed) -> Iterator[str]:
        who = said.seats("who") if "who" in said.fill else ()
        if said.case == "more-run":
            if self.named is None:
                yield "nobody knows whom it is about"
            who = () if self.named is None else (self.named,)
        deeds = [deed for deed in self.record.deeds if deed.kind == said.kind and deed.step >= self.step]
        deeds = [deed for deed in deeds if deed.who in who] if who else deeds
        trials = []
        for start in range(len(deeds)):
            for end in range(start + 2, min(start + 8, len(deeds) + 1)):
                run = deeds[start:end]
                trials.append((list(self._check_run(run, said, who)), run))
        if not trials:
            yield "no such run"
            return
        wrong, run = min(trials, key=lambda trial: (len(trial[0]), trial[1][0].step))
        yield from wrong
        self._advance_to(*run)

    def _check_run(self, run: Sequence[Deed], said: Parsed, who: tuple[Seat, ...]) -> Iterator[str]:
        fill = said.fill
        if who and tuple(dict.fromkeys(deed.who for deed in run)) != who:
            yield "not these seats"
        if "cards" in fill and set(said.cards("cards")) != {deed.cards[-1] for deed in run if deed.cards}:
            yield "cards"
        if "count" in fill and said.text("count").lower() != word(len(run)):
            yield f"count: {len(run)}"
        if "gain" in fill:
            gain = sum({deed.step: deed.gain(deed.who) for deed in run}.values())
            if said.text("gain") != points(gain):
                yield f"gain: {points(gain)}"
        if "other" in fill and {deed.other for deed in run} != {said.seat("other")}:
            yield "other"
        if "chapters" in fill:
            yield from self._chapters(said.text("chapters"), [deed.chapter for deed in run])
        yield from self._words_of_run(run, said)

    def _words_of_run(self, run: Sequence[Deed], said: Parsed) -> Iterator[str]:
        """Yield errors about what the words of a phrase about several deeds claim."""
        if re.search(r"\{count\} Citizens|Citizens (took|followed)", said.phrase) and len(
            {deed.cards[0 if deed.kind != "play" else 1] for deed in run}
        ) != len(run):
            yield "one Citizen twice"
        if "in a row" in said.phrase and "Moments" in said.phrase:
            truths = [deed for deed in self.record.deeds if deed.kind.endswith(("vows", "won-over"))]
            between = [deed for deed in truths if run[0].step <= deed.step <= run[-1].step]
            if any(deed.who != run[0].who for deed in between):
                yield "not in a row"
        if "hold" in said.phrase and not all(STAYS(self, deed, said) for deed in run):
            yield "was not held before"
        if said.kind == "play" and said.case == "run" and any(deed.gain(deed.who) <= 0 for deed in run):
            yield "no gain"
        saves = said.kind == "crown" and re.search(r"saved|kept \{who\}|stay in the game", said.phrase)
        if saves and any(deed.other is not None or deed.facts["round"] == "number" for deed in run):
            yield "was not saved by own Crowns"
        if "one after another" in said.phrase and "came true" in said.phrase:
            fulfilled = [deed for deed in self.record.deeds if deed.kind == "fulfilled"]
            if any(deed.who != run[0].who for deed in fulfilled if run[0].step < deed.step < run[-1].step):
                yield "not one after another"

    @staticmethod
    def _chapters(text: str, numbers: Sequence[int]) -> Iterator[str]:
        said = sorted(map(int, re.findall(r"\d+", text)))
        happened = sorted(set(numbers))
        ok = said == happened or (" to " in text and said == [happened[0], happened[-1]] and len(happened) > 1)
        if not ok:
            yield f"chapters: {happened}"

    def _forfeits(self, said: Parsed) -> Iterator[str]:
        if self.ended:
            yield "told after the end"
        deeds = [deed for deed in self.record.deeds if deed.kind == "forfeit" and deed.who in said.seats("who")]
        if {deed.who for deed in deeds} != set(said.seats("who")):
            yield "did not forfeit"
        yield from self._chapters(said.text("chapters"), [deed.chapter for deed in deeds])
        if any(one.kind == "joker" for one in self.told):
            yield "told after the joker"

    def _check_hand_moved(self, said: Parsed) -> Iterator[str]:
        """Yield an error unless the seat is the one whose best hand rose or fell most by the deed told last."""
        kind, _, way = said.kind.rpartition("-")
        last = self.told[-1] if self.told else None
        if last is None or last.kind != kind:
            yield "not told of"
            return
        ends = [deed.step for deed in self.record.deeds if deed.step > last.step]
        after = self._final_scores(last, min(ends, default=len(self.record.positions) - 2))
        changes = [now - then for then, now in zip(last.before, after, strict=True)]
        who = said.seat("who") if "who" in said.fill else last.who if last.who is not None else 0
        assert who is not None
        if way == "up" and (changes[who] <= 0 or max(changes) > changes[who]):
            yield f"changes: {changes}"
        if way == "down" and (changes[who] >= 0 or min(changes) < changes[who]):
            yield f"changes: {changes}"
        if said.case == "more" and who != self.named:
            yield f"nobody knows that it is about {who}"
        names = self.hand_names
        for place, strength in (("was", last.before[who]), ("now", after[who])):
            if place in said.fill and names and not said.text(place).lower().startswith(names[int(strength)].lower()):
                yield f"{place}: {names[int(strength)]}"

    @property
    def hand_names(self) -> tuple[str, ...]:
        """The beginnings of the words for a hand, from the weakest to the strongest."""
        order = self.record.positions[-1].rules.cards.ranking.order.categories
        if self.record.game == "prophets-gambit":
            return tuple(HAND_BEGINNINGS[category] for category in reversed(order))
        return tuple(map(self.record.positions[-1].rules.cards.hand_name, reversed(order)))

    def _turning(self, said: Parsed) -> Iterator[str]:
        """Yield an error unless the deed told last gave its seat a lead that lasted to the end."""
        last = self.told[-1] if self.told else None
        if last is None or sole(last.after) != last.who or sole(last.before) == last.who:
            yield "no new lead"
            return
        if any(sole(stand) != last.who for _, stand in self.record.course[last.step :]):
            yield "the lead was lost"
        if "former" in said.fill and said.seat("former") != sole(last.before):
            yield f"former: {sole(last.before)}"

    def _final_scores(self, deed: Deed, until: int) -> Scores:
        """Return the scores after all consequences of a deed, before the next turn."""
        if self.record.game == "deck-of-destiny":
            return deed.after
        positions, steps = self.record.positions, range(deed.step + 1, len(self.record.positions))
        for step in steps:
            turn = positions[step].turn
            verbs = {move.verb for move in getattr(turn, "moves", ())}
            if turn is None or verbs & {"show", "play", "risk", "keep", "replace", "kill", "save"}:
                return self.record.course[step - 1][1]
        return self.record.course[until][1]

    def _card(self, said: Parsed, card: str) -> Iterator[str]:
        kinds = [kind for kind in sorted({deed.kind for deed in self.record.deeds}, key=len, reverse=True)
                 if said.case == kind or said.case.startswith(f"{kind}-")]  # fmt: skip
        trials = []
        for deed in self.record.deeds:
            if (
                kinds
                and deed.kind == kinds[0]
                and (card == deed.cards[-1] if kinds[0] != "board" else card in deed.cards)
            ):
                trials.append([*self._check_deed(deed, said), *self._card_case(deed, said, card)])
        if not trials:
            yield f"no deed of {card}"
            return
        yield from min(trials, key=len)

    def _card_case(self, deed: Deed, said: Parsed, card: str) -> Iterator[str]:
        if self.record.game == "deck-of-destiny":
            end = self.record.positions[-1].at.end
            final = end.best.cards if end.best else ()
            if "final hand" in said.phrase and not end.best:
                yield "there was no final hand"
            elif ("no part" in said.phrase) == (card in final):
                yield "final hand"
            if "hand" in said.fill:
                name = self.record.positions[-1].rules.cards.hand_name(end.best.value.category) if end.best else ""
                if said.text("hand") != name:
                    yield f"hand: {name}"
        if said.case.startswith("execution-") and deed.facts["verdict"] != said.case.removeprefix("execution-"):
            yield "verdict"


HAND_BEGINNINGS = {
    Category.HIGH_CARD: "High card", Category.PAIR: "a Pair", Category.TWO_PAIRS: "two Pairs",
    Category.TRIPLE: "a Triple", Category.FULL_HOUSE: "a Fortune", Category.STRAIGHT: "a Village",
    Category.FLUSH: "a Guild", Category.FOUR: "a Circle", Category.STRAIGHT_FLUSH: "a Family",
}  # fmt: skip
CHECKS: dict[str, Callable[[Verifier, Parsed], Iterator[str]]] = {
    "opening": Verifier._opening,
    "turning": Verifier._turning,
    "result": Verifier._result,
    "headline": Verifier._result,
    "end": Verifier._end,
    "halfway": Verifier._check_halfway,
    "meanwhile": Verifier._check_meanwhile,
    "in-front": Verifier._check_in_front,
    "last": Verifier._check_last,
    "cause": Verifier._cause,
}
