"""The newest session note of the GM on a given day."""

from datetime import date
from pathlib import Path

import pytest

from tests.vault.making import make_files
from vaultkit.campaign.log_target.gm_sessions import (
    date_order,
    find_newest_session,
    gm_sessions,
    search_terms,
    unreadable_session_remarks,
)
from vaultkit.errors import InvalidError
from vaultkit.settings import CampaignSettings, Settings
from vaultkit.vault import Vault

DAY = date(2026, 11, 3)
BY_MARK, IN_FOLDER = Settings(), Settings(campaign=CampaignSettings(sessions="Sessions/"))


def make(root: Path, **notes: str) -> Vault:
    """Write session notes given by name and frontmatter.

    In a name `_` stands for a space, `__` for a hyphen and `___` for a hyphen between spaces; a leading x is dropped.
    """
    names = {name: name.lstrip("x").replace("___", " - ").replace("__", "-").replace("_", " ") for name in notes}
    return make_files(root, {f"Sessions/{names[name]}.md": f"---\n{text}\n---\n" for name, text in notes.items()})


def newest_session(vault: Vault, settings: Settings = IN_FOLDER) -> str:
    return find_newest_session(vault, settings, DAY).facts.name


@pytest.mark.parametrize(
    ("notes", "expected"),
    [
        ({"a": "date: 2026-10-01", "b": "date: 2026-09-30"}, "a"),
        ({"a": "date: 2026-10-01", "b": "date: 2026-11-10"}, "a"),
        ({"a": "date: 2026-10-01", "b": "date: 2026-11-03"}, "b"),
        ({"a": "date: 2026-10-01T20:00", "b": "date: '[[2026-09-30]]'"}, "a"),
        ({"x2026__10__31_S": "x: 1", "a": "date: 2026-10-30"}, "2026-10-31 S"),
        ({"x2026__10__31_S": "date: 2026-01-01", "a": "date: 2026-10-30"}, "a"),
        ({"a": "date: 2026-10-01\nsession: 4", "b": "date: 2026-10-01\nsession: 3"}, "a"),
        ({"a": "date: 2026-10-01", "b": "date: 2026-10-01"}, "b"),
        ({"a": "session: 12", "b": "session: 9", "c": "session: yes"}, "a"),
        ({"a": "session: '12'", "b": "session: 9"}, "a"),
        ({"Session_9": "x: 1", "Session_10": "x: 1"}, "Session 10"),
        ({"x09_Ash": "x: 1", "x10_Bell": "x: 1", "Index": "x: 1"}, "10 Bell"),
        ({"a": "date: 2026-10-01", "Session_99": "x: 1"}, "a"),
        ({"a": "date: 2026-12-01", "Session_5": "x: 1"}, "Session 5"),
        ({"Session_12___The_Bridge": "x: 1", "Session_9___Ash": "x: 1"}, "Session 12 - The Bridge"),
        ({"a": "tags: [session/9]", "b": "tags: [session/12]", "c": "tags: [session/recap]"}, "b"),
        ({"a": "date: 2026-10-01", "b": "date: '{{date}}'\nsession: 99"}, "a"),
        ({"a": "session: 1", "b": "date: {{date}}\nsession: 99", "c": "date: <% tp.date.now() %>\nsession: 99"}, "a"),
        ({"a": "date: 2026-02-31\nsession: 3", "b": "session: 2"}, "a"),
    ],
)
def test_newest_session_note_that_is_not_later_is_chosen(tmp_path: Path, notes: dict[str, str], expected: str) -> None:
    assert newest_session(make(tmp_path, **notes)) == expected


@pytest.mark.parametrize(
    "date",
    [
        "28.10.2026", "2026/10/28", "October 28, 2026", "28 October 2026", "28. Oktober 2026", "28 octobre 2026",
        "28 de octubre de 2026", "28 października 2026", "2026-10-28T20:15:00", "2026-10-28 20:15", "28/10/2026",
        "'[[2026-10-28|Wednesday]]'", "['[[Daily/2026-10-28]]', x]", "Wed, 28 Oct 2026", "20261028",
    ],
)  # fmt: skip
def test_session_dates_are_read_like_log_dates(tmp_path: Path, date: str) -> None:
    notes = {"a": "date: 2026-10-01", "b": f"date: {date}", "c": "date: 2026-11-30"}
    assert newest_session(make(tmp_path, **notes)) == "b"


@pytest.mark.parametrize(
    "name",
    ["31.10.2026 Sitzung", "Session 2 (October 31, 2026)", "2026_10_31", "31-10-2026", "20261031 Recap", "31.10.26 Ash",
     "S2 - 31 Oct 2026", "2026/10/31", "2026年10月31日", "2026-10-31b"],
)  # fmt: skip
def test_dates_in_names_are_read_like_log_dates(tmp_path: Path, name: str) -> None:
    files: dict[str, str | bytes] = {f"Sessions/{one}.md": "" for one in ("01.10.2026 Sitzung 9", name, "03.12.2026")}
    assert find_newest_session(make_files(tmp_path, files), IN_FOLDER, DAY).facts.path == f"Sessions/{name}.md"


@pytest.mark.parametrize(
    ("notes", "expected"),
    [
        # the other notes tell that the day comes first, so that b is of 4 December; then that the month does
        ({"a": "date: 05/10/2026", "b": "date: 04/12/2026", "c": "date: 20/09/2026"}, "a"),
        ({"a": "date: 05/10/2026", "b": "date: 04/12/2026", "c": "date: 09/20/2026"}, "c"),
        ({"a": "date: 04/03/2026", "b": "date: 2026-10-01"}, "b"),  # either day is earlier
        ({"a": "date: 04/05/2026\nsession: 3", "b": "date: 2026-04-20\nsession: 4"}, "b"),  # the numbers tell
        ({"a": "date: 04/05/2026"}, "a"),
        ({"a": "date: 04/05/2026", "b": "date: 2026-04-01"}, "a"),  # either day is later
        ({"a": "date: 04/12/2026", "b": "date: 2026-04-01", "c": "date: 2026-03-01"}, None),  # April, or not yet
        ({"a": "date: 15 Flamerule 1492 DR\nsession: 3", "b": "date: 2 Mirtul 1492 DR\nsession: 4"}, "b"),
        ({"a": "date: 1492-03-15\nsession: 3", "x2026__10__01": "date: 1492-03-01"}, None),
        ({"a": "date: 04/05/2026", "b": "date: 2026-04-20"}, None),
        ({"a": "date: 04/05/2026", "b": "date: 2026-04-20", "c": "date: 13/1/2026", "d": "date: 1/13/2026"}, None),
        ({"a": "date: 28.10.", "b": "date: 2026-04-20"}, None),
        ({"a": "date: soon", "b": "date: 2026-04-20"}, "b"),
    ],
)
def test_unclear_date_is_refused_if_it_may_be_the_newest(
    tmp_path: Path, notes: dict[str, str], expected: str | None
) -> None:
    vault = make(tmp_path, **notes)
    if expected is not None:
        assert newest_session(vault) == expected
        return
    with pytest.raises(InvalidError, match="is not clear") as caught:
        newest_session(vault)
    assert caught.value.where == "Sessions/a.md"
    assert '--campaign "Sessions/a" or --campaign "Sessions/' in caught.value.hint


@pytest.mark.parametrize("name", ["28 лістапада 2026", "28.XI.2026", "2026 11 28", "Session 9 - 3 toukokuuta 2026"])
def test_a_name_with_a_date_in_another_language_is_refused(tmp_path: Path, name: str) -> None:
    files: dict[str, str | bytes] = {f"Sessions/{one}.md": "" for one in ("2026-10-01", "5 декабря 2025", name)}
    with pytest.raises(InvalidError, match="is not clear"):
        find_newest_session(make_files(tmp_path, files), IN_FOLDER, DAY)


@pytest.mark.parametrize("name", ["Session 9 (2026)", "Notes of 2026", "Session 9 2026", "2026 Session 9"])
def test_year_alone_is_not_a_date(tmp_path: Path, name: str) -> None:
    files: dict[str, str | bytes] = {f"Sessions/{one}.md": "" for one in ("2026-10-01", name)}
    assert find_newest_session(make_files(tmp_path, files), IN_FOLDER, DAY).facts.path == "Sessions/2026-10-01.md"


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("tags: [session]", True),
        ("tags: [Sessions]", True),
        ("tags: [session/recap]", True),
        ("session: 3", True),
        ("session: '[[Session 3]]'", False),
        ("session: [[Session 3]]", False),
        ("tags: [session]\nsession: '[[Session 3]]'", True),
        ("tags: [sessionzero]", False),
        ("tags: [game/session]", False),
        ("tags: [session]\nvaultkit-session: 20261103-x-abcd", False),
        ("tags: [session]\nvaultkit-reading: 20261103-x-abcd", False),
        ("tags: [session]\nobsidianUIMode: preview", False),
        ("tags: [session]\ncssclasses: [json5e-note]", False),
    ],
)
def test_notes_recognized_as_session_notes(tmp_path: Path, text: str, is_one: bool) -> None:
    assert bool(list(gm_sessions(make(tmp_path, a=text), BY_MARK))) is is_one


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("templates.json", '{"folder": "/templates/"}'),
        ("plugins/templater-obsidian/data.json", '{"templates_folder": "Templates"}'),
    ],
)
@pytest.mark.parametrize("settings", [BY_MARK, Settings(campaign=CampaignSettings(sessions="."))])
def test_template_of_the_gm_is_not_a_session_note(tmp_path: Path, name: str, said: str, settings: Settings) -> None:
    template = "---\ndate: 2026-11-01\nsession: 99\n---\n"
    files: dict[str, str | bytes] = {"Templates/S.md": template, "One.md": "---\nsession: 1\n---\n"}
    assert newest_session(make_files(tmp_path, files), settings) == "S"
    assert newest_session(make_files(tmp_path, {f".obsidian/{name}": said}), settings) == "One"


def test_missing_template_folder_does_not_exclude_the_vault(tmp_path: Path) -> None:
    make_files(tmp_path, {".obsidian/templates.json": '{"folder": "/"}', "One.md": "---\nsession: 1\n---\n"})
    assert newest_session(Vault(tmp_path), BY_MARK) == "One"


def test_session_folder_is_found_in_another_case(tmp_path: Path) -> None:
    assert (
        newest_session(make(tmp_path, a="session: 1"), Settings(campaign=CampaignSettings(sessions="SESSIONS"))) == "a"
    )


def test_folder_setting_replaces_session_marks(tmp_path: Path) -> None:
    vault = make_files(tmp_path, {"Else.md": "---\nsession: 9\n---\n", "Sessions/Deep/Session 2.md": "#x\n"})
    assert [one.facts.path for one in gm_sessions(vault, IN_FOLDER)] == ["Sessions/Deep/Session 2.md"]
    assert newest_session(vault, BY_MARK) == "Else"
    assert ["Sessions" in search_terms(settings) for settings in (IN_FOLDER, BY_MARK)] == [True, False]


@pytest.mark.parametrize(
    ("notes", "said"),
    [
        ({"a": "date: 2026-11-10", "b": "date: 2026-11-17"}, "dated 2026-11-03 or before"),
        ({"a": "title: x"}, "is not clear"),
        ({"a": "title: x", "b": "date: [2026"}, "properties of this session note cannot be read"),
        ({}, "no folder 'Sessions'"),
    ],
)
def test_missing_session_note_is_an_error_with_a_hint(tmp_path: Path, notes: dict[str, str], said: str) -> None:
    with pytest.raises(InvalidError, match=said) as caught:
        newest_session(make(tmp_path, **notes))
    assert "--campaign" in caught.value.hint and caught.value.where


def test_missing_session_folder_is_reported_with_the_nearest(tmp_path: Path) -> None:
    with pytest.raises(InvalidError, match="no folder 'Sitzung'") as caught:
        newest_session(
            make_files(tmp_path, {"A/Sitzungen/x.md": "", "Sitzungen/x.md": ""}),
            Settings(campaign=CampaignSettings(sessions="Sitzung")),
        )
    assert "'Sitzungen'" in caught.value.hint


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("Session 3", "---\ndate: [\nsession: 3\n---\n", True),
        ("Session 3", b"\xff\xfe\xff", True),
        ("Session 1", "---\ndate: [\n---\n", False),
        ("Session 3", "---\na: [\ndate: 2026-11-02\n---\n", False),
        ("Session 2026-12-01", "---\ndate: [\n---\n", False),
        ("Index 3", "---\ndate: [\n---\n", False),
        ("Session 3", "---\nsession: 3\n---\n", False),
    ],
)
@pytest.mark.parametrize("settings", [BY_MARK, IN_FOLDER])
def test_unreadable_note_that_may_be_newer_is_reported(
    tmp_path: Path, name: str, text: str | bytes, told: bool, settings: Settings
) -> None:
    vault = make_files(
        tmp_path, {f"Sessions/{name}.md": text, "Sessions/Session 2.md": "---\ndate: 2026-10-20\nsession: 2\n---\n"}
    )
    found = find_newest_session(vault, settings, DAY)
    remarks = list(unreadable_session_remarks(vault, settings, found, DAY))
    assert len(remarks) == told
    assert all(remark.startswith(f"Sessions/{name}.md cannot be read") for remark in remarks)


@pytest.mark.parametrize("folder", ["../out", ".obsidian", "a?b", "Log/NUL"])
def test_f4_invalid_session_folder_is_refused(tmp_path: Path, folder: str) -> None:
    with pytest.raises(InvalidError) as caught:
        newest_session(make(tmp_path), Settings(campaign=CampaignSettings(sessions=folder)))
    assert caught.value.where == f"campaign.sessions: {folder}" and caught.value.hint


@pytest.mark.parametrize(
    ("name", "number"),
    [("Sitzung 12", 12), ("Spielabend 12 - Der Turm", 12), ("セッション12", 12), ("第12回 塔", 12), ("Séance n° 3", 3),
     ("Сессия 9", 9), ("Kampagne Abend 7", 7), ("Sessie 4 de brug", 4), ("The 5 Towers", -1), ("Der 3 Turm", -1)],
)  # fmt: skip
def test_session_number_is_recognized_in_any_language(tmp_path: Path, name: str, number: int) -> None:
    vault = make_files(tmp_path, {f"S/{name}.md": ""})
    sessions = list(gm_sessions(vault, Settings(campaign=CampaignSettings(sessions="S"))))
    assert [session.number for session in sessions] == [number]


def test_session_notes_decide_the_order_of_day_and_month(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LC_ALL", "en_US.UTF-8")
    settings = Settings(campaign=CampaignSettings(sessions="S"))
    vault = make_files(tmp_path, {"S/a.md": "---\ndate: 03/11/2026\n---\n"})
    assert date_order(vault, settings) == "month"
    assert [session.day for session in gm_sessions(vault, settings)] == [date(2026, 3, 11)]
    vault = make_files(tmp_path, {"S/b.md": "---\ndate: 29/10/2026\n---\n"})
    assert date_order(vault, settings) == "day"
    assert [session.day for session in gm_sessions(vault, settings)] == [date(2026, 11, 3), date(2026, 10, 29)]
