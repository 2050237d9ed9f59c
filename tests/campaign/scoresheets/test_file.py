"""Scores in a TOML file: valid contents, and errors with their lines."""

import re
from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.campaign.scoresheets.making import names_of
from vaultkit.campaign.scoresheets.input_examples import example_toml, score_flag
from vaultkit.campaign.scoresheets.input_formats import from_toml, read_file
from vaultkit.campaign.scoresheets.paper_record import PaperRecord, PaperSeat, PaperWords, build_tally
from vaultkit.errors import InvalidError, VaultkitError
from vaultkit.games import registry
from vaultkit.session.options import settle
from vaultkit.session.scoresheets import score_sheet

TOML = """\
game = "dragon-citadel"
date = 2026-11-03
outcome = "party"
[options]
mode = "coop"
[[players]]
name = "Ysolde"
swords = "23/1"
stars = {total = 7, heroes = 0}
forfeited = false
[[players]]
name = "Bram"
coins.total = "8+9"
forfeited = true
"""
OPTIONS = settle(registry.rules("dragon-citadel"), {})
CITADEL = score_sheet("dragon-citadel")


def test_file_gives_the_scores_of_its_tables() -> None:
    written = from_toml(TOML, "game.toml")
    told: list[str] = []
    tally = build_tally(written, CITADEL, OPTIONS, told.append)
    assert (written.game, written.options, names_of(written)) == (
        "dragon-citadel",
        {"mode": "coop"},
        ("Ysolde", "Bram"),
    )
    assert written.date and (written.date.text, written.date.where) == ("2026-11-03", "game.toml:2")
    ysolde, bram = tally.seats
    assert (ysolde.number("swords.total"), ysolde.number("swords.heroes"), ysolde.number("stars.total")) == (23, 1, 7)
    assert ysolde.answers["forfeited"] == "no" and bram.answers["forfeited"] == "yes"
    assert bram.summands == {"coins.total": (8, 9)}
    assert tally.common == {"outcome": "party"} and not told


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ('"23/1"', '"23/1', 8, "not TOML"),
        ('"23/1"', '"many/1"', 8, "'many' is not a number"),
        ("swords", "sword", 8, "no 'sword'"),
        ('"23/1"', "true", 8, "'yes' is not a number"),
        ("heroes = 0", "heroes = -1", 9, "less than 0"),
        ('name = "Bram"', 'name = ""', 11, "no name"),
        ('"23/1"', "[[23], 1]", 8, "must be a number, a text in quotes, or a list"),
        ('"party"', '"victory"', 3, "not one of them"),
        ("outcome", "ending", 3, "no 'ending'"),
        ("[options]\nmode", "options", 4, "'options' must be a table"),
        ("swords = ", "swords.total = 3\nswords = ", 9, "not TOML"),
        ("swords = ", "score = 'x'\nswords = ", 8, "'x' is not a number"),
        ("2026-11-03", "20261103", 2, "'date' must be a date such as 2026-11-03"),
        ("2026-11-03", "true", 2, "'date' must be a date such as 2026-11-03"),
    ],
)
def test_mistake_is_reported_with_its_line(old: str, new: str, line: int, said: str) -> None:
    with pytest.raises(InvalidError, match=said) as raised:
        build_tally(from_toml(TOML.replace(old, new, 1), "game.toml"), CITADEL, OPTIONS)
    assert raised.value.where == f"game.toml:{line}"


def test_same_key_in_two_players_is_reported_at_the_right_one() -> None:
    text = TOML + 'swords = "x"\n'
    with pytest.raises(InvalidError, match="Bram: Swords") as raised:
        build_tally(from_toml(text, "game.toml"), CITADEL, OPTIONS)
    assert raised.value.where == f"game.toml:{len(text.splitlines())}"


def test_end_of_a_file_is_in_the_line_that_toml_counts() -> None:
    with pytest.raises(InvalidError, match="not TOML") as raised:
        from_toml("# a\u2028b\nplayers = [\n", "game.toml")
    assert raised.value.where == "game.toml:2"


def test_files_from_any_editor_or_shell_are_read(tmp_path: Path) -> None:
    for name, data in {
        "bom": TOML.encode("utf-8-sig"),
        "windows": TOML.replace("\n", "\r\n").encode(),
        "powershell": TOML.encode("utf-16"),
    }.items():
        path = tmp_path / f"{name}.toml"
        path.write_bytes(data)
        assert [seat.name for seat in read_file(path).seats] == ["Ysolde", "Bram"]
    (tmp_path / "latin.toml").write_bytes('note = "Zoë"'.encode("latin-1"))
    with pytest.raises(InvalidError, match="not UTF-8 text"):
        read_file(tmp_path / "latin.toml")
    with pytest.raises(InvalidError, match="cannot be read"):
        read_file(tmp_path)


@pytest.mark.parametrize("game", [info.id for info in registry.GAMES.values() if info.score_sheet])
def test_the_example_of_every_game_reads_back_as_empty_boxes(game: str) -> None:
    rules = registry.rules(game)
    options, names = settle(rules, {}), ["Ysolde", 'Bram "the\\Bear"'][: rules.seats[1]]
    text = example_toml(score_sheet(game), options, names, date(2026, 11, 3))
    for due in ("laid", "result", "place", "temple", "outcome"):
        if f'{due} = ""' in text.replace('" =', " ="):
            with pytest.raises(InvalidError, match=r"an answer is missing|outcome was given"):
                build_tally(from_toml(text, "example.toml"), score_sheet(game), options)
            given = {"result": "win", "temple": "moons", "outcome": "party"}.get(due, "1")
            text = re.sub(f'({due}"? =) ""', f'\\1 "{given}"', text)
    written = from_toml(text, "example.toml")
    tally = build_tally(written, score_sheet(game), options)
    assert (written.game, list(names_of(written))) == (game, names)
    assert "//" not in text and "?:" not in text
    assert all(not isinstance(value, int) or value < 2 for seat in tally.seats for value in seat.answers.values())


@pytest.mark.slow
@given(st.text(alphabet=st.sampled_from("abswordscrown[]{}=\"./+,\n\t 0123456789-'\\#") | st.characters(), max_size=80))
def test_any_text_is_a_game_or_one_clear_error(text: str) -> None:
    for whole in (text, f"{TOML}{text}"):
        try:
            build_tally(from_toml(whole, "game.toml"), CITADEL, OPTIONS)
        except VaultkitError as error:
            assert error.message


def test_example_has_no_more_players_than_allowed() -> None:
    rules = registry.rules("turn-of-fate")
    text = example_toml(score_sheet("turn-of-fate"), settle(rules, {}), tuple("ABCDE"), date(2026, 11, 3))
    assert [seat.name for seat in from_toml(text, "example.toml").seats] == ["A", "B"]


def test_each_game_has_its_own_example_score() -> None:
    flags = {game: score_flag(score_sheet(game), settle(registry.rules(game), {})) for game in registry.GAMES}
    assert flags["dragon-citadel"].endswith('"NAME: swords=TOTAL/HEROES, stars=TOTAL/HEROES, glyphs=TOTAL/HEROES"')
    assert "deal.1=TRICKS/MUTABLE/FIXED/CARDINAL" in flags["propheta"] and "temple=moons" in flags["turn-of-fate"]
    assert "encounter.1.name=NAME, encounter.1.asks=ASKS, encounter.1.laid=LAID" in flags["deck-of-destiny"]


def test_encounters_of_one_sheet_are_in_order() -> None:
    lines = {"laid": "3", "result": "win", "gained": "5"}
    boxes = {f"encounter.{line}.{box}": PaperWords(said) for line in (1, 2) for box, said in lines.items()}
    boxes["encounter.2.hand"] = PaperWords("Pair")
    keeping, options = score_sheet("deck-of-destiny"), settle(registry.rules("deck-of-destiny"), {})

    def inventory_before(line: str, **common: str) -> float:
        said = {key: PaperWords(text) for key, text in common.items()} | {"encounter": PaperWords(line)}
        seat = PaperSeat("Ysolde", boxes)
        written = PaperRecord(common=said, seats=(seat,), labels={"encounter.1.laid": "Laid"}, printed=True)
        return keeping.outcome(build_tally(written, keeping, options)).scores[0]["before"]

    assert (
        inventory_before("1"),
        inventory_before("2"),
        inventory_before("2", inventory="12"),
        inventory_before("1", inventory="12"),
    ) == (7, 9, 12, 12)


def test_empty_file_is_reported(tmp_path: Path) -> None:
    (tmp_path / "empty.toml").write_bytes(b"\xef\xbb\xbf\n")
    with pytest.raises(InvalidError, match="is empty"):
        read_file(tmp_path / "empty.toml")
