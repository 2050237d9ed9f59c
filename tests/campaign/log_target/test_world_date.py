"""The date in the game world, as the GM wrote it, in the notes of games."""

from datetime import date

import pytest

from tests.campaign.log_target.test_line_target import log_draw
from tests.campaign.samples import log
from tests.vault.making import make_files
from vaultkit.campaign.log_target.gm_sessions import find_world_date
from vaultkit.settings import CampaignSettings, Settings
from vaultkit.vault import Vault

pytestmark = pytest.mark.usefixtures("trusting")


def settings(**campaign: str) -> Settings:
    return Settings(campaign=CampaignSettings(**{"note": "Campaign Log", **campaign}))


def world_date(vault: Vault, **campaign: str) -> dict[str, str]:
    return dict(
        find_world_date(Vault(vault.root), settings(**campaign), "Campaign Log.md", date(2026, 11, 3)).properties
    )


def session(vault: Vault, text: str, name: str = "One", day: str = "2026-10-31") -> None:
    make_files(vault.root, {f"S/{name}.md": f"---\ndate: {day}\nsession: 1\n{text}\n---\n"})


@pytest.mark.parametrize(
    ("written", "expected"),
    [
        ("fc-date: 1492-03-14", {"fc-date": "1492-03-14"}),
        ("fc-date: 1492-Mirtul-14\nfc-calendar: Harptos", {"fc-date": "1492-Mirtul-14", "fc-calendar": "Harptos"}),
        ("FC-Date: '1492-03-14'", {"fc-date": "1492-03-14"}),
        ("fc-date: {year: 1492, month: Mirtul, day: 14}", {"fc-date": "1492-Mirtul-14"}),
        ("fc-date:\n  day: 4\n  month: 3\n  year: 1492", {"fc-date": "1492-3-4"}),
        ("fc-date: {year: 1492}", {}),
        ("fc-date: []", {}),
        ("fc-start: 1492-03-14\nfc-end: 1492-03-16\nfc-category: Play", {"fc-date": "1492-03-14"}),
        ("fc-date: {month: 3, day: 14}", {}),
        (
            "fc-calendar: [Harptos, Bells]\nfc-date:\n  - {year: 1492, month: 3, day: 4}\n  - {year: 7, month: 1}",
            {"fc-date": "1492-3-4", "fc-calendar": "Harptos"},
        ),
        ("fc-date:", {}),
        ("fc-calendar: Harptos", {}),
        ("in-world: 14 Mirtul", {}),
    ],
)
def test_world_date_is_copied_from_the_newest_session_note(
    vault: Vault, written: str, expected: dict[str, str]
) -> None:
    session(vault, written)
    assert world_date(vault) == expected


def test_note_of_a_game_has_the_world_date_as_text(vault: Vault) -> None:
    session(vault, "fc-date: {year: 1492, month: 3, day: 4}\nfc-calendar: 'Harptos: [[x]]'")
    note = Vault(vault.root).read(log(Vault(vault.root), settings=settings()).note)
    assert (note.property("fc-date"), note.property("fc-calendar")) == ("1492-3-4", "Harptos: [x]")
    assert note.problems == ()


def test_note_of_a_draw_has_the_world_date_too(vault: Vault) -> None:
    session(vault, "fc-date: 1492-03-14\nfc-calendar: 'Harptos: [[x]]'")
    note = Vault(vault.root).read(log_draw(vault, settings()).note)
    assert (note.property("fc-date"), note.property("fc-calendar")) == ("1492-03-14", "Harptos: [x]")
    assert note.problems == ()


@pytest.mark.parametrize(
    ("day", "said"), [("2026-10-31", "still that of S/One.md (2026-10-31): 1492"), ("2026-11-03", "")]
)
def test_world_date_of_an_earlier_day_is_reported(vault: Vault, day: str, said: str) -> None:
    session(vault, "fc-date: 1492-03-14", day=day)
    remark = find_world_date(Vault(vault.root), settings(), "", date(2026, 11, 3)).remark
    assert said in remark and bool(said) == bool(remark)
    assert log_draw(vault, settings(in_world="")).remarks == ()


def test_only_the_configured_property_is_copied(vault: Vault) -> None:
    session(vault, 'in-world: "Seventh Peal, 14: [[Bell]]"\nfc-calendar: Harptos')
    assert world_date(vault, in_world="in-world") == {"in-world": "Seventh Peal, 14: [[Bell]]"}


def test_note_of_the_line_is_preferred_for_the_world_date(vault: Vault) -> None:
    session(vault, "fc-date: 1492-01-01")
    log_note = vault.root / "Campaign Log.md"
    log_note.write_bytes(log_note.read_bytes().replace(b"---\n", b"---\nfc-date: 1500-01-01\n", 1))
    assert world_date(vault) == {"fc-date": "1500-01-01"}


def test_future_or_missing_session_gives_no_world_date(vault: Vault) -> None:
    assert world_date(vault) == {}
    session(vault, "fc-date: 1492-02-02", "Next", "2026-11-10")
    assert world_date(vault) == {}


def test_world_date_can_be_disabled(vault: Vault) -> None:
    session(vault, "fc-date: 1492-01-01")
    assert world_date(vault, in_world="") == {}


def test_template_of_the_gm_may_use_the_world_date_in_the_line(vault: Vault) -> None:
    session(vault, "fc-date: 1492-Mirtul-14")
    line = (
        "- {{ link }} {% for seat in seats %}{{ seat.text }} {% endfor %}on {{ in_world['fc-date'] | md }} ^{{ block }}"
    )
    make_files(vault.root, {".vaultkit/templates/log-line.md.j2": line})
    log(Vault(vault.root), settings=settings())
    assert " on 1492-Mirtul-14 ^vk-" in (vault.root / "Campaign Log.md").read_text("utf-8")


@pytest.mark.parametrize("name", ["Date", "score-ysolde-marr"])
def test_property_that_our_notes_already_have_is_renamed(vault: Vault, name: str) -> None:
    make_files(vault.root, {"Campaign Log.md": f"---\n{name}: 14 Mirtul 1492\n---\n"})
    note = Vault(vault.root).read(log(Vault(vault.root), settings=settings(in_world=name)).note)
    assert (note.property("in-world"), note.property("date")) == ("14 Mirtul 1492", "2026-11-03")
    assert note.problems == ()
