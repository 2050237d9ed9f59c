"""Checks of the expectations of an example after its moves have been played."""

import textwrap
from collections.abc import Callable, Mapping

from vaultkit.errors import InvalidError
from vaultkit.games.turn import Prompt
from vaultkit.session.card_names import words_of
from vaultkit.session.examples.playback import ExampleSession
from vaultkit.spelling import did_you_mean
from vaultkit.text import join_words, name_key

_MAX_EVENT_CHARS = 100
"""The maximum number of characters of an event in an error message."""


def find_errors(session: ExampleSession) -> list[InvalidError]:
    """Play an example, and return its errors: the first impossible move, or else the expectations that are not met."""
    try:
        session.play()
    except InvalidError as error:
        return [error]
    errors = (_find_error(session, expected_line) for expected_line in session.example.content.expect)
    return [error for error in errors if error]


def _find_error(session: ExampleSession, expected_line: str) -> InvalidError | None:
    """Return the error for a line with an expectation, or None if the expectation is met."""
    kind, _, details = expected_line.partition(":")
    check = _CHECKS.get(kind.strip().casefold())
    if check is None:
        hint = did_you_mean(kind, _CHECKS, suffix=f"You can expect: {', '.join(_CHECKS)}.")
        return session.example.error(f"'{expected_line}' cannot be checked.", hint, expected_line)
    try:
        difference = check(session, details.strip(), expected_line)
    except InvalidError as error:
        return error
    if difference:
        return session.example.error(f"This example fails: {difference}", "", expected_line)
    return None


def _contains_run(words: tuple[str, ...], all_words: tuple[str, ...]) -> bool:
    """Return whether `words` occur in `all_words` one directly after the other."""
    return any(all_words[start : start + len(words)] == words for start in range(len(all_words)))


def _parse_decision(session: ExampleSession, rest: str, line: str) -> tuple[Prompt, str]:
    """Return the decision that is due, and the move in `rest`, which may follow the name of a seat and a colon.

    Raises InvalidError for `line` if no decision is due, or if another seat must decide.
    """
    turn, (name, colon, words) = session.turn, rest.partition(":")
    if not isinstance(turn, Prompt):
        raise session.example.error("This example fails: nobody is asked after that.", "", line)
    if colon and turn.seat != session.seat_of(name, rest):
        seat_name = session.name(turn.seat)
        raise session.example.error(f"This example fails: it is {seat_name} who is asked.", "", line)
    return turn, words.strip() if colon else rest


def _check_offer(session: ExampleSession, rest: str, line: str) -> str:
    turn, words = _parse_decision(session, rest, line)
    return "" if session.find_moves(words, turn) else " ".join(session.explain_unclear(words, turn, ())).strip()


def _check_refused(session: ExampleSession, rest: str, line: str) -> str:
    turn, words = _parse_decision(session, rest, line)
    if moves := session.find_moves(words, turn):
        return f"'{session.label(moves[0])}' is offered."
    session.check_move_words(words, line)
    return ""


def _check_event(session: ExampleSession, rest: str, line: str) -> str:  # noqa: ARG001
    query_words = words_of(rest)
    events = [event for step in session.steps for event in step.events]
    kinds = {*(event.kind for event in events), session.outcome.kind if session.outcome else ""}
    if rest in kinds or any(_contains_run(query_words, words_of(session.words(event.sentence))) for event in events):
        return ""
    last_words = session.words(events[-1].sentence) if events else "none."
    last_event_text = textwrap.shorten(last_words, _MAX_EVENT_CHARS, placeholder=" …")
    return f"nothing like '{rest}' happened. The last that did: {last_event_text}"


def _check_score(session: ExampleSession, rest: str, line: str) -> str:
    *names, expected_score = rest.split(" ")
    seat_names = [name_key(name) for name in session.header.names]
    score_part = names.pop() if name_key(" ".join(names)) not in seat_names and len(names) > 1 else ""
    seat, outcome = session.seat_of(" ".join(names), line), session.outcome
    if score_part or outcome:
        points = outcome and (outcome.scores[seat].get(score_part) if score_part else outcome.score(seat))
    else:
        points = session.game.standing(session.view(seat))[seat].points
    if points is not None and str(points) == expected_score:
        return ""
    return f"{session.name(seat)} has {'no such score' if points is None else points}, not {expected_score}."


def _check_winner(session: ExampleSession, rest: str, line: str) -> str:
    outcome = session.outcome
    if outcome is None:
        return "the game goes on."
    names = [name for name in rest.replace(" and ", ",").split(",") if name.strip() and rest != "nobody"]
    expected_seats = {session.seat_of(name, line) for name in names}
    winner_names = join_words(map(session.name, outcome.winners)) or "nobody"
    if expected_seats == {*outcome.winners}:
        return ""
    return f"the winner is {winner_names}. {session.words(outcome.reason)}"


_CHECKS: Mapping[str, Callable[[ExampleSession, str, str], str]] = {
    "offer": _check_offer,
    "refused": _check_refused,
    "event": _check_event,
    "score": _check_score,
    "winner": _check_winner,
}
"""The checks of expectations, by the first word of the line.

Each is called with the game, the rest of the line and the line, and returns what is different, "" for nothing.
"""
