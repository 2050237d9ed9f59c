"""`play --real-cards` without a referee, as a command: cut off and gone on with, into the notes, and taken back."""

import os
import re
import sys
from pathlib import Path
from random import Random

import pytest

import vaultkit
from tests.cli.conftest import Vaultkit
from tests.games.conformance import Case, deck_of
from tests.games.ledgers import ENTRIES, Whole, play_game, typed_entry
from tests.games.scoresheets.papers import result_of
from tests.wording import Says
from vaultkit.errors import ExitCode
from vaultkit.games.registry import rules
from vaultkit.session.journal_files import lock

NAMES = ("Ysolde", "Bram", "Sefa")
SEATS = ("--seat", "Ysolde", "--seat", "Bram", "--seat", "Sefa")
LIGHT = ("play", "dragon-citadel", "--real-cards", *SEATS)
SPREAD = "wizard ysolde 3st bram 9st sefa raven"
EVENING = ("6sw bram 7sw", SPREAD, "beast sefa out", "ghost bram out", "8gl ysolde out")


def script(folder: Path, *lines: str) -> str:
    path = folder / "table.txt"
    path.write_text("\n".join(lines), encoding="utf-8")
    return str(path)


@pytest.mark.slow
def test_light_game_is_resumed_corrected_logged_and_undone(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    begun = vk(*LIGHT, "--script", script(tmp_path, *EVENING[:2], "6st lost", "u", "q"), "--json", cwd=example)
    assert begun.code == ExitCode.OK, begun.err
    assert begun.json["outcome"] is None and begun.json["note"] is None
    listed = vk("sessions", "--json", cwd=example).json[0]
    assert (listed["standing"], listed["moves"]) == ("running", 2)
    assert "go on with Dragon Citadel" in vk(cwd=example).out
    early = vk("log", "--session", begun.json["session"], cwd=example)
    assert early.code == ExitCode.INVALID and "not over yet" in early.err
    done = vk("resume", "--script", script(tmp_path, *EVENING[2:], "y"), "--json", cwd=example)
    assert done.code == ExitCode.OK, done.err
    assert done.json["outcome"]["kind"] == "dealer" and done.json["scores"]["Bram"]["total"] == 25
    note = (example / done.json["note"]).read_text(encoding="utf-8")
    for text in ("real-cards: true", "**Not noted:** the cards paid", "| 12 + 1 hero |", "## Cards That Mattered"):
        assert text in note
    assert "resume" not in vk("log", cwd=example).out
    assert vk("undo", cwd=example).code == ExitCode.OK and not (example / done.json["note"]).exists()


@pytest.mark.slow
def test_resume_skips_a_light_game_and_a_match_that_are_open_elsewhere(
    vk: Vaultkit, example: Path, tmp_path: Path
) -> None:
    light = vk(*LIGHT, "--script", script(tmp_path, EVENING[0], "q"), "--json", cwd=example).json["session"]
    match = ("play", "turn-of-fate", "--match", "3", "--seat", "Ysolde", "--seat", "bot:greedy")
    vk(*match, "--script", script(tmp_path, "q"), cwd=example)
    journals = example / ".vaultkit" / "journals"
    (game,) = journals.glob("*-g001.journal")
    with lock(game):
        done = vk("resume", "--script", script(tmp_path, "q"), cwd=example)
        assert f"{game.stem} is open in another window, so this is {light}." in done.err
    (light_journal,) = journals.glob(f"{light}.*")
    with lock(light_journal):
        assert "another window" not in vk("resume", "--script", script(tmp_path, "q"), cwd=example).err


@pytest.mark.slow
def test_g_14_light_entries_know_no_concession_and_say_what_to_do(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    done = vk(*LIGHT, "--script", script(tmp_path, "concede"), cwd=example)
    session = vk("sessions", "--json", cwd=example).json[0]["session"]
    words = " ".join(done.err.split())
    assert done.code == ExitCode.USAGE and "cannot concede in light entry" in words
    assert f"vaultkit sessions --discard {session}" in words
    assert vk("sessions", "--discard", session, cwd=example).code == ExitCode.OK


@pytest.mark.slow
def test_impossible_entry_is_questioned_with_its_ruling(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    """DC-5: a whole game in which nobody took a card, and nobody forfeited."""
    done = vk(*LIGHT, "--script", script(tmp_path, "6sw lost", "over", "", "y"), "--json", cwd=example)
    assert done.code == ExitCode.OK, done.err
    assert done.out.count("This cannot be true: Nobody has won a card") == 0
    note = (example / done.json["note"]).read_text(encoding="utf-8")
    assert "**In doubt:** Nobody has won a card" in note and "DC-5" in note


@pytest.mark.short(1)
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("play", "dragon-citadel", "--light", *SEATS), "--light is for the real deck"),
        ((*LIGHT, "--seed", "3"), "A seed has no effect"),
        ((*LIGHT, "--light", "--referee"), "Leave out --light"),
        (("play", "dragon-citadel", "--referee", *SEATS), "--real-cards"),
        (("play", "propheta", "--real-cards", "--seat", "A"), "is for 2 to 4 players"),
    ],
)
def test_invalid_light_game_is_one_clear_error(
    vk: Vaultkit, example: Path, tmp_path: Path, words: tuple[str, ...], said: str
) -> None:
    done = vk(*words, "--script", script(tmp_path, ""), cwd=example)
    assert done.code == ExitCode.USAGE and said in done.err and "Traceback" not in done.err
    assert not list((example / ".vaultkit" / "journals").glob("*.journal"))


@pytest.mark.short(1)
@pytest.mark.parametrize(
    ("game", "option"),
    [
        ("dragon-citadel", ("--match", "3")),
        ("turn-of-fate", ("--story",)),
        ("deck-of-destiny", ("--character", "Bram Tolliver")),
        ("dragon-citadel", ("--gm", "Odhran Vane")),
        ("dragon-citadel", ("--seat", "bot:greedy")),
    ],
)
def test_game_that_needs_every_card_is_refused_with_the_referee_command(
    vk: Vaultkit, example: Path, game: str, option: tuple[str, ...]
) -> None:
    words = ("play", game, "--real-cards", "--seat", "Ysolde Marr", "--seat", "Bram", *option)
    done = vk(*words, cwd=example)
    typed = " ".join(f'"{word}"' if " " in word else word for word in words)
    assert done.code == ExitCode.USAGE and "needs every card" in done.err
    assert f"vaultkit {typed} --referee" in done.err
    assert not list((example / ".vaultkit" / "journals").glob("*.journal"))


def test_light_option_still_works_with_real_cards(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    done = vk(*LIGHT, "--light", "--no-log", "--script", script(tmp_path, "quit"), "--json", cwd=example)
    assert done.code == ExitCode.OK and done.json["outcome"] is None
    assert vk("sessions", "--json", cwd=example).json == [], "nothing was entered, and it is not logged"


@pytest.mark.slow
def test_a_finished_game_is_shown_again_and_replayed_entry_by_entry(
    vk: Vaultkit, example: Path, tmp_path: Path
) -> None:
    done = vk(*LIGHT, "--no-log", "--script", script(tmp_path, *EVENING, "y"), "--json", cwd=example)
    session = done.json["session"]
    again = vk("resume", session, "--plain", cwd=example)
    assert again.code == ExitCode.OK and "Nobody wins." in again.out and "Type help" not in again.out
    lines = vk("replay", session, "--plain", cwd=example).out.splitlines()
    assert [line[0] for line in lines if re.match(r"\d: ", line)] == ["1", "2", "3", "4", "5"]
    assert "1: Round 1: the dealer turns the Berserker (6 of Swords)." in lines
    steps = vk("replay", session, "--json", cwd=example).json["steps"]
    assert [step["n"] for step in steps] == [1, 2, 3, 4, 5] and "DC-8" in str(steps[0]["events"])


@pytest.mark.slow
def test_game_without_moves_is_not_reported_as_missing(vk: Vaultkit, example: Path) -> None:
    """Scores from paper, and a file that cannot be read."""
    scores = ("--score", "Ysolde: swords=13/1", "--score", "Bram: stars=7/0", "--outcome", "party")
    logged = vk("log", "dragon-citadel", *scores, "--force", cwd=example)
    assert logged.code == ExitCode.OK, logged.err
    file = next((example / ".vaultkit" / "journals").glob("*.journal"))
    for command in ("replay", "resume"):
        done = vk(command, file.stem, cwd=example)
        assert done.code == ExitCode.NOTHING and "only the scores are known" in done.err
    header = file.read_text(encoding="utf-8").splitlines()[0]
    file.write_text(f"{header}\n{{}}\n", encoding="utf-8")
    damaged = vk("replay", file.stem, cwd=example)
    assert damaged.code == ExitCode.INVALID and "cannot be read" in damaged.err


def whole_game() -> Whole:
    """A game for three that was not cut short."""
    case, rng = Case(rules("dragon-citadel"), {"mode": "coop"}), Random("an evening")
    games = (play_game(case, rng) for _ in range(200))
    return next(one for one in games if one.state.seats == len(NAMES) and len(one.state.at.rounds) > 10)


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo terminal")
def test_an_evening_in_a_real_terminal_with_ctrl_c_in_the_middle(example: Path) -> None:
    import pexpect

    whole = whole_game()
    deck, outcome = deck_of(rules("dragon-citadel")), result_of(whole.state)
    lines = [typed_entry(entry, NAMES, deck) for entry in ENTRIES["dragon-citadel"](whole)]
    half = len(lines) // 2

    def spawn(*words: str) -> "pexpect.spawn[str]":
        env = {**os.environ, "TERM": "xterm", "PYTHONIOENCODING": "utf-8", "INPUTRC": "/dev/null"}
        command, here = ["-m", "vaultkit", *words, "--vault", str(example)], str(Path(vaultkit.__file__).parents[1])
        return pexpect.spawn(sys.executable, command, 20, env=env, cwd=here, encoding="utf-8", dimensions=(24, 80))

    child = spawn(*LIGHT)
    for number, line in enumerate(lines[:half], 1):
        child.expect_exact(f"Round {number}:")
        child.expect_exact("› ")
        child.sendline(line)
    child.expect_exact(f"Round {half + 1}:")
    child.expect_exact("› ")
    child.sendline("berserkr lost")
    child.expect_exact("Did you mean 'Berserker'?")
    child.expect_exact("› ")
    child.sendintr()
    child.expect(r"vaultkit resume (\S+)")
    child.expect(pexpect.EOF)
    child.close()
    assert child.exitstatus == ExitCode.INTERRUPTED
    again = spawn("resume")
    again.expect_exact(f"Round {half + 1}:")
    again.sendline("u")
    again.expect_exact("Taken back:")
    for line in lines[half - 1 :]:
        again.expect_exact("› ")
        again.sendline(line)
    again.expect_exact("Is this right?")
    again.sendline("")
    again.expect(r"Written: (Games/.+\.md)")
    again.expect(pexpect.EOF)
    assert again.match is not None
    note = next((example / "Games").glob("* Dragon Citadel*.md")).read_text(encoding="utf-8")
    for table in rules("dragon-citadel").score_tables(outcome):
        for name, row in zip(NAMES, table.rows, strict=True):
            assert re.search(rf"{name}\S* \| {re.escape(' | '.join(row[1:]))} \|", note), row
    assert f"outcome: {outcome.kind}" in note


@pytest.mark.slow
@pytest.mark.parametrize("width", [80, 60])
@pytest.mark.parametrize("game", ENTRIES)
def test_all_important_facts_are_on_one_screen(
    vk: Vaultkit, example: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, game: str, width: int
) -> None:
    """Latest entries, table, question and what may be typed, whole games long."""
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("LINES", "24")
    whole, names = (
        play_game(Case(rules(game), {}), Random(f"{game} on one screen")),
        ("Ysolde", "Bram", "Sefa", "Odhran"),
    )
    names = (*names, "Nettle", "Corvin", "Maud")[: whole.state.seats]
    typed_lines = [typed_entry(entry, names, deck_of(rules(game))) for entry in ENTRIES[game](whole)]
    seats = [word for name in names for word in ("--seat", name)]
    words = ("play", game, "--real-cards", "--no-log", *seats)
    done = vk(*words, "--script", script(tmp_path, *typed_lines, "y"), cwd=example)
    assert done.code == ExitCode.OK, done.err
    screens = re.split(r"^› .*(?:\n(?=›|$))?", done.out, flags=re.MULTILINE)[1 : len(typed_lines)]
    assert len(screens) == len(typed_lines) - 1
    for one in screens:
        seen = one.strip("\n").splitlines()
        assert len(seen) < 24 and max(map(len, seen)) <= width, one
        assert "── " in one and "? rule" in one and "?" in one


@pytest.mark.slow
def test_plain_output_has_one_fact_per_line(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    done = vk(*LIGHT, "--plain", "--no-log", "--script", script(tmp_path, EVENING[1], "? xyzzy", "q"), cwd=example)
    facts = done.out.splitlines()
    assert "Nothing is known of 'xyzzy'. Search the rules and your notes: ask xyzzy" in facts
    assert Says("Raven", "before", "Sefa") in facts and "Bram: 12 points, leads" in facts
    assert any(line.startswith("Round 2: the dealer's card") for line in facts)
    assert any(line.startswith("6sw ysolde 7sw: Ysolde takes") for line in facts) and "─" not in done.out


@pytest.mark.slow
def test_a_line_may_begin_with_the_first_letter_of_a_name(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    """`u` alone takes back; `u bram ...` says that Ulla won the trick."""
    words = ("play", "propheta", "--real-cards", "--seat", "Ulla", "--seat", "Bram")
    done = vk(*words, "--script", script(tmp_path, "u bram gemini ribbon", "q"), "--json", cwd=example)
    assert done.code == ExitCode.OK, done.err
    assert vk("sessions", "--json", cwd=example).json[0]["moves"] == 1
