"""The list of games for Obsidian's Bases: a `.base` file, which is YAML."""

import hashlib
import re
from collections.abc import Iterable, Mapping, Sequence

from vaultkit.campaign.keys import SCORE, SESSION, score_keys
from vaultkit.campaign.stats.sessions import Session
from vaultkit.vault import Note, Vault
from vaultkit.vault.writing.escape import property_text, yaml_scalar
from vaultkit.vault.writing.splice import Splice, between

MOST_SCORES = 24
"""Columns of scores; guests of one evening would make the table endless."""
_COLUMNS = {
    "file.name": "Session",
    "note.game": "Game",
    "note.date": "Date",
    "note.players": "Players",
    "note.winners": "Winners",
    "note.outcome": "Outcome",
    "note.mode": "Mode",
}
_HEAD = "# Made by vaultkit stats. Change it as you like: a changed list is left alone."
_MARK = re.compile(rf"{re.escape(_HEAD)} \(([0-9a-f]{{12}})\)\n")


def base_text(scores: Mapping[str, str]) -> str:
    """The file: all games, and the games by game. `scores` are columns of scores with what stands above them."""
    columns = {**_COLUMNS, **{f"note.{key}": shown for key, shown in scores.items()}}
    content = "\n".join(
        (
            "filters:",
            "  and:",
            f"    - 'file.hasProperty(\"{SESSION}\")'",
            "properties:",
            *(f"  {_key(key)}:\n    displayName: {yaml_scalar(shown)}" for key, shown in columns.items()),
            "views:",
            *_view("All games", columns),
            *_view("By game", columns, "note.game"),
            "",
        )
    )
    return f"{_HEAD} ({_digest(content)})\n{content}"


def score_columns(sessions: Sequence[Session], vault: Vault) -> dict[str, str]:
    """The properties with people's scores, by how many games have them, each with its heading."""
    found: dict[str, int] = {}
    names: dict[str, str] = {}
    bots: set[str] = set()
    for session in sessions:
        there = session.game.participants
        for key, one in zip(score_keys(one.name for one in there), there, strict=True):
            names[key] = one.name
            bots.update([key] if one.bot else [])
        for key in vault.facts[session.game.note].properties:
            if key.lower().startswith(SCORE):
                found[key] = found.get(key, 0) + 1
    chosen = sorted(found.keys() - bots, key=lambda key: (-found[key], key))[:MOST_SCORES]
    return {key: f"Score of {property_text(names.get(key, key.removeprefix(SCORE)))}" for key in sorted(chosen)}


def is_ours(text: str) -> bool:
    """Whether a file is as we made it. Obsidian drops the first line when somebody changes a view there."""
    plain = text.replace("\r\n", "\n")
    mark = _MARK.match(plain)
    return mark is not None and mark[1] == _digest(plain[mark.end() :])


def brought_up_to_date(note: Note, text: str) -> Splice | None:
    """What a file of ours needs to be `text`, in its own line ends; None if it is that, or if a GM has changed it."""
    new = text.replace("\n", note.encoded.newline)
    return between(note.text, new) if is_ours(note.text) and new != note.text else None


def _view(name: str, columns: Iterable[str], group: str = "") -> list[str]:
    grouped = ["    groupBy:", f"      property: {group}", "      direction: ASC"] if group else []
    order = [f"      - {_key(column)}" for column in columns if column != group]
    sort = ["    sort:", "      - property: note.date", "        direction: DESC"]
    return ["  - type: table", f"    name: {yaml_scalar(name)}", *grouped, "    order:", *order, *sort]


def _key(name: str) -> str:
    """A property's name as YAML; one with letters of other scripts is quoted."""
    return name if re.fullmatch(r"[a-z][a-z0-9.-]*", name) else yaml_scalar(name)


def _digest(content: str) -> str:
    return hashlib.sha256(content.encode()).hexdigest()[:12]
