"""Sample values, with which a vault's own templates are tested before they are needed."""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from vaultkit import __version__
from vaultkit.campaign.dragon_citadel.rewards_page import section_text
from vaultkit.campaign.property_names import READING, SESSION, block_id
from vaultkit.campaign.session_note import SeatText
from vaultkit.campaign.stats.stats_note import stats_text
from vaultkit.campaign.template_rendering import render_line, render_note
from vaultkit.session.balance import Distribution, Rate
from vaultkit.vault.writing import marked_region

_DAYS = {"date": "2026-11-03", "day": "3 November 2026", "version": __version__}
_RATE = Rate(31.5, 100)
_SPREAD = Distribution(41.5, 40.0, 23, 77)


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
_GAME: Mapping[str, Any] = {
    **_DAYS,
    "session": "20261103-sample-k3f9",
    "definition": "sha256-0123456789abcdef",
    "title": "Sample: a game",
    "link": "[[Games/2026-11-03 Sample\\|Sample]]",
    "game": "[[Sample|Sample: a game]]",
    "game_id": "sample",
    **{"moves": 41, "minutes": 12, "seed": 7, "free_undos": 1, "real_cards": True, "mode": "coop"},
    **{"journal": ".vaultkit/journals/20261103-sample-k3f9.journal", "fingerprint": "abcdef0123456789"},
    **{"rules": "[[Sample]]", "deck": "[[Tarokka Deck]]", "deck_kind": "tarokka", "options": ["rewards=treasure"]},
    **{"outcome": "party", "reason": "The party beat the dealer: all of them", "headline": "Ysolde beat the \"Raven\""},
    "facts": [("Champion", "[[Ysolde]] with 17"), ("What it costs", "A horse: the white one.")],
    "about": [("Encounter", "[[The Bridge]]")],
    "remarks": ["17 is more than the deck holds."],
    "note": "Sefa said: \"never again\"",
    "in_world": _AnyDate({"fc-date": "12 Eleasis: 1492"}),
    "seats": _SEATS,
    "winners": [*_SEATS[:2]],
    "bots": [_SEATS[4]],
    "standing": [*_SEATS],
    "scores": [*_SEATS],
    "match": 3,
    "games": [{"winners": [_SEATS[0]], "scores": [17, 8]}] * 2,
    "sheets": [
        {
            **{"title": "Score Sheet", "columns": ("Player", "Swords"), "numbers": (False, True)},
            "rows": (("[[Ysolde]]", "17"), ("[[Bram]]", "8")),
        }
    ],
    "story": ("[[Ysolde]] beat the Raven.", "The gate stayed open."),
    "tales": [("Ysolde played the Raven.", "It flew off: at last.")],
    "cards": ["[[Raven]]"],
    "deeds": [("[[Raven]]", "stayed open")],
}  # fmt: skip
_READING: Mapping[str, Any] = {
    **_DAYS,
    **{"reading": "20261103-reading-k3f9", "kind": "reading", "title": "Sample: a reading", "seed": 7},
    "link": "[[Readings/Sample]]",
    **{"question": "What: now?", "question_value": "What: now?"},
    **{
        "spread": "[[Cross]]",
        "spread_value": "[[Cross]]",
        "deck": "[[Tarokka Deck]]",
        "deck_value": "[[Tarokka Deck]]",
    },
    "cards": [
        {
            **{"position": "Past", "meaning": "What was: before", "link": "[[Raven]]", "title": "Raven: 1 of birds"},
            **{"picture": "![[raven.png|120]]", "text": ("A bird.", "It waits.")},
        }
    ]
    * 5,
    "in_world": _AnyDate({"fc-date": "12 Eleasis: 1492"}),
}
_ROLL = {
    **{"player": "[[Ysolde]]", "score": "17", "row": 3, "table": "[[Table B]]", "number": "42"},
    **{"result": "A cup", "due": False},
}
_REWARDS: Mapping[str, Any] = {
    **_DAYS,
    **{"session": "20261103-sample-k3f9", "block": "vk-sample-rewards", "column": "Treasure", "source": "[[Rewards]]"},
    "seed": 7,
    "rolls": (_ROLL, {**_ROLL, "number": "1 roll", "due": True}),
    "shared": True,
    "shares": ({"player": "Ysolde", "things": ("A cup",), "coins": "12 gp", "cell": "A cup; 12 gp"},),
    "left": "1 gp",
    "remarks": ("A row is missing.",),
}
_LOOT: Mapping[str, Any] = {
    **{"date": "2026-11-03", "session": "20261103-sample-k3f9"},
    **{"link": "[[Games/Sample]]", "things": ("A cup", "a map"), "coins": "12 gp"},
}
_STATS: Mapping[str, Any] = {
    **{
        "begin": marked_region.begin_marker("stats"),
        "end": marked_region.end_marker("stats"),
        "sessions": 3,
        "matches": 1,
    },
    **{"first": "2026-11-03", "last": "2026-11-10", "base": "![[Games.base]]", "more_pairs": 1, "more_cards": 1},
    "players": [
        {
            **{"name": "[[Ysolde]]", "games": 3, "won": 2, "together": 1, "streak": 1, "longest": 2, "matches": 1},
            **{"matches_won": 1, "rate": "67 %", "last": "2026-11-10"},
        }
    ],
    "bests": [{"game": "Sample", "name": "[[Ysolde]]", "score": "17", "when": "[[Games/Sample]]"}],
    "games": [
        {
            **{"title": "Sample", "sessions": 3, "matches": 1, "together": 1, "seats": "2", "average": "12.5"},
            **{"best": "17, Ysolde", "leaders": "[[Ysolde]] (2)", "outcomes": [("the party won", 3)]},
            **{"options": ["rewards=treasure (1)"], "chart": "```mermaid\npie showData\n```"},
        }
    ],
    "pairs": [{"one": "[[Ysolde]]", "other": "[[Bram]]", "games": 3, "won": 2, "lost": 1, "level": 0}],
    "cards": [{"link": "[[Raven]]", "games": 2, "where": "Sample (2)"}],
    "wins_chart": "```mermaid\nxychart-beta\n```",
    "games_chart": "```mermaid\npie showData\n```",
}
SAMPLES: Mapping[str, Mapping[str, Any]] = {
    **dict.fromkeys(("session-note.md.j2", "log-line.md.j2"), _GAME),
    **dict.fromkeys(("reading.md.j2", "reading-line.md.j2"), _READING),
    **{"rewards.md.j2": _REWARDS, "loot-line.md.j2": _LOOT, "stats.md.j2": _STATS},
}
"""The sample values for each template, with something of everything."""
_MAY_BE_EMPTY = frozenset((
    *("headline", "facts", "about", "remarks", "note", "in_world", "winners", "bots", "standing", "scores", "games"),
    *("sheets", "story", "tales", "cards", "deeds", "rules", "deck", "options", "mode", "question", "question_value"),
    *("source", "rolls", "shares", "left", "coins", "players", "bests", "pairs", "first", "last"),
    *("base", "wins_chart", "games_chart", "journal", "fingerprint"),
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
