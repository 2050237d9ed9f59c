"""Sample values, with which a vault's own templates are tested before they are needed."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from vaultkit import __version__, files
from vaultkit.campaign.dragon_citadel.rewards_page import section_text
from vaultkit.campaign.property_names import READING, SESSION, block_id
from vaultkit.campaign.session_note import SeatText
from vaultkit.campaign.stats.stats_note import stats_text
from vaultkit.campaign.template_rendering import render_line, render_note
from vaultkit.vault.writing import marked_region

_DAYS = {"date": "2026-11-03", "day": "3 November 2026", "version": __version__}
_TUPLES = frozenset(("rolls", "shares", "story", "things"))
"""The values that are tuples where a note is written."""


def _create_seat(name: str, **changes: Any) -> SeatText:
    values: dict[str, Any] = {
        **dict.fromkeys(("text", "link", "introduced", "cell", "value"), name),
        **{"key": name.lower(), "bot": False, "counts": True, "winner": False, "rank": 2, "score": 8},
    }
    return SeatText(**values | changes)


class _AnyDate(dict[str, str]):
    """The properties of a date in the world, under any name."""

    def __missing__(self, name: str) -> str:
        return "12 Eleasis: 1492"


_SEATS = (
    _create_seat("Ysolde", link="[[Ysolde]]", winner=True, rank=1, score=17),
    _create_seat("Bram", link="[[Bram]]", winner=True, rank=1, score=17),
    *map(_create_seat, ("Sefa", "Oren")),
    _create_seat("Bot", introduced="Bot (greedy bot)", bot=True, counts=False),
)


def _read_samples() -> dict[str, dict[str, Any]]:
    """Return the values in template_samples.toml; lists are the tuples that they are where a note is written."""
    tables = files.parse_toml(files.read_text(Path(__file__).with_suffix(".toml"), allow_links=True))
    for values in tables.values():
        for name, value in values.items():
            is_list = isinstance(value, list) and name not in _TUPLES
            values[name] = [*_to_tuples(value)] if is_list else _to_tuples(value)
    return tables


def _to_tuples(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _to_tuples(item) for name, item in value.items()}
    return tuple(map(_to_tuples, value)) if isinstance(value, list) else value


_SAMPLES = _read_samples()
_IN_WORLD = {"in_world": _AnyDate({"fc-date": "12 Eleasis: 1492"})}
_GAME: Mapping[str, Any] = {
    **_DAYS,
    **_SAMPLES["game"],
    **_IN_WORLD,
    "seats": _SEATS,
    "winners": [*_SEATS[:2]],
    "conceded": [_SEATS[0]],
    "bots": [_SEATS[4]],
    "standing": [*_SEATS],
    "scores": [*_SEATS],
    "games": [{"winners": [_SEATS[0]], "scores": [17, 8]}] * 2,
}
_READING: Mapping[str, Any] = {
    **_DAYS,
    **_SAMPLES["reading"],
    **_IN_WORLD,
    "cards": _SAMPLES["reading"]["cards"] * 5,
}
_MARKERS = {"begin": marked_region.begin_marker("stats"), "end": marked_region.end_marker("stats")}
SAMPLES: Mapping[str, Mapping[str, Any]] = {
    **dict.fromkeys(("session-note.md.j2", "log-line.md.j2"), _GAME),
    **dict.fromkeys(("reading.md.j2", "reading-line.md.j2"), _READING),
    "rewards.md.j2": {**_DAYS, **_SAMPLES["rewards"]},
    "loot-line.md.j2": {"date": _DAYS["date"], **_SAMPLES["loot"]},
    "stats.md.j2": {**_MARKERS, **_SAMPLES["stats"]},
}
"""The sample values for each template, with something of everything."""
_MAY_BE_EMPTY = frozenset((
    *("headline", "facts", "about", "remarks", "note", "in_world", "winners", "bots", "standing", "scores", "games"),
    *("sheets", "story", "tales", "cards", "deeds", "rules", "deck", "options", "mode", "question", "question_value"),
    *("source", "rolls", "shares", "left", "coins", "players", "bests", "pairs", "first", "last"),
    *("base", "wins_chart", "games_chart", "journal", "fingerprint", "conceded"),
))  # fmt: skip
_MAY_BE_NONE = frozenset(("match", "seed", "minutes"))
"""The values of a game that may be None; a reading always has its seed."""


def sparse_values(name: str) -> dict[str, Any]:
    """Return values for the template `name` in which everything that may be empty is empty."""
    values = SAMPLES[name]
    empty_values = {
        key: type(value)() for key, value in values.items() if key in _MAY_BE_EMPTY and hasattr(value, "__len__")
    }
    if values is _READING:
        card = {"position": "", "meaning": "", "picture": "", "text": ()}
        empty_values |= {"kind": "draw", "cards": [{**values["cards"][0], **card}]}
    if values is _GAME:
        empty_values |= {**dict.fromkeys(_MAY_BE_NONE), "seats": (_create_seat("Ysolde", rank=None, score=None),)}
    return {**values, **empty_values, **dict.fromkeys({"real_cards", "shared"} & values.keys(), False)}


def try_template(name: str, vault: Path | None) -> Iterator[str]:
    """Yield the text that the template `name` makes of each sample. Raises InvalidError if the template fails."""
    for values in (SAMPLES[name], sparse_values(name)):
        if name.endswith("-line.md.j2"):
            yield render_line(name, values, block_id(_GAME["session"]), vault)
        elif key := _KEY_BY_TEMPLATE.get(name):
            yield render_note(name, values, key, vault)
        else:
            yield _RENDERERS[name](values, vault)


_KEY_BY_TEMPLATE = {"session-note.md.j2": SESSION, "reading.md.j2": READING}
_RENDERERS = {"rewards.md.j2": section_text, "stats.md.j2": stats_text}
