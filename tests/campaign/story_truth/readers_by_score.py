"""Readers of games that count points: Turn of Fate, Dragon Citadel and Propheta."""

from collections.abc import Iterator, Mapping
from typing import Any

from tests.campaign.story_truth.records import Found, Reader, Scores
from vaultkit.cards import Deck
from vaultkit.games.messages import Seat


class FateReader(Reader):
    """The reader of Turn of Fate: stacks that have grown, and their places."""

    chapter_name = "turn"

    def chapter_of(self, before: Any, after: Any) -> int:
        return int(before.at.number)

    def scores(self, state: Any) -> Scores:
        at = state.at
        if not at.temples:
            return (0.0, 0.0)
        return tuple(
            float(
                sum(
                    self._stack_value(stack, at.temples[1 - seat])
                    for stack in (*at.congregations[seat], *at.vowed[seat])
                )
            )
            for seat in (0, 1)
        )

    def _stack_value(self, stack: tuple[str, ...], rival: str) -> int:
        """Return the value of a stack; a Citizen who bears the suit of the rival's temple counts twice."""
        doubled = rival in self.deck[stack[0]].suits
        return sum(map(self._face, stack)) + (self._face(stack[0]) if doubled else 0)

    def _face(self, card: str) -> int:
        rank = self.deck[card].rank
        return rank if isinstance(rank, int) else 1 if rank == "Ace" else 10

    @staticmethod
    def places(state: Any) -> dict[str, tuple[str, Seat | None, tuple[str, ...]]]:
        at = state.at
        found: dict[str, tuple[str, Seat | None, tuple[str, ...]]] = {}
        for seat in (0, 1):
            found |= {stack[0]: ("congregation", seat, stack) for stack in at.congregations[seat]}
            found |= {stack[0]: ("temple", seat, stack) for stack in at.vowed[seat]}
        return found | {stack[0]: ("agora", None, stack) for stack in at.agora}

    def deeds(self, before: Any, after: Any) -> Iterator[Found]:
        old, new = self.places(before), self.places(after)
        mover = before.at.mover
        for citizen, (zone, owner, stack) in new.items():
            if citizen not in old:
                if zone == "temple":
                    yield "own-mind", owner, (citizen,), None, {"to": (zone, owner)}
                continue
            was, had, below = old[citizen]
            if len(stack) == len(below):
                continue
            fate, wild = stack[-1], len(before.at.hands[mover]) - len(after.at.hands[mover]) == 2
            other = had if had not in (None, mover) else None
            facts = {"from": (was, had), "to": (zone, owner)}
            if zone == "temple" or (zone == "congregation" and had == 1 - mover and owner == mover):
                kind = ("wild-" if wild else "") + ("vows" if zone == "temple" else "won-over")
                yield kind, mover, (citizen, fate), other, facts
            yield ("wild" if wild else "play"), mover, (fate, citizen), other, facts
        for citizen in set(after.at.removed) - set(before.at.removed):
            if "personality" in self.deck[citizen].traits.get("types", ""):
                yield "own-mind", None, (citizen,), None, {}


class CitadelReader(Reader):
    """The reader of Dragon Citadel: piles that have grown, Crowns that are gone, and forfeits."""

    chapter_name = "round"

    def chapter_of(self, before: Any, after: Any) -> int:
        return len(after.at.rounds)

    def scores(self, state: Any) -> Scores:
        at = state.at
        return tuple(float(self._score(at.won[seat], at.crowns[seat])) for seat in range(self.seats))

    def _score(self, won: tuple[str, ...], crowns: tuple[str, ...]) -> int:
        suited = [card for card in won if self.deck[card].suits]
        heroes = sum(not isinstance(self.deck[card].rank, int) for card in suited)
        total = sum(rank for card in suited if isinstance(rank := self.deck[card].rank, int))
        return total + (10 * (heroes + len(crowns)) if self.options["champion"] != "sum" else 0)

    def out(self, state: Any) -> frozenset[Seat]:
        return frozenset(range(self.seats)) - frozenset(state.at.active)

    def deeds(self, before: Any, after: Any) -> Iterator[Found]:
        old, new = before.at, after.at
        dealt = old.dealer_card or new.dealer_card or ""
        for seat in range(self.seats):
            fresh = [card for card in new.won[seat] if card not in old.won[seat]]
            opened = [card for card in new.crowns[seat] if card not in old.crowns[seat]]
            gone = [card for card in old.crowns[seat] if card not in new.crowns[seat]]
            if fresh:
                by_crown = opened[:1] if new.rounds[-1] == "number" else []
                suited = [card for card in fresh if card != dealt] or by_crown
                best = max(suited, key=self.cards.strength.__getitem__, default="")
                facts = {"round": new.rounds[-1], "beats": bool(best) and self._beats(best, dealt)}
                yield "won", seat, (dealt, best) if best else (dealt,), None, facts
            for crown in gone:
                task = before.stack[-1] if before.stack else None
                target = getattr(task, "seat", seat)
                if new.rounds[-1] == "number":
                    yield "crown", seat, (crown, dealt), None, {"round": "number"}
                else:
                    yield "crown", seat, (crown,), target if target != seat else None, {"round": new.rounds[-1]}
        if self._all_crowns(old, new):
            yield "won", None, (dealt,), None, {"round": "hero"}
        for forfeit in new.forfeits[len(old.forfeits) :]:
            facts = {"dealt": dealt, "cause": forfeit.cause, "left": len(new.active), "chapter": forfeit.round}
            if forfeit.cause in {"hero", "crown"}:
                facts["able"] = self._was_able(old, new.crowns, forfeit.seat, dealt, new.rounds[-1])
            yield "forfeit", forfeit.seat, (), None, facts
        if new.end and not old.end and new.end.kind == "seer":
            yield "joker", new.end.seat, (self.cards.joker,), None, {}
        if self.cards.joker in new.deck.bottom and self.cards.joker not in old.deck.bottom:
            yield "seer-buried", None, (self.cards.joker,), None, {}

    @staticmethod
    def _all_crowns(old: Any, new: Any) -> bool:
        """Return whether a hero round ended in which nobody won the hero, was saved or forfeited."""
        over = old.rounds[-1:] == ("hero",) and old.dealer_card and not new.dealer_card and new.won == old.won
        return bool(over) and not (old.covered or new.covered) and (old.active, old.end) == (new.active, new.end)

    def _was_able(self, at: Any, crowns: Any, seat: Seat, dealt: str, kind: str) -> bool | None:
        """Return whether a seat could have answered, or None if an unspent Crown could have saved it."""
        wanted = [card for card in self.deck.by_id if self._answers(card, dealt, kind)]
        held = {*at.hands[seat], *(card for owner, card in at.played if owner == seat)}
        if held & set(wanted):
            return True
        spendable = kind == "crown" or self.options["hero_open_crown"] == "yes"
        coop, ghosts = self.options["mode"] == "coop", self.options["ghost_crowns"] == "yes"
        owners = (range(self.seats) if ghosts else at.active) if coop else (seat,)
        if not spendable or not any(crowns[owner] for owner in owners):
            return False
        return None if coop or kind == "hero" else True

    def _answers(self, card: str, dealt: str, kind: str) -> bool:
        joker = self.cards.joker
        crown = not self.deck[card].suits and card != joker
        if kind == "crown":
            return crown or (bool(self.deck[card].suits) and not isinstance(self.deck[card].rank, int))
        return crown or (bool(self.deck[card].suits) and self.deck[card].suits[0] == self.deck[dealt].suits[0])

    def _beats(self, best: str, dealt: str) -> bool:
        return bool(self.cards.strength[best] > self.cards.strength[dealt])


POINTS = {"Mutable": 2, "Fixed": 4, "Cardinal": 6}


class ProphetaReader(Reader):
    """The reader of Propheta: tricks, and prophecies that were turned up."""

    def __init__(self, options: Mapping[str, object], deck: Deck, first: Any) -> None:
        super().__init__(options, deck, first)
        self.match = options["target"] != "none"
        self.chapter_name = "deal" if self.match else "trick"

    def chapter_of(self, before: Any, after: Any) -> int:
        if self.match:
            return len(before.at.deals) + 1
        return len(after.at.tricks) + bool(after.at.trick)

    def scores(self, state: Any) -> Scores:
        at = state.at
        found = []
        for seat in range(self.seats):
            total = sum(self._sheet(deal[seat]) for deal in at.deals)
            if not at.shown:
                total += sum(trick.winner == seat for trick in at.tricks)
                total += sum(POINTS[self.cards.modality[one.card]] for one in at.fulfilled[seat])
            found.append(float(total))
        return tuple(found)

    @staticmethod
    def _sheet(sheet: Any) -> int:
        return int(sheet.tricks + 2 * sheet.mutable + 4 * sheet.fixed + 6 * sheet.cardinal)

    def deeds(self, before: Any, after: Any) -> Iterator[Found]:
        old, new = before.at, after.at
        if len(new.tricks) == len(old.tricks) + 1:
            trick = new.tricks[-1]
            order = [(trick.leader + step) % self.seats for step in range(self.seats)]
            if len(trick.cards) < self.seats:
                order = [seat for seat in order if seat not in new.concessions.seats]
            card = trick.cards[order.index(trick.winner)]
            if not self.match:
                yield "won", trick.winner, (card,), None, {}
        up = [
            (seat, one.card)
            for seat in range(self.seats)
            for one in new.fulfilled[seat]
            if one not in old.fulfilled[seat]
        ]
        for seat, card in up:
            yield (
                "fulfilled",
                seat,
                (card,),
                None,
                {"together": len(up) > 1, "points": POINTS[self.cards.modality[card]]},
            )
        if len(new.deals) > len(old.deals):
            for seat, left in enumerate(new.predictions):
                if left:
                    yield "in-vain", seat, left, None, {}
