"""Scores as flags: parsed, matched with questions, and refused with a list of what is accepted."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.campaign.scoresheets.making import names_of
from tests.games.test_definition import sheet
from tests.wording import Says
from vaultkit.campaign.scoresheets.input_examples import player_questions
from vaultkit.campaign.scoresheets.input_formats import from_flags, read_spoken_scores
from vaultkit.campaign.scoresheets.paper_record import PaperRecord, PaperSeat, PaperWords, build_tally
from vaultkit.errors import UsageError, VaultkitError
from vaultkit.games import registry
from vaultkit.games.scoresheet import ScoreSheet
from vaultkit.session.options import settle
from vaultkit.session.scoresheets import ScoreSheets, score_sheet

OPTIONS = settle(registry.rules("dragon-citadel"), {})
CITADEL = score_sheet("dragon-citadel")


def test_score_flags_accept_keys_rows_and_single_words() -> None:
    written = from_flags(["Ysolde: swords=8+9/1, Stars.Total = 7; forfeited", "[[Bram Tolliver|Bram]]: crowns=2"])
    told: list[str] = []
    with pytest.raises(UsageError, match="outcome was given") as raised:
        build_tally(written, CITADEL, OPTIONS, told.append)
    assert "--outcome party (The party beats the dealer)" in raised.value.hint and "--outcome seer" in raised.value.hint
    tally = build_tally(replace(written, common={"outcome": PaperWords("party")}), CITADEL, OPTIONS, told.append)
    ysolde, bram = tally.seats
    assert names_of(written) == ("Ysolde", "[[Bram Tolliver|Bram]]")
    assert (ysolde.number("swords.total"), ysolde.number("swords.heroes"), ysolde.number("stars.total")) == (17, 1, 7)
    assert ysolde.summands == {"swords.total": (8, 9)} and ysolde.answers["forfeited"] == "yes"
    assert bram.number("crowns.count") == 2 and bram.answers["forfeited"] == "no"
    assert not told and tally.common["outcome"] == "party"
    build_tally(from_flags(["Ysolde: forfeited", "Bram: forfeited"]), CITADEL, OPTIONS, told.append)
    assert told == [Says("scores", "decide", "dealer beats the party")]


@pytest.mark.parametrize("name", ["Dr: Who", "bot:greedy", "A|B", "😀", "[[1-Party/Bram|B:]]", "Zoë"])
def test_name_may_contain_colons(name: str) -> None:
    (seat,) = from_flags([f"{name}: stars=9, encounter.1.name=The gate: closed"]).seats
    assert seat.name == name and seat.said["stars"].text == "9"
    assert seat.said["encounter.1.name"].text == "The gate: closed"


def test_values_for_all_players_need_no_name_and_follow_from_other_flags() -> None:
    keeping, options = score_sheet("propheta"), settle(registry.rules("propheta"), {})
    seats = ["Ysolde: deal.1=6/1/0/0, deal.2=3", "Bram: deal.1=6, deal.2=9/0/0/1"]
    for scores in (seats, ["deals=2", *seats]):
        tally = build_tally(from_flags(scores), keeping, options)
        assert tally.common["deals"] == 2
        assert tally.seats[1].number("deal.2.tricks") == 9


def test_column_is_given_round_by_round_and_only_once() -> None:
    keeping, options = score_sheet("propheta"), settle(registry.rules("propheta"), {})
    (ysolde,) = build_tally(from_flags(["Ysolde: tricks=6/3/4, fixed=1"]), keeping, options).seats
    assert [ysolde.number(f"deal.{deal}.tricks") for deal in (1, 2, 3)] == [6, 3, 4]
    with pytest.raises(UsageError, match=r"Ysolde: 'deal\.2\.tricks' appears twice"):
        build_tally(from_flags(["Ysolde: tricks=6/3, deal.2.tricks=4"]), keeping, options)


def test_column_is_recognized_by_its_lower_case_title() -> None:
    night = {"title": "Night", "players": 1, "columns": [{"id": "wolves", "title": "Wolves seen?"}]}
    (seat,) = build_tally(from_flags(["Ysolde: Wolves seen=5"]), sheet(night), {}).seats
    assert seat.number("wolves") == 5
    (seat,) = build_tally(from_flags(["Ysolde: wolves seen=5/6"]), sheet({**night, "rounds": {}}), {}).seats
    assert [seat.number(f"round.{number}.wolves") for number in (1, 2)] == [5, 6]


def test_id_of_a_column_is_preferred_to_the_title_of_another() -> None:
    columns = [{"id": "score", "title": "Points"}, {"id": "points", "title": "Bonus"}]
    (seat,) = build_tally(
        from_flags(["Ysolde: points=5, score=2"]), sheet({"title": "T", "players": 1, "columns": columns}), {}
    ).seats
    assert (seat.number("score"), seat.number("points")) == (2, 5)


SKAT = ScoreSheets(None).find("skat")


def test_missing_rounds_are_reported_and_extra_rounds_are_logged() -> None:
    told: list[str] = []
    skat = ["Ysolde: points=18/0/-48", "Bram: points=0/24", "Sefa: points=0/0/0"]
    tally = build_tally(from_flags(skat), SKAT, {}, told.append)
    assert tally.common == {"deals": 3} and tally.seats[1].number("deal.3.points") == 0
    assert told == [Says("Bram", "2 of 3 deals", "points", "empty")]
    most = SKAT.definition.rounds.most if SKAT.definition.rounds else 0
    longer = build_tally(from_flags([f"Ysolde: points={'/'.join(['1'] * (most + 1))}"]), SKAT, {})
    assert longer.common == {"deals": most + 1} and longer.seats[0].number(f"deal.{most + 1}.points") == 1


def test_rounds_may_exceed_the_sheet_up_to_a_high_limit() -> None:
    by_number = from_flags(["deals=60", "Ysolde: deal.60.points=7"])
    assert build_tally(by_number, SKAT, {}).seats[0].number("deal.60.points") == 7
    with pytest.raises(UsageError, match="Skat has 500 deals at most, and 501 are written down"):
        build_tally(from_flags([f"Ysolde: points={'/'.join(['1'] * 501)}"]), SKAT, {})
    with pytest.raises(UsageError, match="999999 is more than 500"):
        build_tally(from_flags(["deals=999999", "Ysolde: points=1"]), SKAT, {})


def test_game_with_a_fixed_number_of_rounds_refuses_more_va_19() -> None:
    propheta = score_sheet("propheta")
    many = {f"deal.{number}.hand": "0" for number in range(1, 8)}
    written = PaperRecord(seats=tuple(PaperSeat(name, {k: PaperWords(v) for k, v in many.items()}) for name in "AB"))
    with pytest.raises(UsageError, match="Propheta has 6 deals at most, and 7 are written down"):
        build_tally(written, propheta, settle(registry.rules("propheta"), {}))


@pytest.mark.parametrize(
    ("scores", "message", "hint"),
    [
        (["Ysolde: pionts=18/0"], "no 'pionts'", "Did you mean 'points'? It asks for: points."),
        (["Ysolde: total=18"], "'total' follows from the other columns", ""),
        (["Sefa", "Ysolde: points=1"], "no 'sefa'", "It asks for: deals"),
        (["Ysolde: points=7.5/1,5"], "'5' in --score", "A comma begins the next column; halves are written as 7.5."),
        (["Ysolde: 18/0"], "'18/0' in --score", "Write: --score"),
    ],
)
def test_wrongly_written_flag_is_answered_with_the_correct_form(scores: list[str], message: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        build_tally(from_flags(scores), SKAT, {})
    assert message in caught.value.message and hint in caught.value.hint
    assert "comma" in hint or "comma" not in caught.value.hint


def test_calculated_column_is_left_out() -> None:
    with pytest.raises(UsageError, match="'points' follows from the other columns") as caught:
        build_tally(from_flags(["Ysolde: points=5"]), sheet(), {})
    assert caught.value.hint == "Leave it out."


@pytest.mark.parametrize(
    ("score", "said", "hint"),
    [
        ("Ysolde: sword=3", "no 'sword'", "Did you mean 'swords'? It asks for: swords=total/heroes"),
        ("Ysolde: swords.totel=3", "no 'swords.totel'", "'swords.total'"),
        ("Ysolde: swords=3, swords=4", "twice", "once"),
        ("Ysolde: swords=3, swords.total=4", "twice", "once"),
        ("Ysolde: swords=1/2/3", "3 parts", "total of numbers / heroes"),
        ("Ysolde: a lot of swords", "cannot be parsed", "--score"),
        ("Ysolde: swords=7,5/0", "'5/0' in --score", "A comma begins the next column; halves are written as 7.5."),
        ("Ysolde: forfeited=perhaps", "Ysolde: Forfeited", "no, yes"),
        (": swords=3", "names nobody", "--score"),
        ("Ysolde swords=3", "no colon after the name", "--score"),
        ("swords=3", "asked of each player", "NAME: swords"),
        ("outcom=party", "no 'outcom'", "'outcome'"),
        ("Ysolde: score=x", "Ysolde: Champion", "whole number"),
    ],
)
def test_unusable_flag_lists_the_accepted_ones(score: str, said: str, hint: str) -> None:
    with pytest.raises(UsageError) as raised:
        build_tally(from_flags([score]), CITADEL, OPTIONS)
    assert said in raised.value.message and hint in raised.value.hint


@pytest.mark.slow
@given(st.lists(st.text(alphabet=st.sampled_from("Yab:=,;/+.-swordstarn 0123456789") | st.characters()), max_size=3))
def test_any_words_are_scores_or_one_clear_error(scores: list[str]) -> None:
    for prefix in ("", "Ysolde: swords=3, "):
        try:
            build_tally(from_flags([prefix + score for score in scores]), CITADEL, OPTIONS)
        except VaultkitError as error:
            assert error.message


FAIR = sheet({"title": "Fair", "players": [1, 5], "columns": [{"id": "geese", "title": "Geese"}]})


@pytest.mark.parametrize(
    ("game", "score", "said"),
    [
        (FAIR, "Guest 1: 7, Guest 2: 2", {"Guest 1": {"geese": "7"}, "Guest 2": {"geese": "2"}}),
        (FAIR, "P1=7; Odo 2", {"P1": {"geese": "7"}, "Odo": {"geese": "2"}}),
        (FAIR, "Agent 47 Smith: geese=2", {"Agent 47 Smith": {"geese": "2"}}),
        (ScoreSheets(None).find("chess"), "Odo  Black \t won", {"Odo": {"colour": "Black", "result": "won"}}),
        (ScoreSheets(None).find("who-won"), "Odo: won; Sefa: no", {"Odo": {"won": "yes"}, "Sefa": {"won": "no"}}),
    ],
)
def test_players_of_one_flag_are_told_apart(game: ScoreSheet, score: str, said: dict[str, dict[str, str]]) -> None:
    record = from_flags([score], None, game)
    assert {seat.name: {key: word.text for key, word in seat.said.items()} for seat in record.seats} == said


@pytest.mark.parametrize(
    ("game", "score", "hint"),
    [
        (FAIR, "Odo 7 Sefa 2", '--score "Odo: 7" --score "Sefa: 2"'),
        (FAIR, "Odo=7 Sefa=2", '--score "Odo: 7" --score "Sefa: 2"'),
        (FAIR, "Guest 1: 7 Guest 2: 2", '--score "Guest 1: 7" --score "Guest 2: 2"'),
        (FAIR, "Guest 1 7 Guest 2 2", '--score "NAME: geese=GEESE"'),
        (FAIR, "Guest 3 14", '--score "Guest 3: 14"'),
        (FAIR, "Guest 3: 14 5", '--score "NAME: geese=GEESE"'),
        (SKAT, "Guest 3 14", '--score "Guest: points=3/14", or: --score "Guest 3: 14"'),
        (
            ScoreSheets(None).find("chess"),
            "Odo: White, won, Sefa: Black, lost",
            '--score "Odo: White, won" --score "Sefa: Black, lost"',
        ),
    ],
)
def test_name_with_a_value_inside_is_refused(game: ScoreSheet, score: str, hint: str) -> None:
    with pytest.raises(UsageError) as caught:
        from_flags([score], None, game)
    assert caught.value.hint == f"Write: {hint}"


@pytest.mark.parametrize(
    ("words", "flags"),
    [
        (("Guest 3", "14", "Odo Marr", "2"), ['--score "Guest 3: 14"', '--score "Odo Marr: 2"']),
        (("Odo", "Marr=14", "Sefa:", "2"), ['--score "Odo Marr: 14"', '--score "Sefa: 2"']),
        (("14", "Odo", "2"), []),
        (("Odo", "14", "Sefa"), []),
        (("Guest", "3", "14"), []),
    ],
)
def test_spoken_scores_keep_the_words_of_the_shell(words: tuple[str, ...], flags: list[str]) -> None:
    assert read_spoken_scores(words, tuple(player_questions(SKAT, {}))) == flags
