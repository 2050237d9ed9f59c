"""Phrases that claim something about a deed in any case, each with a check."""

from collections.abc import Callable
from typing import Protocol

from tests.campaign.story_truth.records import Deed, Record, leaders
from tests.campaign.story_truth.scale import best_other, sole
from tests.campaign.story_truth.sentences import Parsed


class Context(Protocol):
    """The game's record, and the deeds told before."""

    record: Record
    told: list[Deed]


def new_lead(_: Context, deed: Deed, __: Parsed) -> bool:
    return sole(deed.after) == deed.who and sole(deed.before) != deed.who


def leads(_: Context, deed: Deed, __: Parsed) -> bool:
    return sole(deed.after) == deed.who


def gap(_: Context, deed: Deed, __: Parsed) -> bool:
    return deed.who is not None and deed.after[deed.who] < best_other(deed.after, deed.who)


def lead_grew(_: Context, deed: Deed, __: Parsed) -> bool:
    if deed.who is None or sole(deed.before) != deed.who:
        return False
    was, now = (stand[deed.who] - best_other(stand, deed.who) for stand in (deed.before, deed.after))
    return now > was


def drew_level(_: Context, deed: Deed, __: Parsed) -> bool:
    return deed.who is not None and deed.before[deed.who] < best_other(deed.before, deed.who)


def place_is(which: str, *zones: tuple[str, str]) -> Callable[[Context, Deed, Parsed], bool]:
    """Return a check that a Citizen came from or went to one of these zones of `own`, `other` or `nobody`."""

    def holds(_: Context, deed: Deed, __: Parsed) -> bool:
        zone, owner = deed.facts.get(which, ("", None))  # type: ignore[misc]
        whose = "own" if owner == deed.who else "nobody" if owner is None else "other"
        return (zone, whose) in zones

    return holds


STAYS = place_is("from", ("congregation", "own"))
IN_TEMPLE = place_is("to", ("temple", "own"))


def lost_it(_: Context, deed: Deed, __: Parsed) -> bool:
    return deed.other is not None and deed.gain(deed.other) < 0


def even_swap(_: Context, deed: Deed, said: Parsed) -> bool:
    return deed.other is not None and deed.gain(deed.who) == -deed.gain(deed.other)


def beats(_: Context, deed: Deed, __: Parsed) -> bool:
    return bool(deed.facts.get("beats"))


def untouched_by_own_innocent(context: Context, deed: Deed, __: Parsed) -> bool:
    return deed.facts.get("innocent") != deed.who or context.record.options["innocent"] == "others-only"


def saw_all_fates(_: Context, deed: Deed, __: Parsed) -> bool:
    return deed.facts.get("innocent") is None


def cards_were_passed(context: Context, deed: Deed, _: Parsed) -> bool:
    """Return whether one of the next steps moved cards between at least two hands at once."""
    positions = context.record.positions
    for before, after in list(zip(positions[deed.step :], positions[deed.step + 1 :], strict=False))[
        : 2 * deed_seats(context)
    ]:
        old = {card: seat for seat, hand in enumerate(before.at.hands) for card in hand}
        moved = [card for seat, hand in enumerate(after.at.hands) for card in hand if old.get(card, seat) != seat]
        if len(moved) > 1:
            return True
    return False


def deed_seats(context: Context) -> int:
    return context.record.seats


def thrown(_: Context, deed: Deed, __: Parsed) -> bool:
    return deed.facts.get("cause") == "thrown"


def unable(_: Context, deed: Deed, __: Parsed) -> bool:
    return deed.facts.get("able") is False


def able(_: Context, deed: Deed, __: Parsed) -> bool:
    return deed.facts.get("able") is True


def is_round(*kinds: str) -> Callable[[Context, Deed, Parsed], bool]:
    return lambda _, deed, __: deed.facts.get("round") in kinds


def no_more(context: Context, deed: Deed, _: Parsed) -> bool:
    """Return whether the game ended with the deed."""
    return deed.step == len(context.record.positions) - 2


def first_of_kind(context: Context, deed: Deed, _: Parsed) -> bool:
    return next(one for one in context.record.deeds if one.kind == deed.kind).step == deed.step


def decided_focus(context: Context, deed: Deed, _: Parsed) -> bool:
    judged = context.record.positions[-1].at.judged
    return judged is not None and judged.seat == deed.who


def ended_by_donjon(context: Context, deed: Deed, _: Parsed) -> bool:
    last = context.record.positions[-1].at
    return last.donjon == deed.who and last.judged is None


def was_robbed(context: Context, deed: Deed, _: Parsed) -> bool:
    """Return whether another seat lost a card from its hand to the discard pile right after the deed."""
    positions = context.record.positions
    for step in range(deed.step + 1, min(deed.step + 5, len(positions) - 1)):
        old, new = positions[step].at, positions[step + 1].at
        losers = [seat for seat in range(context.record.seats) if set(old.hands[seat]) - set(new.hands[seat])]
        if losers:
            return deed.who not in losers
    return False


def everybody_discarded(context: Context, deed: Deed, _: Parsed) -> bool:
    positions, seats = context.record.positions, context.record.seats
    start, givers = positions[deed.step + 1].at, set()
    for step in range(deed.step + 1, min(deed.step + 1 + 3 * seats, len(positions) - 1)):
        old, new = positions[step].at, positions[step + 1].at
        if new.risks != start.risks or new.round != start.round:
            break
        givers |= {seat for seat in range(seats) if set(old.hands[seat]) - set(new.hands[seat])}
    return len(givers) == seats


def fates_all_moved(context: Context, deed: Deed, _: Parsed) -> bool:
    old, new = context.record.positions[deed.step].at, context.record.positions[deed.step + 1].at
    return all(one != other for one, other in zip(old.fates, new.fates, strict=True))


def pulls_strings(context: Context, deed: Deed, _: Parsed) -> bool:
    return any(position.at.forced for position in context.record.positions[deed.step + 1 : deed.step + 3]) or any(
        type(task).__name__ == "ForcedTurn"
        for position in context.record.positions[deed.step + 1 : deed.step + 3]
        for task in position.stack
    )


def focus_swapped(context: Context, deed: Deed, _: Parsed) -> bool:
    old, new = context.record.positions[deed.step].at, context.record.positions[deed.step + 1].at
    return bool(old.focus != new.focus and new.fates[deed.who] == old.focus)


CLAIMS: tuple[tuple[str, Callable[[Context, Deed, Parsed], bool], str], ...] = (
    (r"took the lead|the lead (as well|with it)|with it,? the lead|meant the lead|went in front|to the front",
     new_lead, "no new lead"),
    (r"suddenly .*in front|order changed|was now in front|put \{who\} in front|and the lead\b(?! grew)",
     new_lead, "no new lead"),
    (r"overtook \{former\}", new_lead, "no new lead"),
    (r"\{lead\} (ahead|in front)|lead of \{lead\}|lead, by \{lead\}|led by \{lead\}|lead was now|the lead \{lead\}"
     r"|lead grew to \{lead\}",
     leads, "does not lead"),
    (r"nobody could match|nobody had more", leads, "does not lead"),
    (r"lead grew|further ahead|already in front|did not let go|made the lead", lead_grew, "no lead that grew"),
    (r"level", lambda _, deed, __: deed.who in leaders(deed.after) and len(leaders(deed.after)) > 1, "not level"),
    (r"drew level|caught up", drew_level, "was not behind"),
    (r"still \{lead\} (behind|short)|\{lead\} behind|gap of \{lead\}|\{lead\} to make up|too little",
     gap, "not behind"),
    (r"order changed", drew_level, "was not behind"),
    (r"strengthened the hold|hold on", STAYS, "was not held before"),
    (r"took vows|into the temple|entered .* temple|to the temple|into \{who\}'s temple|for good", IN_TEMPLE, "no vow"),
    (r"faithful", place_is("to", ("congregation", "own")), "not among the faithful"),
    (r"Agora", place_is("from", ("agora", "nobody")), "was not in the Agora"),
    (r"left \{other\}|walked out|away from \{other\}|drew .* away|\{other\} lost|made \{other\} lose|cost",
     lost_it, "lost nothing"),
    (r"lost to \{other\}", lambda *_: False, "the other lost it"),
    (r"gained what \{other\} lost", even_swap, "gain and loss differ"),
    (r"\{who\} gained|and gained|brought \{who\}|was worth|earned|richer",
     lambda _, deed, __: deed.gain(deed.who) > 0, "no gain"),
    (r"stronger than|beating|brought down", beats, "did not beat it"),
    (r"no answer|could not (meet|answer|pay)|nothing to give|too much for", unable, "was able, or nobody knows"),
    (r"by choice|chose not|and did not", able, "was not able"),
    (r"threw the lowest|lowest card", thrown, "threw nothing"),
    (r"keep \{other\}|kept \{other\}|rest of the game", is_round("hero", "crown"), "spared all"),
    (r"saved \{who\}|kept \{who\}|paid instead", is_round("hero", "crown"), "spared all"),
    (r"for a bad day", is_round("hero", "crown"), "spared all"),
    (r"nobody (had to leave|forfeited|had to go)", is_round("number"), "not a number"),
    (r"would (have|be)", lambda *_: False, "says what would have happened"),
    (r"everything stopped|cut the game short|ended the game|game was over|before its time",
     lambda v, d, s: (ended_by_donjon if v.record.game == "prophets-gambit" else no_more)(v, d, s), "it went on"),
    (r"lay against crowns", lambda *_: False, "not told by positions"),
    (r"[Tt]he first prophecy|It began|did not have to wait", first_of_kind, "not the first"),
    (r"had an answer|\{who\} answered with",
     lambda v, d, s: bool(v.told) and v.told[-1].who != d.who, "answers nobody"),
    (r"followed it up", lambda v, d, s: bool(v.told) and v.told[-1].who == d.who, "followed another"),
    (r"nobody could beat|best card", lambda *_: True, ""),
    (r"not be counted|counted for nobody|one card short", lambda _, d, __: d.facts.get("verdict") == "kill", "saved"),
    (r"every hand|fifth card", lambda _, d, __: "verdict" in d.facts, "no verdict"),
    (r"changed places|made a Fate of the Focus", focus_swapped, "no swap"),
    (r"everybody had to give|for all hands", everybody_discarded, "not everybody"),
    (r"robbed a rival|take out a card", was_robbed, "nobody was robbed"),
    (r"every Fate moved|nobody kept the Fate", fates_all_moved, "not every Fate"),
    (r"last word on the Focus$|life of the Focus|last word on the Focus\.$", decided_focus, "did not decide"),
    (r"pulled the strings|gave \{who\} power", pulls_strings, "moved nobody"),
    (r"choose anew|new cards|cards? were exchanged|exchanged (two|cards)|gave \{who\} (back )?a card|searched among"
     r"|looked for somebody|whispered", untouched_by_own_innocent, "is the Innocent"),
    (r"saw what the others|opened the eyes", saw_all_fates, "the Innocent's Fate stayed hidden"),
    (r"cards were passed|from one hand to the next", cards_were_passed, "nothing was passed"),
)  # fmt: skip
"""Patterns of phrases that claim something about a deed, the check of each, and what is wrong if it fails."""
