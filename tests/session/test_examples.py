"""Examples in rule notes: how they are read, played and checked, and how errors in them are reported."""

from pathlib import Path

import pytest

from tests.compendium.making import problems
from tests.vault.making import make_files
from tests.wording import Says
from vaultkit.cards.deck import known_deck
from vaultkit.errors import InvalidError, Problem
from vaultkit.session.examples.expectations import find_errors
from vaultkit.session.examples.parser import MAX_BLOCK_CHARS, MAX_MOVES, Example, blocks, examples_of
from vaultkit.session.examples.playback import ExampleSession
from vaultkit.vault import Note

HANDS = 'hand.Ysolde = ["Leo Lion"]\nhand.Bram = ["Aries Ram"]'
TRICK = f"""seats = ["Ysolde", "Bram"]
turn = "Ysolde"
moves = ["Ysolde: play Leo Lion", "Bram: play Aries Ram"]
expect = ["event: Bram wins the trick", "score: Bram 1"]
[cards]
{HANDS}
"""
LUCKY = """seats = ["Ysolde", "Bram"]
moves = ["Bram: predict gemini-number"]
options = { first = 1 }
[cards]
next = ["Leo Lion"]
"""


def note(*texts: str, frontmatter: str = "vaultkit-game: propheta") -> Note:
    fenced = "\n".join(f"## Part {number}\n\n```play\n{text}```\n" for number, text in enumerate(texts, 1))
    return Note("Rules.md", f"---\n{frontmatter}\n---\n# Propheta\n\n{fenced}".encode())


def make_rehearsal(text: str, **options: object) -> ExampleSession:
    (example,) = examples_of(note(text))
    deck = known_deck("astromancy")
    assert isinstance(example, Example) and deck
    return ExampleSession.from_example(example, deck, options)


def first_error(text: str) -> tuple[str, str, str]:
    """Return where the first error of an example is, its message and its hint."""
    (example,) = examples_of(note(text))
    if isinstance(example, InvalidError):
        return example.where, example.message, example.hint
    deck = known_deck("astromancy")
    assert deck
    try:
        error = find_errors(ExampleSession.from_example(example, deck, {}))[0]
    except InvalidError as found:
        error = found
    return error.where, error.message, error.hint


def check_examples(folder: Path, *texts: str, frontmatter: str = "vaultkit-game: propheta") -> list[Problem]:
    vault = make_files(folder, {"Rules.md": note(*texts, frontmatter=frontmatter).text})
    return [problem for problem in problems(vault) if problem.code == "rule-example"]


def test_play_blocks_are_found_with_their_lines_in_any_fence_but_not_nested() -> None:
    text = (
        "~~~ play \nA\n~~~\n\n````md\n```play\nB\n```\n````\r\n```PLAY\r\nC\r\n```\r\n```playing\nD\n```\n   ```play\nE"
    )
    assert [*blocks(text)] == [(1, "A"), (10, "C"), (16, "E")]


def test_example_is_fulfilled_and_stops_after_its_last_move() -> None:
    session = make_rehearsal(TRICK)
    assert find_errors(session) == []
    assert session.outcome is not None


def test_unnamed_cards_are_dealt_by_the_seed() -> None:
    one, same, other = (
        make_rehearsal(TRICK.replace(', "Bram"]\nturn', f', "Bram", "Nettle"]\nseed = {seed}\nturn'))
        for seed in (1, 1, 2)
    )
    hands = [session.view(2).at.hands[2] for session in (one, same, other)]  # type: ignore[attr-defined]
    assert len(hands[0]) == 1 and hands[0] == hands[1] != hands[2]


def test_named_luck_is_used_first_and_the_seed_for_the_rest() -> None:
    session = make_rehearsal(LUCKY)
    session.settle()
    first = session.steps[0].move.operands
    assert first[0] == "leo-animal" and len(first) == 16


WRONG = [
    ("play Leo Lion", "play Leo Lyon", 11, "'play Leo Lyon' cannot be played here.", "Play the Leo Lion"),
    ('"Bram: play', '"Brom: play', 11, "'Brom: play Aries Ram' does not begin with", "mean 'Bram'?"),
    ('moves = ["', 'moves = ["Bram: play Aries Ram", "', 11, "The game is over before 'Ysolde: play Leo Lion'.", ""),
    ("wins the trick", "dances", 12, "This example fails: nothing like 'Bram dances' happened.", ""),
    ("Bram 1", "Bram 2", 12, "This example fails: Bram has 1, not 2.", ""),
    ("score: Bram 1", "winner: nobody", 12, "This example fails: the winner is Bram.", ""),
    ("score: Bram", "points: Bram", 12, "'points: Bram 1' cannot be checked.", "offer, refused"),
    ("score: Bram 1", "offer: play Leo Lion", 12, "This example fails: nobody is asked after that.", ""),
    ('["Aries Ram"]', '["Aries Lamb"]', 15, "'Aries Lamb' is not a card of the astromancy deck.", "'Aries Ram'?"),
    ('["Aries Ram"]', '["Leo"]', 15, "'Leo' could be: Leo Scrap I;", ""),
    ('["Aries Ram"]', '["Leo Lion"]', 14, "The Leo Lion is in two places.", ""),
    ("hand.Bram", "hand.Brom", 15, "'Brom' has no seat here.", "Did you mean 'Bram'?"),
    ("hand.Bram", "hands.Bram", 15, "'hands' is not a zone of the table.", "Zones: hand.Ysolde, prophecies.Ysolde,"),
    ('turn = "Ysolde"', 'at = "dawn"', 10, "'dawn' is not a moment of this game.", "Accepted: no value."),
    ('turn = "Ysolde"', "seed = -1", 10, "'seed' must be", ""),
    ('turn = "Ysolde"', 'turns = "Ysolde"', 10, "Unknown key 'turns'.", "Accepted: seats, moves, expect"),
    ('turn = "Ysolde"', "options = { folow = 1 }", 10, "Propheta has no option 'folow'.", "Did you mean 'follow'?"),
    ('turn = "Ysolde"', 'game = "whist"', 10, "There is no game 'whist'.", "Games:"),
    ('turn = "Ysolde"', "turn =", 10, "This is not TOML: Invalid value.", ""),
    ('seats = ["Ysolde", "Bram"]', 'seats = ["Ysolde"]', 9, "Propheta is for 2 to 4 players, not 1.", ""),
    ("[cards]\n", "[cards]\nmoves = []\n", 14, "'moves' is below [cards], and counts", "Write it above"),
    ("[cards]\n", "mistake = 'Bram: reveal Leo Lyon'\n[cards]\n", 13, "'reveal Leo Lyon' is not a move", "'Leo Lion'"),
]  # fmt: skip


@pytest.mark.parametrize(("old", "new", "line", "message", "hint"), WRONG)
def test_each_error_in_an_example_is_reported_with_note_and_line(
    old: str, new: str, line: int, message: str, hint: str
) -> None:
    where, said, how = first_error(TRICK.replace(old, new, 1))
    assert said.startswith(message)
    assert (where, hint in how) == (f"Rules.md:{line}", True), how


def test_expected_refusal_caused_by_a_typo_does_not_count() -> None:
    text = TRICK.replace("expect", "expect = ['refused: Bram: {}']\nmoves = ['Ysolde: play Leo Lion']\n#", 1).replace(
        "moves", "#", 1
    )
    assert find_errors(make_rehearsal(text.format("play Taurus Bull"))) == []
    for words, message in (
        ("play Taurus Bill", "not a move of this game"),
        ("jump Taurus Bull", "not a move of this game"),
    ):
        assert message in first_error(text.format(words))[1]


def test_mistake_of_a_lesson_is_made_as_early_as_possible_and_refused_as_late_as_possible() -> None:
    hands = HANDS.replace('"Aries Ram"', '"Aries Ram", "Taurus Bull"').replace('"Leo Lion"', '"Leo Lion", "Leo Ribbon"')
    text = TRICK.replace(HANDS, hands)
    for mistake, slip in (("Bram: play Taurus Bull", 1), ("Ysolde: play Taurus Bull", 0), ("", -1)):
        session = make_rehearsal(f'mistake = "{mistake}"\n{text}')
        assert find_errors(session) == [] and session.mistake_index == slip


def test_mistake_possible_twice_is_made_at_once() -> None:
    text = """seats = ["Ysolde", "Bram"]
turn = "Ysolde"
mistake = "Ysolde: play Leo Scrap I"
moves = ["Ysolde: play Leo Lion", "Bram: play Taurus Bull", "Ysolde: play Leo Ribbon"]
[cards]
hand.Ysolde = ["Leo Lion", "Leo Ribbon", "Leo Scrap I"]
hand.Bram = ["Taurus Bull", "Taurus Ribbon", "Taurus Scrap I"]
"""
    session = make_rehearsal(text)
    assert find_errors(session) == [] and session.mistake_index == 0


def test_house_rule_contradicting_its_own_example_is_reported_with_its_line(tmp_path: Path) -> None:
    hands = HANDS.replace('["Aries Ram"]', '["Aries Ram", "Taurus Bull"]')
    text = TRICK.replace("Bram: play Aries Ram", "Bram: play Taurus Bull").replace("Bram wins", "Ysolde wins")
    text = text.replace("score: Bram 1", "score: Ysolde 1").replace(HANDS, hands)
    assert check_examples(tmp_path / "a", text) == []
    ruled = 'vaultkit-game: propheta\nvaultkit-options: ["follow=element"]'
    (problem,) = check_examples(tmp_path / "b", text, frontmatter=ruled)
    assert (problem.line, problem.severity) == (12, "error")
    assert problem.message == Says("play Taurus Bull", "cannot", "played")
    assert check_examples(tmp_path / "c", f'options = {{ follow = "none" }}\n{text}', frontmatter=ruled) == []
    config = make_files(
        tmp_path / "d", {"Rules.md": note(text).text, ".vaultkit/config.toml": '[games.propheta]\nfollow = "element"\n'}
    )
    assert [problem.line for problem in problems(config) if problem.code == "rule-example"] == [11]


def test_oversized_example_is_refused_before_it_is_played(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    moves = ", ".join(['"Bram: pass"'] * (MAX_MOVES + 1))
    assert first_error(f'seats = ["Ysolde", "Bram"]\nmoves = [{moves}]\n')[1] == Says("201 moves", "200")
    assert "is the maximum" in first_error(f"# {'x' * MAX_BLOCK_CHARS}\n{TRICK}")[1]
    monkeypatch.setattr("vaultkit.session.examples.parser.MAX_EXAMPLES_PER_NOTE", 2)
    found = check_examples(tmp_path, *[TRICK] * 3)
    assert [problem.message for problem in found] == [Says("Only", "first 2 examples", "played")]


def test_block_in_a_note_that_explains_no_game_is_ignored(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"Other.md": "```play\nmoves = 1\n```"})
    assert [problem for problem in problems(vault) if problem.code == "rule-example"] == []


@pytest.mark.slow
def test_checking_a_vault_full_of_examples_is_limited(tmp_path: Path) -> None:
    """Of ten thousand long examples, a check plays only as many as its limit allows."""
    hands = 'hand.Ysolde = ["Leo Lion"]\nhand.Bram = ["Aries Ram"]\nhand.Nettle = ["Leo Ribbon"]'
    block = f'seats = ["Ysolde", "Bram", "Nettle"]\nseed = {{}}\noptions = {{{{ target = 200 }}}}\n[cards]\n{hands}\n'
    texts = {f"{n}.md": note(*[block.format(seed) for seed in range(100)]).text for n in range(100)}
    vault = make_files(tmp_path, texts)
    found = [problem for problem in problems(vault) if problem.code == "rule-example"]
    assert found[-1].message.startswith("Examples from here on are not played")
