"""Every document of --json against the JSON Schema that ships for its command."""

import json
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import jsonschema
import pytest

from tests.cli.conftest import Vaultkit
from vaultkit.cli import command_table
from vaultkit.cli.app import app

SCHEMAS = Path(command_table.__file__).with_name("schemas")
BOTS = "--seat bot:easy --seat bot:greedy --seed 3"
CASES = {
    "": [""],
    "demo": ["demo ../made --dry-run"],
    "help": ["help check", "help print rules"],
    "init": ["init --dry-run", "init --with propheta"],
    "doctor": ["doctor", "doctor --licences"],
    "trust": ["trust --dry-run", "trust --yes", "trust --list", "trust --revoke"],
    "completion": ["completion fish"],
    "games": ["games"],
    "games new": ["games new --title Fair --players 2-4 --column Geese", "games"],
    "games edit": ["games edit chess --tie 'most result'", "games edit skat --players 3 --dry-run"],
    "games check": [
        "games new --title Fair --players 2-4 --column Geese --column Next",
        "games check",
        "games check skat",
    ],
    "rules": ["rules propheta", "rules dragon-citadel --options", "rules propheta --ruling G-8"],
    "ask": ["ask raven", "ask DC-12"],
    "config": ["config"],
    "config list": ["config list"],
    "config get": ["config get players", "config get print.paper"],
    "config set": ["config set players Ysolde --dry-run", "config set print.paper letter"],
    "deck new": ["deck new 2-World/People --dry-run", "deck new 2-World/People"],
    "deck": ["deck", "deck tarokka", "deck french52", "deck decktet --backlinks"],
    "roll": [
        "roll 2d6 --times 2",
        "roll 2d6 d8",
        "roll 2d6 --log --dry-run",
        "roll magic-item-table-a --seed 3",
        "roll --list",
    ],
    "notes": ["notes", "notes --tag npc"],
    "links": [
        "links 'House Rules'",
        "links 'Ysolde Marr' --back",
        "links 'House Rules' --add --any-case",
        "links 'House Rules' 'Campaign Log' --add",
    ],
    "check": ["check", "check Broken.md", "check Broken.md --fix"],
    "learn": ["learn propheta"],
    "play": [f"play propheta {BOTS}", f"play turn-of-fate {BOTS} --dry-run", f"play propheta --match 3 {BOTS}"],
    "sessions": [f"play propheta {BOTS}", "sessions", "sessions --discard {} --dry-run", "sessions --discard {}"],
    "replay": [f"play propheta {BOTS}", "replay {}", f"play propheta --match 3 {BOTS}", "replay {}"],
    "draw": ["draw tarokka --number 2", "draw decktet --log --question 'Who?'", "draw decktet --write --dry-run"],
    "reading": ["reading", "reading omen --seed 1", "reading omen --dry-run"],
    "log": [
        f"play propheta {BOTS} --no-log",
        "log",
        "log --session {} --dry-run",
        "log chess --score 'Ysolde: colour=White, result=won' --score 'Bram: colour=Black, result=lost'",
        "log --edit",
        "log --edit 1 --score 'Ysolde: result=lost' --score 'Bram: result=won' --dry-run",
        "log --edit 1 --score 'Ysolde: result=lost' --score 'Bram: result=won'",
        "log --delete --dry-run",
        "log --delete",
    ],
    "rewards": [
        "play dragon-citadel --seat bot:greedy --seat bot:greedy --seat bot:random --seed 4",
        "rewards --bots --seed 3 --dry-run --share",
        "rewards --bots --seed 3",
        "rewards",
    ],
    "stats": [f"play propheta {BOTS}", "stats --bots", "stats --bots --write --dry-run"],
    "simulate": [
        "simulate propheta --games 4 --jobs 1",
        "simulate dragon-citadel --games 2 --jobs 1",
        "simulate deck-of-destiny --games 2 --campaign 3 --jobs 1",
    ],
    "undo": [
        "games new --title Fair --players 2 --column Geese",
        "templates eject stats",
        "undo --list",
        "undo --show",
        "undo --dry-run",
        "undo",
    ],
    "templates": ["templates"],
    "templates eject": ["templates eject reading --dry-run", "templates eject reading", "templates"],
    "templates check": ["templates check"],
    "print scores": ["print scores chess --dry-run", "print scores chess"],
    "print rules": ["print rules Propheta --no-secrets"],
    "print prep": ["print prep 'Next Session'"],
    "print screen": ["print screen 'House Rules' --no-secrets"],
    "print cards": ["print cards decktet --cards 1-2", "print cards decktet --cards 1-2 --for drivethru"],
    "print calibrate": ["print calibrate", "print calibrate --printer Laser --x 1mm --dry-run"],
    "print reference": ["print reference propheta"],
    "print packet": ["print packet turn-of-fate"],
    "print session": [f"play propheta {BOTS}", "print session {}"],
    "print reading": ["reading omen --seed 1", "print reading '2026-11-03 Omen 1'"],
}
"""For each command lines that are typed one after the other; {} is the game of the latest line with one."""
UNTESTED = ("resume",)
"""Commands that need a person; `resume` prints the document of `play`."""


def command_of(line: str) -> str:
    """The command that a line begins with, "" for none."""
    words, path = shlex.split(line), ""
    while words and command_table.find_entry(f"{path} {words[0]}".strip(), app):
        path = f"{path} {words.pop(0)}".strip()
    return path


def schema_of(name: str) -> Any:
    return json.loads((SCHEMAS / f"{name.replace(' ', '-') or 'vaultkit'}.json").read_bytes())


def closed(schema: Any) -> Any:
    """A schema that allows no field without a description."""
    if isinstance(schema, list):
        return [closed(part) for part in schema]
    if not isinstance(schema, dict):
        return schema
    more = {"additionalProperties": False} if "properties" in schema else {}
    return {**more, **{name: closed(part) for name, part in schema.items()}}


def mistakes(schema: Any, document: Any) -> Iterator[str]:
    for error in jsonschema.Draft202012Validator(closed(schema)).iter_errors(document):
        yield from (f"{list(part.absolute_path)}: {part.message[:300]}" for part in error.context or [error])


@pytest.mark.slow
def test_every_command_has_a_valid_tested_schema() -> None:
    commands = {path for path in command_table.all_entries(app) if path != "print"}
    assert commands == CASES.keys() | {*UNTESTED}
    assert {path.stem for path in SCHEMAS.iterdir()} == {
        "error",
        *(command.replace(" ", "-") or "vaultkit" for command in commands),
    }
    for path in SCHEMAS.iterdir():
        jsonschema.Draft202012Validator.check_schema(json.loads(path.read_bytes()))


@pytest.mark.short(1)
@pytest.mark.parametrize("command", CASES)
def test_document_matches_its_schema(vk: Vaultkit, example: Path, command: str) -> None:
    (example / "Broken.md").write_text("[[Nowhere at All]] and [[House%20Rules.md]]\n\n[x](House Rules.md)\n", "utf-8")
    session, tried = "", set[str]()
    for line in CASES[command]:
        done = vk(*shlex.split(line.replace("{}", session)), "--json", cwd=example)
        assert done.out, f"{line}: {done.err}"
        document, path = json.loads(done.out), command_of(line)
        assert document["schema"] == 1 and not list(mistakes(schema_of(path), document)), line
        session = document.get("session") or session
        tried.add(path)
    assert command in tried


@pytest.mark.short(1)
@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("links Nowhere", 4),
        ("draw tarokka --number x", 2),
        ("roll d6 --times x", 2),
        ("chekc", 2),
        ("print", 2),
        ("play whist", 4),
        ("rules propheta --ruling XX-1", 4),
        ("--vault nowhere notes", 4),
        ("log propheta --score Ysolde", 2),
    ],
)
def test_an_error_is_one_object_on_stderr_with_the_same_exit_code(
    vk: Vaultkit, example: Path, line: str, code: int
) -> None:
    done, plain = vk(*shlex.split(line), "--json", cwd=example), vk(*shlex.split(line), cwd=example)
    document = json.loads(done.err)
    assert (done.code, done.out, document["error"]["code"], plain.code) == (code, "", code, code)
    assert not list(mistakes(schema_of("error"), document))
    assert document["error"]["message"] in plain.err and all(document["error"].values())


@pytest.mark.slow
def test_remarks_before_an_error_are_in_its_object_and_otherwise_on_stderr(vk: Vaultkit, example: Path) -> None:
    scores = ("--score", "Guest: colour=White, result=won", "--score", "Bram: colour=Black, result=lost")
    done = vk("log", "chess", *scores, "--json", cwd=example)
    assert done.code == 0 and "Guest has no note" in done.err
    done = vk("log", "chess", *scores[:3], "Bram: colour=Black, result=won", "--json", cwd=example)
    assert any("Guest has no note" in note for note in json.loads(done.err)["error"]["notes"])
