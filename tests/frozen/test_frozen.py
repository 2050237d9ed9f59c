"""What vaultkit does is what was recorded. If a difference is meant: `python -m tests.frozen.record --write`."""

import re

import pytest

from tests.counts import some
from tests.frozen import sheets
from tests.frozen.commands import commands
from tests.frozen.record import PARTS

NOT_RUN = ("completion", "help", "print")
"""Commands whose text is not JSON, or for which there are others."""
SAMPLE = 12
"""Recordings of each kind that `make test-slow` compares; `make soak` compares all."""
CASES = [(part, name) for part in PARTS for name in PARTS[part].names()]
QUICK = [(part, name) for part in PARTS for name in PARTS[part].quick]
BROKEN = [("commands", "broken"), ("writes", "fix-broken")]
"""Recordings that a new note in the broken vault changes."""
REST = {part: [case for case in CASES if case[0] == part and case not in QUICK + BROKEN] for part in PARTS}
SLOW = [case for cases in REST.values() for case in some(cases, min(SAMPLE, len(cases)))]


def compare(part: str, name: str) -> None:
    """Compare one recording; pixels only where the same libraries draw on the same kind of machine."""
    if part == "sheets" and (libraries := sheets.other_libraries()):
        pytest.skip(f"other versions than in constraints.txt: {libraries}")
    told, expected = PARTS[part].told(name), PARTS[part].expected(name)
    if part == "sheets" and (machine := sheets.other_machine()):
        assert sheets.without_pixels(told) == sheets.without_pixels(expected)
        pytest.skip(
            f"all but the pixels is the same; those were recorded on {sheets.RECORDED_ON}, and this is {machine}"
        )
    assert told == expected, f"read the diff of: python -m tests.frozen.record --write {part}/{name}"


@pytest.mark.short(1)
@pytest.mark.parametrize(("part", "name"), QUICK)
def test_recording_is_unchanged(part: str, name: str) -> None:
    compare(part, name)


@pytest.mark.parametrize(("part", "name"), BROKEN)
def test_recording_of_the_broken_vault_is_unchanged(part: str, name: str) -> None:
    compare(part, name)


@pytest.mark.slow
@pytest.mark.parametrize(("part", "name"), SLOW)
def test_remaining_recordings_are_unchanged(part: str, name: str) -> None:
    compare(part, name)


def test_every_command_is_recorded_with_json() -> None:
    texts = [path.read_text("utf-8") for part in ("commands", "writes") for path in PARTS[part].folder.glob("*.txt")]
    run = {found[1] for text in texts for found in re.finditer(r"(?m)^\$ vaultkit (.+) --json$", text)}
    assert [
        one for one in commands() if one not in NOT_RUN and not any(f"{line} ".startswith(f"{one} ") for line in run)
    ] == []


@pytest.mark.parametrize("part", PARTS)
def test_recordings_match_the_current_list(part: str) -> None:
    assert {path.stem for path in PARTS[part].folder.glob("*.txt")} == set(PARTS[part].names())
    assert set(PARTS[part].quick) <= set(PARTS[part].names())
