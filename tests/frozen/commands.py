"""What commands say with `--json`, and what they write into notes, on the example vault and on the test vaults."""

import json
import shlex
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.frozen.running import EPOCH, Recording, digest, quiet_machine
from vaultkit.games.registry import GAMES
from vaultkit.resources import shipped_folder

TESTS = Path(__file__).parents[1]
EXAMPLE = "example"
VAULTS = (*sorted(path.name for path in (TESTS / "vaults").iterdir() if path.is_dir()),)
EVERY_QUESTION = 3
EVERY, FEW = 4, 6
"""Of the notes of a vault every fourth one is asked about; of tables and decks the first six are looked at."""
PLAN: Mapping[str, Any] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
SIMULATED = ("greedy", "random")
FIXED = ("broken", "obsidian", "converter", "plugins")
UNDO = "undo"
Row = tuple[str, Sequence[str]]
WRITES: Mapping[str, Row] = {
    **{name: (row.get("vault", EXAMPLE), row["lines"].splitlines()) for name, row in PLAN["writes"].items()},
    **{
        game: (EXAMPLE, (f"play {game} --seed 7 --seat bot:{' --seat bot:'.join(bots)}", "log", UNDO, UNDO))
        for game, bots in PLAN["bots"].items()
    },
    **{f"init-{game}": ("", (f"init --with {game}", "games", "check", f"init --with {game}")) for game in GAMES},
    **{f"fix-{vault}": (vault, ("check --fix --write", "check", UNDO)) for vault in FIXED},
}
"""Commands that write, one after the other in one vault: what each says and changes."""


def source(vault: str) -> Path:
    if vault == EXAMPLE:
        return shipped_folder("vault-example")
    found = TESTS / "vaults" / vault
    return found / "vault" if vault == "prints" else found


def opened(folder: Path, vault: str) -> Recording:
    """A copy of a vault, which Obsidian has opened; "" is for an empty one."""
    found = source(vault) if vault else folder / "empty"
    found.mkdir(exist_ok=True)
    recording = Recording(folder, found)
    (recording.root / ".obsidian").mkdir(exist_ok=True)
    return recording


def of_vault(recording: Recording, vault: str) -> None:
    for line in PLAN["reading"].splitlines():
        recording.run(*shlex.split(line), "--json")
    tables = [row["table"] for row in asked(recording, "roll", "--list")][:FEW]
    decks = [row["kind"] for row in asked(recording, "decks")][:FEW]
    for words in (*(("roll", table, "--seed", "3") for table in tables), *(("deck", deck) for deck in decks)):
        recording.run(*words, "--json")
    for note in [row["note"] for row in asked(recording, "notes")][::EVERY]:
        for words in (("links", note), ("links", note, "--back"), ("link", note)):
            code, out, err = recording.call(*words, "--json")
            recording.add(f"$ vaultkit {shlex.join(words)} --json", f"[exit {code}, sha256 {digest(out + err)}]")
    recording.changes()


def asked(recording: Recording, *words: str) -> list[dict[str, Any]]:
    _, out, _ = recording.call(*words, "--json")
    rows: list[dict[str, Any]] = json.loads(out)["items"] if out else []
    return rows


def of_games(recording: Recording, game: str) -> None:
    """The rules, lessons and sheets of a game, and bots that play it."""
    for line in PLAN["games"].splitlines():
        recording.run(*shlex.split(line.format(game=game)), "--json")
    for strategy in SIMULATED:
        seats = ["--seats", ",".join([strategy, *PLAN["bots"][game][1:]])]
        recording.run("simulate", game, "--games", "12", "--seed", "3", "--jobs", "1", *seats, "--json")


def of_example(recording: Recording, _: str) -> None:
    for line in ("", *PLAN["more"].splitlines()):
        recording.run(*shlex.split(line), "--json")


def of_lines(recording: Recording, name: str) -> None:
    """Commands as people type them, with what they see, and the files that they change."""
    for minute, line in enumerate(PLAN[name].splitlines()):
        if line:
            recording.run(*shlex.split(line), at=EPOCH + 60 * minute)
    recording.changes()


def of_questions(recording: Recording, _: str) -> None:
    """The first passages that answer some of sixty questions, with a digest of all."""
    questions = tomllib.loads((TESTS / "data" / "questions.toml").read_text(encoding="utf-8"))["question"]
    for question in questions[::EVERY_QUESTION]:
        code, out, _ = recording.call("ask", question["words"], "--json")
        first = next(iter(json.loads(out)["passages"]), {}) if not code else {}
        recording.add(f"{question['words']} [{code}, sha256 {digest(out)}]", f"  {first.get('text', '')[:120]}")


def of_rulings(recording: Recording, _: str) -> None:
    from vaultkit.session.rulings import rulings

    pages = ("general", *GAMES)
    for page, ruling in ((name, ruling) for name in pages for ruling in rulings(name).values()):
        game = page if page in GAMES else "propheta"
        code, out, _ = recording.call("rules", game, "--ruling", ruling.id, "--json")
        recording.add(f"{ruling.id}: exit {code}, sha256 {digest(out)}")


GROUPS: Mapping[str, Callable[[Recording, str], None]] = {
    **{f"game-{game}": of_games for game in GAMES},
    "commands": of_example,
    "mistakes": of_lines,
    "tasks": of_lines,
    "questions": of_questions,
    "rulings": of_rulings,
}
"""More commands on the example vault, by what is asked of them."""


def names() -> tuple[str, ...]:
    return (EXAMPLE, *VAULTS, *GROUPS)


def told(name: str) -> str:
    with quiet_machine() as folder:
        if name in GROUPS:
            recording = opened(folder, EXAMPLE)
            GROUPS[name](recording, name.removeprefix("game-"))
        else:
            recording = opened(folder, name)
            of_vault(recording, name)
        return recording.text


def written(name: str) -> str:
    """What each command of a row of `WRITES` says and changes."""
    vault, lines = WRITES[name]
    with quiet_machine() as folder:
        recording = opened(folder, vault)
        for minute, line in enumerate(lines):
            at = EPOCH + 60 * minute
            if line == UNDO:
                recording.run("undo", "--json", at=at)
            else:
                recording.run(*shlex.split(line), "--json", at=at, last=12)
            recording.changes()
        return recording.text


def commands() -> Iterator[str]:
    """Every command of the program, as it is typed."""
    from typer.main import get_command

    from vaultkit.cli.app import app

    def below(command: Any, typed: str) -> Iterator[str]:
        for name, one in getattr(command, "commands", {}).items():
            yield f"{typed} {name}".strip()
            yield from below(one, f"{typed} {name}")

    return below(get_command(app), "")
