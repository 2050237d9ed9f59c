"""Journals with contents that no game writes."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

from tests.attacks.attack import Attack

ID = "20261103-dragon-citadel-k3f9"
HEADER = {
    "schema": 1, "game": "dragon-citadel", "version": "0.2.0", "session": ID, "seed": 1, "seats": [], "options": {},
    "deck": "tarokka", "fingerprint": "", "started": "2026-11-03T20:00:00+01:00",
}  # fmt: skip
SESSIONS = ("sessions",)


def journal(**fields: Any) -> Callable[[Path], object]:
    """Return a function that writes a journal with one line."""

    def prepare(vault: Path) -> None:
        place = vault / f".vaultkit/journals/{ID}.jsonl"
        place.parent.mkdir(parents=True)
        place.write_text(json.dumps({**HEADER, **fields}) + "\n")

    return prepare


ATTACKS = [
    *(
        Attack(f"a game was begun at {when}", journal(started=when), SESSIONS, 0, "damaged")
        for when in ("0001-01-01T00:00:00", "9999-12-31T23:59:59-14:00")
    ),
    Attack("a seat has a name that steers the terminal", journal(seats=[{"name": "\x1b[2J"}]), SESSIONS, 0, "running"),
]
