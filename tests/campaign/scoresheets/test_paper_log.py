"""Logging from paper: the same notes as after `play`, written once, with scores saved before any note."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import pytest

from tests.campaign.samples import SETTINGS
from tests.campaign.scoresheets.making import DOUBTED, THREE, citadel, paper_log
from tests.wording import Says
from vaultkit.campaign.log import LogResult
from vaultkit.campaign.saved_games import discard
from vaultkit.campaign.scoresheets.paper_game import PaperGame, find_tally, paper_of, saved_tallies
from vaultkit.campaign.scoresheets.paper_record import PaperRecord
from vaultkit.campaign.scoresheets.people import People, guest_remarks
from vaultkit.campaign.undo import list_entries
from vaultkit.campaign.unlogged_games import find_unlogged_games
from vaultkit.errors import InvalidError, NothingFound, VaultkitError
from vaultkit.session.scoresheets import ScoreSheets
from vaultkit.settings import Settings
from vaultkit.vault import Vault

SHEETS = ScoreSheets(None)


class Done(NamedTuple):
    session: str
    logged: LogResult


def log(vault: Vault, paper: PaperGame | None = None, *, dry_run: bool = False, again: bool = False) -> Done:
    return Done(*paper_log(vault, dry_run=dry_run).log(paper or citadel(), again=again))


def guests(names: Sequence[str], vault: Vault, settings: Settings = SETTINGS) -> dict[str, str]:
    return People(vault, settings.players).find_guests(names)


def text(vault: Vault, logged: LogResult) -> str:
    return (vault.root / logged.note).read_text(encoding="utf-8")


def test_note_of_a_paper_game_is_like_that_of_a_played_game(vault: Vault) -> None:
    done = log(vault, citadel(note="Bram owes *her* a drink."))
    note = text(vault, done.logged)
    assert done.logged.written == ("Games/2026-11-03 Dragon Citadel 1.md", "Campaign Log.md")
    for line in (
        f'vaultkit-session: "{done.session}"',
        "date: 2026-11-03",
        '  - "[[Ysolde Marr|Ysolde]]"',
        "  - Ivo Guest",
        "outcome: party",
        "mode: coop",
        "real-cards: true",
        "score-ysolde-marr: 26",
        "  - game/dragon-citadel",
        r"> **Note:** Bram owes \*her\* a drink.",
        "| [[Ysolde Marr\\|Ysolde]] | 17 + 1 hero | 9 | 0 | 0 | 3 | 26 |",
        f"> - Session `{done.session}`, from the scores that were written down",
    ):
        assert line in note.splitlines()
    assert "journals" not in note and "In doubt" not in note and "seed" not in note and "moves" not in note
    line = next(
        line for line in text(vault, replace(done.logged, note="Campaign Log.md")).splitlines() if "vk-" in line
    )
    assert "with real cards" in line and line.endswith(f"^vk-{done.session}")


def test_same_game_logged_twice_adds_nothing_and_is_reported(vault: Vault) -> None:
    first = log(vault)
    before = {path: (vault.root / path).read_bytes() for path in first.logged.written}
    second = log(vault, citadel(*THREE[1:], THREE[0]))
    assert second.session == first.session and not second.logged.written
    assert f"logged already: {first.logged.note}. Was it another one" in second.logged.remarks[0]
    assert before == {path: (vault.root / path).read_bytes() for path in before}


@pytest.mark.slow
def test_again_makes_another_game_and_finishes_an_interrupted_one(vault: Vault) -> None:
    sessions = [log(vault).session, log(vault, again=True).session, log(vault, again=True).session]
    assert len(set(sessions)) == 3 and log(vault).session == sessions[0]
    (vault.root / "Games/2026-11-03 Dragon Citadel 2.md").unlink()
    vault.forget("Games/2026-11-03 Dragon Citadel 2.md")
    assert log(vault, again=True).session == sessions[1]


@pytest.mark.slow
@pytest.mark.parametrize(("words", "scores", "more"), DOUBTED)
def test_every_doubt_can_be_overridden(vault: Vault, words: str, scores: tuple[str, ...], more: dict[str, Any]) -> None:
    paper = citadel(*scores, **more)
    with pytest.raises(InvalidError, match="in these scores cannot be true"):
        log(vault, paper)
    assert words in " ".join(paper.doubts)
    note = text(vault, log(vault, replace(paper, forced=True)).logged)
    assert note.count("> **In doubt:** ") == len(paper.doubts)


def test_doubts_are_refused_and_recorded_when_overridden(vault: Vault) -> None:
    paper = citadel("Ysolde: swords=17/1", "Bram: swords=9/1", "Ivo: swords=40")
    with pytest.raises(InvalidError) as raised:
        log(vault, paper)
    assert raised.value.message.startswith(f"{len(paper.doubts)} things") and "--force" in raised.value.hint
    assert not (vault.root / "Games").exists() and not saved_tallies(vault.root / ".vaultkit/journals")
    note = text(vault, log(vault, replace(paper, forced=True)).logged)
    assert note.count("> **In doubt:** ") == len(paper.doubts) >= 2


def test_scores_are_saved_before_the_note_and_can_be_logged_later(vault: Vault) -> None:
    missing = citadel(campaign="No Such Note")
    with pytest.raises(NothingFound, match="no campaign note") as raised:
        log(vault, missing)
    journals = vault.root / ".vaultkit/journals"
    (kept,) = saved_tallies(journals)
    assert (
        f"vaultkit log --session {kept.id} --campaign NOTE" in raised.value.hint and paper_of(kept, SHEETS) == missing
    )
    (left,) = find_unlogged_games(vault, journals)
    assert (left.command, left.standing) == (f"vaultkit log --session {kept.id}", "not logged") and left.is_due
    assert left.title(SHEETS) == "Dragon Citadel, 3 November 2026"
    found = replace(paper_of(kept, SHEETS), campaign=None)
    done = paper_log(vault).finish(found, kept.id)
    assert len(done.written) == 2 and find_unlogged_games(vault, journals) == ()
    assert not paper_log(vault).finish(found, kept.id).written


def test_leftovers_of_a_killed_write_beside_the_scores_are_swept(vault: Vault) -> None:
    journals = vault.root / ".vaultkit" / "journals"
    journals.mkdir(parents=True)
    (journals / ".vaultkit-cut-off.tmp").write_text("{", encoding="utf-8")
    session = log(vault).session
    assert sorted(path.name for path in journals.iterdir()) == [f"{session}.journal"]


def test_a_dry_run_writes_nothing_at_all(vault: Vault) -> None:
    before = sorted(vault.root.rglob("*"))
    done = log(vault, dry_run=True)
    assert "+outcome: party" in done.logged.diff and sorted(vault.root.rglob("*")) == before


def test_log_interrupted_before_its_line_is_listed_as_unfinished(vault: Vault, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    journals = vault.root / ".vaultkit/journals"
    with monkeypatch.context() as patched:
        patched.setattr("vaultkit.vault.writing.write.Writer._write_splice", interrupt)
        with pytest.raises(KeyboardInterrupt):
            log(vault)
    (left,) = find_unlogged_games(vault.reopen(), journals)
    found = find_tally(journals, left.session)
    assert found and len(list((vault.root / "Games").iterdir())) == 1
    fresh = vault.reopen()
    done = paper_log(fresh).finish(paper_of(found, SHEETS), found.id)
    assert done.written == ("Campaign Log.md",) and find_unlogged_games(fresh.reopen(), journals) == ()
    assert [entry.state for entry in list_entries(fresh)] == [""], (
        "nothing of it is cut off, and one undo takes it back"
    )


def test_players_without_a_note_are_reported_with_a_suggestion(vault: Vault) -> None:
    found = guests(("Ysold", "Brm Toliver", "Ivo", "Priya", "Tom"), vault)
    assert tuple(guest_remarks(found)) == (
        Says("Ysold", "no note", "guest", "Ysolde Marr"),
        Says("Brm Toliver", "no note", "guest", "Bram Tolliver"),
        Says("Priya", "Tom", "no notes", "guests"),
    )
    assert guests(("Ysolde", "Bram Tolliver", "Bran", "Marr"), vault) == {"Bran": "", "Marr": ""}
    (vault.root / "old").mkdir()
    (vault.root / "old" / "Ivo.md").touch()
    assert guests(("Ivo", "Bran"), vault.reopen()) == {"Bran": "Bram Tolliver"}, "two notes are no guest"
    party = replace(SETTINGS, players=("Bram (Spieler)",))
    assert guests(("Bram (Spieler)",), vault, party) == {"Bram (Spieler)": ""}, "nobody is asked whether he is himself"
    assert guests(("Brm (Spieler)",), vault, party) == {"Brm (Spieler)": "Bram (Spieler)"}, "players need no notes"


def test_game_whose_note_was_deleted_by_hand_is_not_listed_as_unlogged(vault: Vault) -> None:
    (vault.root / log(vault).logged.note).unlink()
    (left,) = find_unlogged_games(vault.reopen(), vault.root / ".vaultkit/journals")
    assert (left.standing, left.is_due) == ("note deleted", False)


def test_seat_is_named_like_its_note(vault: Vault) -> None:
    done = log(vault, citadel("bram: swords=17/1", "[[1-Party/Ysolde Marr]]: crowns=1", "priya: stars=3"))
    note = text(vault, done.logged)
    assert 'players:\n  - "[[Bram Tolliver|Bram]]"\n  - "[[Ysolde Marr]]"\n  - priya\n' in note


def test_encounter_links_the_character_and_its_opponent(vault: Vault) -> None:
    (vault.root / "The Rider.md").touch()
    said = "encounter.1.name=The Rider, encounter.1.result=win, encounter.1.laid=3, encounter.1.hand=flush"
    done = log(vault.reopen(), citadel(f"Ysolde: {said}", game="deck-of-destiny", options={"inventory": 7}))
    note = text(vault, done.logged)
    assert "> **Character:** [[Ysolde Marr]]\n>\n> **Encounter:** [[The Rider]]\n" in note
    assert note.count("**Encounter:**") == 1
    done = log(
        vault.reopen(),
        citadel(f"Priya: {said}".replace("Rider", "Bandits"), game="deck-of-destiny", options={"inventory": 7}),
    )
    assert "**Character:**" not in text(vault, done.logged) and "Encounter:** The Bandits" in text(vault, done.logged)


def test_the_sheet_of_a_game_that_is_logged_is_refused(vault: Vault) -> None:
    session = log(vault).session
    with pytest.raises(InvalidError, match=r"logged already: Games/2026-11-03 Dragon Citadel 1\.md") as raised:
        paper_log(vault).refuse_logged(PaperRecord(session=session, where="sheet.pdf"))
    assert raised.value.where == "sheet.pdf"
    paper_log(vault).refuse_logged(PaperRecord(session="5"))


def test_one_person_has_one_seat(vault: Vault) -> None:
    with pytest.raises(InvalidError, match="'Ysolde' and 'Ysolde Marr' are the same person"):
        log(vault, citadel("Ysolde: swords=1", "Ysolde Marr: swords=2", "Bram: swords=3"))


def test_unreadable_saved_scores_are_reported_and_hide_no_others(vault: Vault) -> None:
    session = log(vault).session
    journals = vault.root / ".vaultkit/journals"
    good = (journals / f"{session}.journal").read_text(encoding="utf-8")
    broken = {
        "20261103-dragon-citadel-aaaa": good.splitlines()[0] + "\n{}\n",
        "20261103-dragon-citadel-bbbb": good,
        "20261103-dragon-citadel-cccc": good.replace(session, "20261103-dragon-citadel-cccc").replace(
            '"seats":[{', '"seats":[{},{'
        ),
        "20261103-dragon-citadel-dddd": good.replace(session, "20261103-dragon-citadel-dddd").replace(
            "Bram", "B\\ud800"
        ),
        "20261103-dragon-citadel-eeee": good.replace(session, "20261103-dragon-citadel-eeee").replace(
            '"started":null', '"started":"9999-12-31T23:59:59-14:00"'
        ),
    }
    for name, content in broken.items():
        (journals / f"{name}.journal").write_text(content, encoding="utf-8")
    (journals / "notes.journal").write_text("{}", encoding="utf-8")
    found = {one.id: one for one in saved_tallies(journals)}
    assert found.keys() == {session, *broken} and [one.id for one in found.values() if one.contents] == [session]
    assert "time is not valid" in found["20261103-dragon-citadel-eeee"].problem
    for name in broken:
        kept = find_tally(journals, name)
        assert kept and kept.problem
        with pytest.raises(VaultkitError, match="cannot be read") as raised:
            paper_of(kept, SHEETS)
        assert f"--discard {name}" in raised.value.hint
        discard(journals, name)
    assert find_tally(journals, "aaaa") is None and find_tally(journals, session[-4:])
    (journals / f"20251103-dragon-citadel-{session[-4:]}.journal").write_text("{}", encoding="utf-8")
    with pytest.raises(NothingFound, match="Several"):
        find_tally(journals, session[-4:])


def test_saved_scores_of_other_versions_use_the_current_house_rules(vault: Vault) -> None:
    session = log(vault).session
    path = vault.root / f".vaultkit/journals/{session}.journal"

    def paper() -> PaperGame:
        kept = find_tally(path.parent, session)
        assert kept
        return paper_of(kept, SHEETS)

    good, before = path.read_text(encoding="utf-8"), paper()
    for words in ('"max_bards":3', '"min_players":"many"'):
        path.write_text(good.replace('"min_players":3', words), encoding="utf-8")
        with pytest.raises(InvalidError, match=r"max_bards|many") as raised:
            paper()
        assert raised.value.where == str(path) and f"--discard {session}" in raised.value.hint
    path.write_text(re.sub(r'"min_players":3,', "", good), encoding="utf-8")
    assert paper() == before


def test_guest_name_is_matched_with_earlier_guests(vault: Vault) -> None:
    game = "---\nvaultkit-session: s-1\nplayers: [Sefa, Zoë d'Arc, '[[Ivo]]', Bot 1 (greedy)]\n---\n"
    (vault.root / "Old Game.md").write_text(game)
    (vault.root / "Captain Ilse.md").write_text("")
    found = guests(("Ilse", "Sfea", "Zoe d'Arc", "Ivvo", "Thea", "Bot"), vault.reopen())
    assert found == {
        "Ilse": "Captain Ilse",
        "Sfea": "Sefa",
        "Zoe d'Arc": "Zoë d'Arc",
        "Ivvo": "Ivo",
        "Thea": "",
        "Bot": "",
    }


def test_unclear_player_is_asked_about_or_reported(vault: Vault) -> None:
    names, told = ["Ysold", "Brm", "Tom"], list[str]()

    def seat(answers: Mapping[str, bool]) -> tuple[str, ...]:
        told.clear()
        people = People(vault, SETTINGS.players)
        return people.seat(names, "Skat", lambda name, _: answers.get(name), told.append)

    assert seat({"Ysold": True, "Brm": False}) == ("Ysolde Marr", "Brm", "Tom")
    assert told == [Says("Tom", "no note", "guest")]
    assert seat({}) == tuple(names) and told[0] == Says("Ysold", "no note", "guest", "Ysolde Marr")
