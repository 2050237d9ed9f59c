"""Checks of the expectations of an example after its moves have been played."""

import textwrap
from collections.abc import Callable, Mapping

from vaultkit.errors import InvalidError
from vaultkit.games.turn import Prompt
from vaultkit.session.card_names import words_of
from vaultkit.session.examples.playback import Rehearsal
from vaultkit.spelling import did_you_mean
from vaultkit.text import listing, name_key

_MAX_EVENT_CHARS = 100
"""The maximum number of characters of an event in an error message."""


def try_out(session: Rehearsal) -> list[InvalidError]:
    """Play an example, and return its errors: the first impossible move, or else the expectations that are not met."""
    try:
        session.play()
    except InvalidError as error:
        return [error]
    return [fault for expected in session.example.content.expect if (fault := _fault(session, expected))]


def _fault(session: Rehearsal, expected: str) -> InvalidError | None:
    """Return the error for a line that says what is expected, or None if the expectation is met."""
    kind, _, rest = expected.partition(":")
    look = _CHECKS.get(kind.strip().casefold())
    if look is None:
        hint = did_you_mean(kind, _CHECKS, suffix=f"Expected may be: {', '.join(_CHECKS)}.")
        return session.example.error(f"'{expected}' says nothing that can be looked for.", hint, expected)
    try:
        fault = look(session, rest.strip(), expected)
    except InvalidError as error:
        return error
    return session.example.error(f"This example does not come true: {fault}", "", expected) if fault else None


def _contains_run(words: tuple[str, ...], all_words: tuple[str, ...]) -> bool:
    """Return whether `words` occur in `all_words` one directly after the other."""
    return any(all_words[at : at + len(words)] == words for at in range(len(all_words)))


def _parse_decision(session: Rehearsal, rest: str, line: str) -> tuple[Prompt, str]:
    """Return the decision that is due, and the move in `rest`, which may follow the name of a seat and a colon.

    Raises InvalidError for `line` if no decision is due, or if another seat must decide.
    """
    turn, (name, colon, words) = session.turn, rest.partition(":")
    if not isinstance(turn, Prompt):
        raise session.example.error("This example does not come true: nobody is asked any more.", "", line)
    if colon and turn.seat != session.seat_of(name, rest):
        seat_name = session.name(turn.seat)
        raise session.example.error(f"This example does not come true: it is {seat_name} who is asked.", "", line)
    return turn, words.strip() if colon else rest


def _check_offer(session: Rehearsal, rest: str, line: str) -> str:
    turn, words = _parse_decision(session, rest, line)
    return "" if session.find_moves(words, turn) else " ".join(session.explain_unclear(words, turn, ())).strip()


def _check_refused(session: Rehearsal, rest: str, line: str) -> str:
    turn, words = _parse_decision(session, rest, line)
    if moves := session.find_moves(words, turn):
        return f"'{session.label(moves[0])}' is offered."
    session.understand(words, line)
    return ""


def _check_event(session: Rehearsal, rest: str, line: str) -> str:  # noqa: ARG001
    query_words = words_of(rest)
    events = [event for step in session.steps for event in step.events]
    kinds = {*(event.kind for event in events), session.outcome.kind if session.outcome else ""}
    if rest in kinds or any(_contains_run(query_words, words_of(session.words(event.sentence))) for event in events):
        return ""
    last = (
        textwrap.shorten(session.words(events[-1].sentence), _MAX_EVENT_CHARS, placeholder=" …") if events else "none."
    )
    return f"nothing like '{rest}' happened. The last that did: {last}"


def _check_score(session: Rehearsal, rest: str, line: str) -> str:
    *names, number = rest.split(" ")
    own = [name_key(name) for name in session.header.names]
    part = names.pop() if name_key(" ".join(names)) not in own and len(names) > 1 else ""
    seat, outcome = session.seat_of(" ".join(names), line), session.outcome
    if part or outcome:
        points = outcome and (outcome.scores[seat].get(part) if part else outcome.score(seat))
    else:
        points = session.game.standing(session.view(seat))[seat].points
    if points is not None and str(points) == number:
        return ""
    return f"{session.name(seat)} has {'no such score' if points is None else points}, not {number}."


def _check_winner(session: Rehearsal, rest: str, line: str) -> str:
    outcome = session.outcome
    if outcome is None:
        return "the game goes on."
    names = [name for name in rest.replace(" and ", ",").split(",") if name.strip() and rest != "nobody"]
    expected_seats = {session.seat_of(name, line) for name in names}
    won = listing(map(session.name, outcome.winners)) or "nobody"
    return "" if expected_seats == {*outcome.winners} else f"the winner is {won}. {session.words(outcome.reason)}"


_CHECKS: Mapping[str, Callable[[Rehearsal, str, str], str]] = {
    "offer": _check_offer,
    "refused": _check_refused,
    "event": _check_event,
    "score": _check_score,
    "winner": _check_winner,
}
"""The checks of expectations, by the first word of the line.

Each is called with the game, the rest of the line and the line, and returns what is different, "" for nothing.
"""
