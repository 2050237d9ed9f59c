"""Coming in with a phone: mistyped addresses, the probes of phones for the pages of a wifi, heads, and latecomers."""

from pathlib import Path
from random import Random

import pytest

from tests.web.phone_driver import Phone, phone_table
from vaultkit import resources
from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.workspace import Workspace
from vaultkit.host.game_host import GameHost


@pytest.fixture(scope="module")
def fate() -> GameNotes:
    return GameNotes.from_name(Workspace(resources.shipped_folder("vault-example"), cached=False), "turn-of-fate")


@pytest.mark.parametrize(
    "path",
    [
        "/generate_204", "/gen_204", "/hotspot-detect.html", "/library/test/success.html", "/ncsi.txt",
        "/connecttest.txt", "/canonical.html", "/success.txt?ipv4", "/index.html", "/Join", "/knock", "/sit", "/%ff",
        "//", "/T/0/nothing", "/favicon.ico", "/robots.txt",
    ],
)  # fmt: skip
def test_mistyped_address_and_probe_of_a_phone_lead_to_the_entrance(fate: GameNotes, tmp_path: Path, path: str) -> None:
    table = phone_table(fate, tmp_path, 2)
    with table.game.session:
        stranger = Phone(table)
        for method in ("GET", "HEAD"):
            answer = stranger.ask(method, path, {})
            assert (answer.status, answer.headers.get("location")) in ((303, "/"), (405, None)), method
        entrance = stranger.get("/")
        assert entrance.status == 200 and b"id='typing'" in entrance.body


def test_head_says_whether_a_phone_still_has_its_seat(fate: GameNotes, tmp_path: Path) -> None:
    table = phone_table(fate, tmp_path, 2)
    with table.game.session:
        phone = table.phone(0)
        assert phone.ask("HEAD", phone.at, {}).status == 200
        assert Phone(table).ask("HEAD", phone.at, {}).status == 403
        assert table.order("away", seat=0, sure=True).status == 200
        assert phone.ask("HEAD", phone.at, {}).status in (200, 403)
        assert "You have no seat" in str(phone.scene()), "its page says so, and opens no other hand"


def test_latecomer_sits_down_with_the_code_of_a_seat_and_plays_on(fate: GameNotes, tmp_path: Path) -> None:
    table = phone_table(fate, tmp_path, 2)
    with table.game.session as session:
        phones, lobby_code = {0: table.phone(0)}, table.code
        table.begin()
        late = Phone(table)
        refused = late.knock(lobby_code)
        assert (refused.status, "big screen" in refused.json["why"]) == (403, True)
        assert b"join.js" in late.get("/").body
        assert "Code lets somebody sit down late" in table.scene()["regions"]["side"]
        assert table.order("invite", seat=1).status == 200
        invited = next(one for one in table.lobby._codes if one.seat == 1)
        assert invited.typed in table.scene()["regions"]["side"].replace("-", "")
        assert late.take(1, invited.typed).status == 200
        phones[1] = late
        steps = len(session.steps)
        for _ in range(4):
            table.play(phones, Random(1))
        assert len(session.steps) > steps


def test_phones_go_on_in_the_next_game_which_only_the_host_begins(fate: GameNotes, tmp_path: Path) -> None:
    table = phone_table(fate, tmp_path / "first", 2)
    host = table.game
    assert isinstance(host, GameHost)
    following = phone_table(fate, tmp_path / "second", 2).game
    host.open_again = lambda: (following.session, following.advice, following._recorder)  # type: ignore[attr-defined]
    with table.game.session as session, following.session:
        phones = {seat: table.phone(seat) for seat in (0, 1)}
        table.begin()
        while not session.outcome:
            table.play(phones, Random(2))
        over = phones[0].scene()
        assert "at the big screen" in over["regions"]["ask"] and "o-next" not in str(over)
        assert "o-next" in table.scene()["regions"]["offers"]
        assert phones[0].order("next").status == 422
        assert host.session is session
        assert table.order("next").status == 200
        table.go_on()
        assert host.session is following.session
        assert "id='end'" not in str([phone.scene() for phone in phones.values()])
        table.play(phones, Random(2))
        assert following.session.steps
