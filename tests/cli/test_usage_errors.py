"""Mistakes at the command line: an error with its place and the syntax that was needed, without usage boxes."""

import re
import shlex
from collections import Counter
from pathlib import Path

import pytest

from tests.cli.conftest import Vaultkit
from vaultkit.errors import ExitCode

MISTAKES = [line.split(" ", 1) for line in Path(__file__).with_name("mistakes.txt").read_text("utf-8").splitlines()]
BARE = re.compile(r"Usage:|Invalid value|No such|unexpected extra|[Mm]issing (argument|option)|<\w|[╭│]|range|\d<=")
"""What Typer says by itself."""


def test_there_are_248_mistakes_of_many_commands() -> None:
    commands = Counter(line.split(" ")[0] for _, line in MISTAKES)
    assert len(MISTAKES) == 248 and len(commands) > 16


@pytest.mark.short(1)
@pytest.mark.parametrize(
    ("code", "line"),
    [
        pytest.param(code, line, id=line, marks=[pytest.mark.slow] * (number % 8 > 0))
        for number, (code, line) in enumerate(MISTAKES)
    ],
)
def test_mistake_gives_one_error_with_a_place_and_a_hint(vk: Vaultkit, example: Path, code: str, line: str) -> None:
    done = vk(*shlex.split(line), cwd=example)
    notes, error, text = done.err.partition("Error: ")
    assert (done.code, done.out) == (int(code), "") and error and all(map("Note:".__eq__, re.findall(r"^\w+:", notes)))
    assert re.fullmatch(r".+\n  Where: .+\n  Hint: .+\n", text) and not BARE.search(done.err)


@pytest.mark.short(1)
@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("draw decktet --numbr 3", "Hint: Did you mean '--number'? Write: vaultkit draw DECK [NUMBER] --number 3;"),
        ("print scores chess --look dark", "Did you mean '--theme'? Write: vaultkit print scores GAME --theme dark;"),
        ("print rules Propheta --color --dark", "--theme dark;"),
        ("print rules Propheta --design=parchment", "--theme parchment;"),
        (
            "--theme dark print rules Propheta",
            "after the command. Write: vaultkit print rules NOTE... --theme dark;",
        ),
        (
            "print cards decktet --folder Items",
            "Did you mean '--from'? Write: vaultkit print cards [DECK] --from Items;",
        ),
        ("stats --after 2026-01-01", "Write: vaultkit stats --since"),
        ("print rules Propheta --format letter", "Did you mean '--paper'?"),
        ("simulate propheta --runs 3", "Did you mean '--games'?"),
        ("links --note 'House Rules'", 'NOTE needs no option before it: vaultkit links "House Rules".'),
        ("rules propheta DC-12", "Say what it is: --ruling DC-12."),
        ("simulate propheta 30", "Write: vaultkit simulate GAME --games NUMBER;"),
        ("print reference propheta a3", "Say what it is: --paper a3."),
        ("learn turn of fate", 'in quotes: vaultkit learn "turn of fate"'),
        ("learn propheta now", "It takes one GAME: vaultkit learn propheta."),
        ("check -all", "Did you mean '--all'?"),
        ("check -w", "Did you mean '--write'?"),
        ("notes --backlinks", "--backlinks is an option of vaultkit deck."),
        ("templates chek", "Did you mean 'templates check'?"),
        ("print", "Error: vaultkit print needs a command."),
        ("completion fsh", "'fsh' is not a value of SHELL, which is one of bash, zsh, fish or powershell."),
        ("simulate propheta --jobs 99", "'99' is not a value of --jobs, which is a whole number from 1 to 64."),
        ("notes --json=no", "Error: --json takes no value.\n  Where: vaultkit notes --json\n"),
        ("simulate propheta --games", "Error: --games needs a value.\n  Where: vaultkit simulate --games\n"),
        ("undo --list --show", "Write: vaultkit undo [NUMBER...] --list;"),
        ("print scores dragon-citadel --players Anna, Ben, Clara", '--players "Anna, Ben, Clara".'),
        ("print scores dragon-citadel --players Anna Ben Clara", '--players "Anna, Ben, Clara".'),
        ("print scores --players=Anna, Ben , Clara dragon-citadel", '--players "Anna, Ben, Clara".'),
        ("print scores blank --rows Sun, Moon --columns x", '--rows "Sun, Moon".'),
        ("print cards decktet --cards Raven, 2x Seer, 5-9", '--cards "Raven, 2x Seer, 5-9".'),
        ("simulate propheta --seats greedy, random", '--seats "greedy, random".'),
        ("stats --player Anna, Ben", "--player Anna --player Ben."),
        ("stats --player Anna Marie", '--player "Anna Marie".'),
        ("print scores chess --title Chess, 2,5 hours", '--title "Chess, 2,5 hours".'),
        ("stats --player Anna, Ben", "vaultkit stats does not expect 'Ben'."),
        ("print scores dragon-citadel --players Ann, Ben, Cy", "vaultkit print scores does not expect 'Ben, Cy'."),
        ("play propheta --set reveal simultaneous", "Write: --set reveal=simultaneous\n"),
        ("play propheta --set=reveal simultaneous --seat Bram", "Write: --set reveal=simultaneous\n"),
        ("play propheta --set reveal = Simultaneous", "Write: --set reveal=simultaneous\n"),
        ("play propheta " + "mouse " * 1_500 + "--set reveal simultaneous", "Write: --set reveal=simultaneous\n"),
        ("play --set 'target: 50' propheta", "Write: --set target=50\n"),
        ("simulate propheta --set zero-tiebreak literal", "Write: --set zero_tiebreak=literal\n"),
        ("log dragon-citadel --set mode competitive", "Write: --set mode=competitive\n"),
        ("play propheta --set reveal hidden", "There is no player 'hidden'"),
        ("set campaign.note My Log", 'vaultkit config set campaign.note "My Log"\n'),
        ("config campaign.note 'My Log'", "config get campaign.note. Change it: vaultkit config set campaign.note"),
    ],
)
def test_error_names_the_intended_thing(vk: Vaultkit, example: Path, line: str, said: str) -> None:
    done = vk(*shlex.split(line), cwd=example)
    assert done.code == ExitCode.USAGE and said in done.err


@pytest.mark.short(1)
@pytest.mark.parametrize(
    "line",
    [
        "play whist --seat Bram",
        "simulate propheta --seats clever,random",
        "print rules Propheta --theme neon",
        "print scores chess --paper b7",
        "print cards decktet --size huge",
        "print cards decktet --back none-such",
        "print cards decktet --printer attic",
        "print scores chess --layout six",
        "check --cause nothing",
        "check Nowhere",
        "links Nowhere",
        "rules propheta --ruling ZZ-1",
        "replay 20261103-propheta-zzzz",
        "learn propheta --script none.txt",
        "log chess --from none.toml",
        "log who-won --score 'Ysolde: won=yes' --score 'Bram: won=no' --campaign Nowhere",
        "notes --vault nowhere",
        "link 'House Rules' --pick Rogue=Nobody",
        "undo 7",
        "templates eject nothing",
    ],
)
def test_unknown_name_exits_with_4(vk: Vaultkit, example: Path, line: str) -> None:
    done = vk(*shlex.split(line), cwd=example)
    assert (done.code, done.out) == (ExitCode.NOTHING, "") and "Where: " in done.err


@pytest.mark.slow
@pytest.mark.parametrize(
    "line",
    [
        "check --fix",
        "link 'House Rules' --any-case",
        "stats --bots",
        "stats --bots --write",
        "log chess --score 'Ysolde: colour=White, result=won' --score 'Bram: colour=Black, result=lost'",
        "init --with propheta",
        "simulate propheta --games 2 --jobs 1 --write",
        "games new --title Fair --players 2 --column Geese",
        "draw decktet --log",
        "reading omen",
        "templates eject reading",
        "print scores chess",
        "print scores chess --preview --open",
        "print cards decktet --cards 1 --for drivethru",
        "print cards decktet --cards 1 --for gamecrafter",
        "print calibrate --printer Attic --x 1mm",
        "trust --yes",
        "undo",
    ],
)
def test_dry_run_writes_nothing_after_any_mistake(vk: Vaultkit, example: Path, line: str) -> None:
    vk("templates", "eject", "stats", cwd=example)
    before = files(example)
    for words in (["--dry-run"], ["--dry-run", "--write"]):
        done = vk(*shlex.split(line), *words, cwd=example)
        assert done.code in (ExitCode.OK, ExitCode.PROBLEMS) and files(example) == before, done.err


def files(vault: Path) -> dict[str, bytes]:
    """What is in a vault and in the folders of the user, except caches and locks."""
    paths = (path for folder in (vault, vault.parent / "home") for path in folder.rglob("*") if path.is_file())
    return {str(path): path.read_bytes() for path in paths if path.parent.name not in ("index", "locks")}


@pytest.mark.short(1)
@pytest.mark.parametrize("line", ["templates eject reading", "reading omen --seed 1", "draw decktet", "init"])
def test_write_option_is_accepted_by_commands_that_always_write(vk: Vaultkit, example: Path, line: str) -> None:
    (example / ".vaultkit" / "config.toml").unlink()
    before = files(example)
    done = vk(*shlex.split(line), "--write", cwd=example)
    assert done.code == ExitCode.OK and files(example) != before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("line", "end"),
    [
        ("print scores chess", "chess-scores.pdf"),
        ("print cards decktet --cards 1 --for drivethru", "decktet-drivethru.pdf"),
        ("templates eject reading", "reading.md.j2"),
        ("games new --title Fair --players 2 --column Geese", "fair.toml"),
        ("stats --bots --write", "Games.base"),
        ("log chess --score 'Ysolde: colour=White, result=won' --score 'Bram: colour=Black, result=lost'", "Log.md"),
    ],
)
def test_written_file_is_named_on_stdout_so_that_it_can_be_opened(
    vk: Vaultkit, example: Path, tmp_path: Path, line: str, end: str
) -> None:
    for folder in (example, tmp_path):
        done = vk(*shlex.split(line), "--vault", str(example), cwd=folder)
        name = done.out.splitlines()[-1]
        assert done.code in (ExitCode.OK, ExitCode.PROBLEMS) and name.endswith(end) and (folder / name).is_file()
        vk("undo", "--vault", str(example))


@pytest.mark.short(1)
@pytest.mark.parametrize("line", ["reading omen --seed 1", "draw decktet 2 --log", "roll magic-item-table-a --log"])
def test_piped_rows_contain_no_written_path(vk: Vaultkit, example: Path, line: str) -> None:
    done = vk(*shlex.split(line), cwd=example)
    assert done.code == ExitCode.OK and ".md" not in done.out and "Written: " in done.err
