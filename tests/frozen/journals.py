"""Files of version 0.3.0 in tests/data/journals/0.3.0/, and what is made of each today."""

import json
import shutil
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from tests.frozen.running import EPOCH, Recording, digest, quiet_machine
from vaultkit.user_folders import tables_folder

HERE = Path(__file__).parents[1] / "data" / "journals" / "0.3.0"
EXPECTED = HERE / "expected"
LATER = EPOCH + 30 * 24 * 3600
"""After the last of these games."""


@cache
def about() -> dict[str, Any]:
    """Of each session what it is, what ends it if it is typed, and the note and the log line that 0.3.0 wrote."""
    found: dict[str, Any] = json.loads((HERE / "about.json").read_text(encoding="utf-8"))
    return found


def names() -> tuple[str, ...]:
    return (*PARTS, *about())


def told(name: str) -> str:
    """Today's text of a recording."""
    with quiet_machine() as folder:
        recording = Recording(folder, HERE / "vault")
        for session in about() if name in PARTS else [name]:
            give(recording, session)
        recording.settle()
        PARTS.get(name, _one)(recording, name)
        return recording.text


def give(recording: Recording, session: str) -> None:
    """Put the files of a session into the vault, a match with its games, and the table on this computer."""
    private = recording.root / ".vaultkit"
    for path in (HERE / "journals").glob(f"{session}*"):
        (private / "journals").mkdir(exist_ok=True)
        shutil.copyfile(path, private / "journals" / path.name)
    if not (private / "games" / "kept").exists():
        shutil.copytree(HERE / "kept", private / "games" / "kept")
    for path in (HERE / "tables").glob(f"{session}*"):
        tables = Path(tables_folder())
        tables.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, tables / path.name)


def _one(recording: Recording, session: str) -> None:
    """Replay a game, end it if it is unfinished, and log and undo it."""
    recording.add(f"# {about()[session]['what']}", "")
    _replay(recording, session)
    if typed := about()[session].get("typed"):
        recording.run("resume", session[-4:], "--script", recording.script(typed), "--json", at=LATER, last=3)
    else:
        recording.run("log", "--session", session, "--json", at=LATER)
    if recording.changes():
        recording.undo(at=LATER)
    if typed:
        _replay(recording, session)


def _replay(recording: Recording, session: str) -> None:
    """Keep what a game told, shortened to its last sentence."""
    code, out, err = recording.call("replay", session, "--json", at=LATER)
    recording.add(f"$ vaultkit replay {session} --json")
    if code:
        recording.add(f"[exit {code}]", err, "")
        return
    document = json.loads(out)
    for game in document.get("items", [document]):
        steps = game["steps"]
        said = [event["text"] for step in steps for event in step["events"]]
        recording.add(f"{game['session']}: {len(steps)} steps, sha256 {digest(json.dumps(steps))}")
        recording.add(*said[-2:])
    recording.add("")


def _listed(recording: Recording, _: str) -> None:
    """List all games."""
    for words in (("sessions", "--json"), ("log", "--json")):
        for line in json.loads(recording.call(*words, at=LATER)[1]):
            recording.add(json.dumps(line, ensure_ascii=False))


def _notes(recording: Recording, _: str) -> None:
    """Read the notes and the log lines that 0.3.0 wrote, and log their games once more: nothing is written twice."""
    shutil.copytree(HERE / "notes", recording.root / "Games", dirs_exist_ok=True)
    log = recording.root / "Campaign Log.md"
    lines = [one["line"] for one in about().values() if "line" in one]
    log.write_bytes(log.read_bytes() + "".join(f"{line}\n" for line in lines).encode())
    recording.settle()
    for words in (("stats", "--bots"), ("check",), ("log",)):
        recording.run(*words, "--json", at=LATER)
    for session, one in about().items():
        if "note" in one:
            recording.call("log", "--session", session, at=LATER)
    if not recording.changes():
        recording.add("Nothing was written twice.")


QUICK = ("20261102-dragon-citadel-hxdt", "20261104-skat-qecm", "20261103-propheta-q49r", "20261104-propheta-pj9k")
PARTS: dict[str, Callable[[Recording, str], None]] = {"listed": _listed, "notes": _notes}
"""Recordings of all files together."""
