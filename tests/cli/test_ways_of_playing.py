"""Ways of playing that do not exist: each is refused in one line, with what works instead, and nothing is begun."""

from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from tests.wording import Says
from vaultkit.errors import ExitCode

TWO = ("--seat", "Ysolde", "--seat", "Bram")
GM = ("--gm", "Maud", "--set", "dealer=hand-of-5")
SCRIPT = ("--script", "moves.txt")
TABLE_HINT = "Use --table instead of --phones: one screen for all."
REFUSED: dict[str, tuple[tuple[str, ...], str, str]] = {
    "match on phones": (
        ("play", "turn-of-fate", *TWO, "--match", "3", "--phones"),
        "A match cannot be played on phones yet.",
        TABLE_HINT,
    ),
    "real cards, light, on phones": (
        ("play", "turn-of-fate", *TWO, "--real-cards", "--phones"),
        "Real cards are in the hands of people, not on phones.",
        TABLE_HINT,
    ),
    "real cards, whole, on phones": (
        ("play", "turn-of-fate", *TWO, "--real-cards", "--referee", "--phones"),
        "Real cards are in the hands of people, not on phones.",
        TABLE_HINT,
    ),
    "GM's seat on phones": (
        ("play", "dragon-citadel", *TWO, *GM, "--phones"),
        "A GM without a seat has no phone yet.",
        TABLE_HINT,
    ),
    "lesson on phones": (
        ("learn", "propheta", "--phones"),
        "vaultkit learn has no option '--phones'.",
        "vaultkit learn propheta --table",
    ),
    "reading on phones": (
        ("reading", "--phones"),
        "vaultkit reading has no option '--phones'.",
        "vaultkit reading --table",
    ),
    "light match": (
        ("play", "turn-of-fate", *TWO, "--real-cards", "--match", "3"),
        "--match needs every card",
        "--referee",
    ),
    "light game with a GM's seat": (
        ("play", "dragon-citadel", *TWO, *GM, "--real-cards"),
        "--gm needs every card",
        "--referee",
    ),
    "light game with stories": (
        ("play", "turn-of-fate", *TWO, "--real-cards", "--story"),
        "--story needs every card",
        "--referee",
    ),
    "light game with a bot": (
        ("play", "propheta", "--seat", "Ysolde", "--seat", "bot:fair", "--real-cards"),
        "cannot hold real cards",
        "Give every seat to a person",
    ),
    "real cards in a bot's hand": (
        ("play", "propheta", "--seat", "Ysolde", "--seat", "bot:fair", "--real-cards", "--referee", *SCRIPT),
        "cannot hold real cards",
        "Give every seat to a person",
    ),
    "match of lessons": (
        ("learn", "propheta", "--match", "3"),
        "vaultkit learn has no option '--match'.",
        "vaultkit play",
    ),
    "match of one": (
        ("play", "deck-of-destiny", "--seat", "Ysolde", "--match", "3", *SCRIPT),
        "There is no match of Deck of Destiny",
        "",
    ),
    "script on a page": (
        ("play", "turn-of-fate", *TWO, "--table", *SCRIPT),
        "--script is for the terminal.",
        "--table",
    ),
    "replay on phones": (("replay", "--phones"), "vaultkit replay has no option '--phones'.", "vaultkit play"),
}


@pytest.mark.short(1)
@pytest.mark.parametrize("way", REFUSED)
def test_way_of_playing_that_does_not_exist_is_refused_in_one_line(vk: Vaultkit, example: Path, way: str) -> None:
    words, message, hint = REFUSED[way]
    (example / "moves.txt").write_text("a\n", encoding="utf-8")
    refused = vk(*words, cwd=example)
    first_line, _, rest = refused.err.partition("\n")
    assert (refused.code, refused.out) == (ExitCode.USAGE, "")
    assert first_line.startswith("Error: ") and message in first_line and first_line.endswith(".")
    assert hint in " ".join(rest.split())
    assert not list((example / ".vaultkit").rglob("*.journal")), "no game is begun"


@pytest.mark.slow
def test_saved_match_is_resumed_on_no_phones_whatever_the_network_is(vk: Vaultkit, example: Path) -> None:
    (example / "moves.txt").write_text("q\n", encoding="utf-8")
    assert vk("play", "turn-of-fate", *TWO, "--match", "2", *SCRIPT, cwd=example).code == ExitCode.OK
    refused = vk("resume", "--phones", cwd=example)
    assert refused.code == ExitCode.USAGE
    assert refused.err == Says("match", "cannot", "phones") and TABLE_HINT in refused.err
