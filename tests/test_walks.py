"""The walks of docs/walks.md are made, and go through the functions that the page names, in its order."""

import re
import shlex
import shutil
from dataclasses import dataclass
from pathlib import Path

import pytest

from scripts import layers
from tests.consoles import ROOT, Desk

PAGE = ROOT / "docs" / "walks.md"
_STEP = re.compile(r"(?m)^\d+\. `([\w/]+\.py)` `([\w.]+)`")
_BESIDE = re.compile(r"`([\w/]+\.py)` `([\w.]+)`")


@dataclass(frozen=True)
class Walk:
    """One walk: its command, the functions on its way, and those that are named beside it."""

    command: str
    way: list[str]
    beside: list[str]


def walks() -> dict[str, Walk]:
    """The walks by their headings."""
    _, *parts = re.split(r"(?m)^## (.+)$", PAGE.read_text(encoding="utf-8"))
    return {title: _walk(text) for title, text in zip(parts[::2], parts[1::2], strict=True)}


def _walk(text: str) -> Walk:
    command = re.search(r"(?m)^vaultkit .+$", text)
    assert command
    way = [" ".join(found) for found in _STEP.findall(text)]
    return Walk(command[0], way, [" ".join(found) for found in _BESIDE.findall(text) if " ".join(found) not in way])


@pytest.mark.slow
def test_four_walks_exist_and_the_layers_picture_is_drawn_from_the_code() -> None:
    assert len(walks()) == 4 and all(len(walk.way) > 8 for walk in walks().values())
    assert layers.PICTURE.read_text(encoding="utf-8") == layers.picture(), "run: make docs"


@pytest.mark.slow
@pytest.mark.xdist_group("phones")
@pytest.mark.parametrize("title", walks())
def test_walk_visits_its_named_functions_in_order(title: str, tmp_path: Path) -> None:
    walk = walks()[title]
    desk = Desk(tmp_path / "home", Path(shutil.copytree(ROOT / "vault-example", tmp_path / "vault")))
    kept = tmp_path / "calls.txt"
    traced = f"{desk.environment['PYTHONPATH']}:{ROOT / 'tests' / 'tracing'}"
    desk.environment |= {"PYTHONPATH": traced, "VAULTKIT_CALLS": str(kept)}
    _, code = (desk.play_at_the_table if {"--table", "--phones"} & {*shlex.split(walk.command)} else desk.type)(
        walk.command
    )
    assert code == 0
    calls = {call: number for number, call in enumerate(kept.read_text(encoding="utf-8").splitlines())}
    assert [call for call in (*walk.way, *walk.beside) if call not in calls] == []
    assert sorted(walk.way, key=calls.__getitem__) == walk.way
