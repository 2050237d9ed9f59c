import io
import re
from itertools import pairwise
from pathlib import Path

import pytest
from rich.console import Console
from rich.text import Text

from tests.registering import registered
from tests.session.helpers import begin, resume
from tests.terminal.helpers import Notes, person, play_script, play_typed, screen, screen_text
from tests.terminal.playing import play
from tests.wording import Says
from vaultkit.cards.deck import known_deck
from vaultkit.errors import InvalidError, UsageError
from vaultkit.games.game_info import GameInfo
from vaultkit.session.card_names import find_cards
from vaultkit.session.journal import read
from vaultkit.terminal import commands, real_card_commands, renderables
from vaultkit.terminal.answer_sources import ScriptSource, TerminalSource
from vaultkit.terminal.styles import TerminalStyle
from vaultkit.terminal.terminal_text import TerminalText

TWO = ("Ysolde", "Aldous")
PLAY = ("a", "a", "a", "b", "a", "c")
"""A whole game of one person: cheers, and cards from the left."""


def test_a_whole_game_and_its_end(tmp_path: Path) -> None:
    seen = play_typed(tmp_path, *PLAY)
    assert "The end" in seen and "has the richest hoard." in seen
    assert re.search(r"Player +Prizes\n  Ysolde +\d+\n  Bot 1 \(first\) +\d+", seen)
    assert "(no choice)" not in seen and "In the story:" in seen


def test_seed_is_shown_only_after_the_end(tmp_path: Path) -> None:
    for plain in (False, True):
        seen = play_typed(tmp_path / str(plain), *PLAY, plain=plain)
        before, _, after = seen.partition("The end")
        assert "seed" not in before and "--seed" not in before
        repeat = next(line for line in after.splitlines() if line.startswith("The same cards again: "))
        assert repeat.startswith(
            'The same cards again: vaultkit play toy --seat Ysolde --seat "bot:first=Bot 1 (first)" '
        )
        assert repeat.endswith("--seed 7")
    left = play_typed(tmp_path / "left", "a", "s", "who", "l all", "q")
    assert "seed" not in left


def test_a_question_cites_its_rule(tmp_path: Path) -> None:
    seen = play_typed(tmp_path, "?")
    assert "Does Ysolde cheer?\n" in seen and "Rule: Cheering · T-1" in seen


def test_leaving_saves_and_shows_how_to_resume(tmp_path: Path) -> None:
    for folder, typed in (("a", ["a", "q"]), ("b", ["a"])):
        seen = play_typed(tmp_path / folder, *typed)
        assert "The game is saved. Continue with: vaultkit resume 20261103-toy-k3f9" in seen
    console = screen()
    with resume(tmp_path / "a" / "20261103-toy-k3f9.journal") as session:
        assert play(session, console, person(console, "q")) is None
    assert "Where you left off:" in screen_text(console) and "Ysolde cheers." in screen_text(console)


def test_an_interrupt_is_passed_on_after_the_hint(tmp_path: Path) -> None:
    console = screen()

    def read() -> str:
        raise KeyboardInterrupt

    with begin(tmp_path, "Ysolde") as session, pytest.raises(KeyboardInterrupt):
        play(session, console, TerminalSource(console, read))
    assert "vaultkit resume" in screen_text(console)


def test_rule_and_cards_of_the_current_moment_are_shown(tmp_path: Path) -> None:
    seen = play_typed(tmp_path, "a", "?", "? pine of l", "? G-8", "? nonsense")
    assert "Rule Playing" in seen and "[bold]Play[/bold] a card." in seen and "\x1b" not in seen
    assert "Text of 8-leaves." in seen and "Rule G-8" in seen and seen == Says("Nothing", "known", "nonsense")


def test_ask_answers_at_the_prompt_with_safe_lines(tmp_path: Path) -> None:
    seen = play_typed(tmp_path, "a", "ask pine", "ask who of us begins", "Ask oak")
    for words in ("pine", "who of us begins", "oak"):
        assert f"Answer to {words}." in seen
    assert "[[Toy#Playing]]" in seen and "\x1b" not in seen


def test_u_undoes_or_explains_why_not(tmp_path: Path) -> None:
    seen = play_typed(tmp_path, "u", "cheer", "u", "wait", seats=TWO)
    assert "nothing to take back" in seen
    at_aldous = play_typed(tmp_path / "2", "cheer", "u yso", "wait", seats=TWO)
    assert "Taken back." in at_aldous and at_aldous.count("Does Ysolde cheer?") == 2
    unknown = play_typed(tmp_path / "3", "u zed", seats=TWO)
    assert "Nobody here is called 'zed'" in unknown and "Ysolde, Aldous" in unknown
    assert "Bot 1 (first) is a bot" in play_typed(tmp_path / "4", "u bot")


def test_empty_help_table_and_log(tmp_path: Path) -> None:
    seen = play_typed(tmp_path, "", "help", "s", "l", "l all", "x", "play")
    assert seen.count("  a  Cheer") == 2 and seen.count("The prize ") >= 2
    assert "by letter, or by enough" in seen and seen == Says("'x' is not a move")


def test_ambiguous_answer_is_asked_about(tmp_path: Path) -> None:
    seen = play_typed(tmp_path, "a", "play")
    assert "'play' could be: Play the Ash of Leaves (1 of Leaves); Play the Oak" in seen


def test_plain_output_has_one_fact_per_line_and_no_decoration(tmp_path: Path) -> None:
    seen = play_typed(tmp_path, *PLAY, plain=True)
    assert "Rule: Cheering, T-1.\na: Cheer\nb: Wait in silence\nYsolde: a\n" in seen
    assert seen.isascii() and not re.search(r"---|[|+]", seen)
    assert "Ysolde, Prizes: " in seen


def test_a_terminal_without_unicode_gets_ascii(tmp_path: Path) -> None:
    file = io.TextIOWrapper(io.BytesIO(), encoding="cp437", errors="strict")
    console = Console(file=file, width=80)
    with begin(tmp_path, "Ysolde") as session:
        play(session, console, person(console, "?", "a", "a", "l", "help"), Notes())
    file.seek(0)
    assert "Cheering - T-1" in file.read()


def test_g_3_two_people_with_hidden_hands_pass_the_screen(tmp_path: Path) -> None:
    seen = play_typed(tmp_path, "", "a", "", "a", seats=TWO, hands="hidden")
    assert seen.index("Pass the screen to Ysolde") < seen.index("Your hand") < seen.index("Pass the screen to Al")
    assert "This terminal cannot take back what it has shown" in seen


def test_open_hands_and_single_players_need_no_mask(tmp_path: Path) -> None:
    assert "Pass the screen" not in play_typed(tmp_path / "open", "a", "a", seats=TWO)
    assert "Pass the screen" not in play_typed(tmp_path / "alone", "a", "a", hands="hidden")


def test_end_of_input_at_the_mask_exits_safely(tmp_path: Path) -> None:
    assert "The game is saved." in play_typed(tmp_path, seats=TWO, hands="hidden")


def test_a_script_plays_and_is_shown(tmp_path: Path) -> None:
    lines = ["# a game", "", "cheer", "1  # the first card", "wait", "x", "a", "b"]
    with begin(tmp_path, "Ysolde", "bot:first", hands="hidden") as session:
        with pytest.raises(UsageError) as caught:
            play_script(session, *lines)
        assert caught.value.where == "moves.txt:6" and "Legal moves: play " in caught.value.hint
        outcome, seen = play_script(session, "b", "a", "c", "a", "a")
        assert outcome and "Ysolde › a" in seen


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16"])
@pytest.mark.parametrize("piped", [False, True], ids=["file", "pipe"])
def test_script_in_the_encoding_of_powershell_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, encoding: str, *, piped: bool
) -> None:
    file, console = tmp_path / "moves.txt", screen()
    file.write_bytes("# Zoë's game\r\ncheer\r\n".encode(encoding))
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(file.read_bytes())))
    script = ScriptSource.from_file(console, Path("-") if piped else file)
    assert script.answer(Text(), "") == "cheer"


def test_script_that_is_not_text_is_reported_with_a_hint(tmp_path: Path) -> None:
    file = tmp_path / "moves.txt"
    for data in (b"\xff\xfe\x00", b"play \xff\n"):
        file.write_bytes(data)
        with pytest.raises(InvalidError, match="not UTF-8") as caught:
            ScriptSource.from_file(screen(), file)
        assert caught.value.where == str(file) and "save it as UTF-8" in caught.value.hint


def test_a_script_that_ends_too_soon_loses_nothing(tmp_path: Path) -> None:
    console = screen()
    with begin(tmp_path, "Ysolde") as session:
        with pytest.raises(UsageError, match=r"ends at line 2, and the game does not: Ysolde decides. Which card"):
            play(session, console, ScriptSource(console, "moves.txt", ["cheer", "# no more"]))
        assert read(session.path).steps[-1].record.move == "cheer"
    assert "vaultkit resume" in screen_text(console)


def test_script_answers_for_everybody_without_pauses(tmp_path: Path) -> None:
    with begin(tmp_path, *TWO, hands="hidden") as session:
        assert play_script(session, *"aaaaaabbaa")[0]


def test_real_cards_are_asked_for_at_the_table(tmp_path: Path) -> None:
    typed = ["ysolde", "pine", "ash of l, birch of l, cedar of l", "ash of r", "cheer", "q"]
    toy = GameInfo("toy", "Toy Game", (1, 4), "toy", refereeing="vaultkit.session.real_deck:by_typing")
    with registered(toy):
        seen = play_typed(tmp_path, *typed, seats=("Ysolde",), real_cards=True)
    assert (
        "Ysolde begins." in seen and "'pine' could be: " in seen and "The prize is the 1R Ash" in " ".join(seen.split())
    )


def test_game_of_bots_only_asks_nobody(tmp_path: Path) -> None:
    seen = play_typed(tmp_path, seats=("bot:first", "bot:first"))
    assert "The end" in seen and "Type help" not in seen


@pytest.mark.parametrize("typed", ["?", "l all", "Aldous", "a", "help", "y"])
def test_g_3_only_an_empty_line_shows_a_hidden_hand(tmp_path: Path, typed: str) -> None:
    seen = play_typed(tmp_path, typed, typed, seats=TWO, hands="hidden")
    assert seen.count("Pass the screen to Ysolde, then press Enter.") == 3
    assert "Your hand" not in seen and "  a  Cheer" not in seen
    assert (seen == Says("Press only Enter")) is (typed in {"?", "help"})
    assert "Your hand" in play_typed(tmp_path / "then", typed, "", seats=TWO, hands="hidden")


def test_leaving_at_the_mask_shows_nothing_and_saves(tmp_path: Path) -> None:
    seen = play_typed(tmp_path, "q", "", "a", seats=TWO, hands="hidden")
    assert "The game is saved." in seen and "Your hand" not in seen


@pytest.mark.parametrize("seats", [TWO, ("Ysolde",)])
def test_h_hides_the_screen_until_an_empty_line(tmp_path: Path, seats: tuple[str, ...]) -> None:
    first = [""] if len(seats) > 1 else []
    seen = play_typed(tmp_path, *first, "h", "table", "?", "", "q", seats=seats, hands="hidden")
    assert seen.count("Hidden. Press Enter to go on.") == 3 and "Press only Enter" in seen
    asked = seen[seen.rindex("Hidden. Press") :]
    assert ("Your hand" in asked) is (len(seats) > 1)
    assert "The game is saved." in play_typed(tmp_path / "q", *first, "h", "q", "", seats=seats, hands="hidden")


def test_rule_stays_on_the_screen(tmp_path: Path) -> None:
    seen = play_typed(tmp_path, "a", "?")
    assert seen.count("Text of ") <= 1, "the texts of the cards that one may play are asked for by name"
    assert "Text of " not in seen[seen.index("Rule Playing") :]


def test_output_has_no_two_consecutive_empty_lines(tmp_path: Path) -> None:
    play_typed(tmp_path, "a", "q")
    console = screen()
    with resume(tmp_path / "20261103-toy-k3f9.journal") as session:
        play(session, console, person(console, "?", "s", "l", "a", "q"), Notes())
    assert "Where you left off:" in screen_text(console)
    assert not re.search(r"\n *\n *\n(?!The game is saved)", screen_text(console))


def test_a_hidden_screen_is_shown_in_pages(tmp_path: Path) -> None:
    console = Console(file=io.StringIO(), width=80, height=6, force_terminal=True, color_system=None)
    console._environ = {"TERM": "xterm"}
    heights: list[str] = []

    def read() -> str:
        heights.append(screen_text(console))
        if "More" in heights[-1][-25:]:
            return ""
        return "q" if "Aldous ›" in heights[-1] else "" if "Pass" in heights[-1][-50:] else "a"

    with begin(tmp_path, *TWO, hands="hidden") as session:
        play(session, console, TerminalSource(console, read), Notes())
    pages = [after[len(before) :] for before, after in pairwise(heights)]
    assert all(page.count("\n") < 6 for page in pages)
    assert "More: press Enter." in screen_text(console)


def test_number_is_the_rank_of_a_card_and_is_never_ambiguous(tmp_path: Path) -> None:
    with begin(tmp_path, "Ysolde", "bot:first", seed=6) as session:
        console = screen()
        play(session, console, person(console, "wait", "9", "q"), Notes())
        assert screen_text(console) == Says("No 9", "Numbers are ranks")
        assert session.prompt
        ranks = [move.operands[0].partition("-")[0] for move in session.prompt.moves]
        alone = next(rank for rank in ranks if ranks.count(rank) == 1)
        play(session, console, person(console, alone, "q"), Notes())
        played = [step.move.operands[0] for step in session.steps if step.move.verb == "play"]
        assert any(card.startswith(f"{alone}-") for card in played)


@pytest.mark.parametrize("game", ["tarokka", "decktet", "astromancy", "french52"])
def test_help_names_a_card_of_the_deck_in_use(game: str) -> None:
    deck = known_deck(game)
    assert deck
    console = screen(120)
    console.print(
        renderables.help_lines(
            TerminalText(str, deck, TerminalStyle(plain=True)),
            (*commands.HELP, *real_card_commands.HELP, *real_card_commands.TALE_HELP),
        )
    )
    named = re.findall(r"^\? (.+): a card", screen_text(console), re.MULTILINE)
    assert named and all(find_cards(name, deck, deck.by_id) for name in named)
    number, code = re.findall(r"^(\w+ \w+), (\w+): by its number", screen_text(console), re.MULTILINE)[0]
    (card,) = find_cards(number, deck, deck.by_id)
    assert card in find_cards(code, deck, deck.by_id)
