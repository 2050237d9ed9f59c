"""Command lines that are not quite right but can mean one thing only, and do that."""

import shlex
from datetime import date
from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from vaultkit.campaign.dates import absolute_day
from vaultkit.campaign.players import split_names
from vaultkit.cli.shell_completion import find_candidates
from vaultkit.errors import ExitCode
from vaultkit.web.server import choose_address

CHESS = "--score 'Ysolde: White, won' --score 'Bram: Black, lost'"


@pytest.mark.parametrize(
    ("line", "lines", "said"),
    [
        ("roll d6 x3", 3, "d6, seed"),
        ("roll d6 3 times", 3, "d6, seed"),
        ("roll 3 d6", 1, "3d6, seed"),
        ("draw three decktet", 3, "Draw from Decktet"),
        ("draw 2 cards from standard deck", 2, "Draw from Standard Deck"),
        ("deck list", 4, ""),
        ("print cards items --dry-run", 1, "items-cards.pdf"),
        ("print score sheet for chess --dry-run", 1, "chess-scores.pdf"),
        (f"log chess last friday {CHESS}", 2, "Games/2026-10-30 Chess 1.md"),
        (f"log chess --date '31 October' {CHESS}", 2, "Games/2026-10-31 Chess 1.md"),
        ("log skat --score 'Ysolde 120' --score 'Bram: 3' --score 'Odhran: points=1'", 2, "Skat 1.md"),
        ("log who-won --score 'Ysolde won' --score 'Bram: no'", 2, "Who Won 1.md"),
    ],
)
def test_what_can_mean_one_thing_is_done(vk: Vaultkit, example: Path, line: str, lines: int, said: str) -> None:
    done = vk(*shlex.split(line), cwd=example)
    assert done.code == ExitCode.OK and said in done.out + done.err, done.err
    assert len(done.out.splitlines()) == lines


@pytest.mark.parametrize(
    ("line", "hint"),
    [
        ("play propheta --seed 7", '--seed 7 --seat "Ysolde Marr" --seat "Bram Tolliver"'),
        ("play deck-of-destiny", 'vaultkit play deck-of-destiny --seat "Ysolde Marr"\n'),
        ("play chess Ysolde", "vaultkit log chess"),
        ("log chess Ysolde won", '--score "NAME: colour=White, result=won"'),
        ("log chess --score Ysolde 1 Bram 0", "Put what --score says in quotes"),
        ("log chess --date someday", "yesterday, friday"),
        ("log --from 'House Rules.md'", "vaultkit log GAME --example"),
        ("links Home.md 'Campaign Log.md'", "vaultkit links Home.md."),
        ("roll magic", "magic-item-table-a"),
        ("config set paper a4", "'print.paper'"),
    ],
)
def test_what_may_mean_several_things_is_explained(vk: Vaultkit, example: Path, line: str, hint: str) -> None:
    done = vk(*shlex.split(line), cwd=example)
    assert done.code != ExitCode.OK and not done.out and hint in done.err


@pytest.mark.parametrize(
    ("words", "day"),
    [
        ("gestern", "2026-11-02"),
        ("avant-hier", "2026-11-01"),
        ("lunes", "2026-11-02"),
        ("31 October", "2026-10-31"),
        ("4 November", "2025-11-04"),
        ("31.10.", "2026-10-31"),
        ("1.5", "1.5"),
    ],
)
def test_a_day_without_a_year_or_in_another_language_is_the_last_one(words: str, day: str) -> None:
    assert absolute_day(words, date(2026, 11, 3)) == day


def test_a_picture_that_is_missing_is_named(vk: Vaultkit, example: Path) -> None:
    (example / "Inn.md").write_text("# Inn\n\n![[no-such.png]]\n", encoding="utf-8")
    done = vk("print", "rules", "Inn", cwd=example)
    assert done.code == ExitCode.OK and "Inn.md: not found in the vault: no-such.png." in done.err


def test_values_of_settings_complete(example: Path) -> None:
    def complete(key: str) -> list[str]:
        return [value for value, _ in find_candidates(["--vault", str(example), "config", "set", key], "")]

    assert complete("print.large") == ["true", "false"] and "letter" in complete("print.paper")
    assert "Ysolde Marr" in complete("players") and complete("campaign.heading") == []


def test_names_are_split_at_commas_and_an_address_must_be_of_this_computer() -> None:
    assert split_names(["Ysolde, Bram", "bot:easy"]) == ["Ysolde", "Bram", "bot:easy"]
    assert choose_address("127.0.0.1", None) == "127.0.0.1"
    with pytest.raises(Exception, match="does not have the address"):
        choose_address("10.255.255.254", None)


def test_a_game_taken_out_of_the_notes_is_listed_so(vk: Vaultkit, example: Path) -> None:
    vk("play", "propheta", "--seat=bot:easy", "--seat=bot:easy", "--seed=1", cwd=example)
    assert "finished\t" in vk("sessions", cwd=example).out
    vk("undo", cwd=example)
    assert "finished, taken back\t" in vk("sessions", cwd=example).out
    assert "Every finished game" not in vk("log", cwd=example).err
