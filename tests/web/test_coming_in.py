"""Coming in with a phone: mistyped addresses, probes of a Wi-Fi, codes, latecomers, and seats that were saved."""

import re
from pathlib import Path
from random import Random

import pytest

from tests.counts import count
from tests.web.driver import Table
from tests.web.phone_driver import PHONES, Clock, Phone, begin_table, phone_table
from tests.wording import Says
from vaultkit import resources
from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.workspace import Workspace
from vaultkit.host.game_host import GameHost
from vaultkit.web.lobby import Lobby, OrderRefused
from vaultkit.web.phone_routes import RateLimiter
from vaultkit.web.saved_tables import SavedTable
from vaultkit.web.seat_sessions import SeatSessions


@pytest.fixture(scope="module")
def fate() -> GameNotes:
    return GameNotes.from_name(Workspace(resources.shipped_folder("vault-example"), cached=False), "turn-of-fate")


@pytest.fixture(scope="module")
def propheta() -> GameNotes:
    return GameNotes.from_name(Workspace(resources.shipped_folder("vault-example"), cached=False), "propheta")


@pytest.mark.short(4)
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


@pytest.mark.slow
def test_latecomer_sits_down_with_the_code_of_a_seat_and_plays_on(fate: GameNotes, tmp_path: Path) -> None:
    table = phone_table(fate, tmp_path, 2)
    with table.game.session as session:
        phones, lobby_code = {0: table.phone(0)}, table.code
        table.begin()
        late = Phone(table)
        refused = late.knock(lobby_code)
        assert (refused.status, "big screen" in refused.json["why"]) == (403, True)
        assert b"join.js" in late.get("/").body
        assert "With Code, a player can join late" in table.scene()["regions"]["side"]
        assert table.order("invite", seat=1).status == 200
        invited = next(one for one in table.lobby._codes if one.seat == 1)
        assert invited.typed in table.scene()["regions"]["side"].replace("-", "")
        assert late.take(1, invited.typed).status == 200
        phones[1] = late
        steps = len(session.steps)
        for _ in range(4):
            table.play(phones, Random(1))
        assert len(session.steps) > steps


@pytest.mark.slow
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


@pytest.mark.slow
def test_seat_moves_to_another_phone_by_a_one_minute_code_and_the_old_one_may_object(
    propheta: GameNotes, tmp_path: Path
) -> None:
    clock = Clock()
    with begin_table(propheta, tmp_path, clock=clock) as (table, phones):
        old = phones[0]
        assert old.order("move").status == 200
        code = next(one.text for one in table.lobby._codes if one.seat == 0)
        assert all(code not in str(one.scene()) for one in phones[1:])
        clock.now += 61
        assert Phone(table).knock(code).status == 403, "a minute is over"
        assert table.order("invite", seat=0).status == 200
        code = next(one.text for one in table.lobby._codes if one.seat == 0)
        thief = Phone(table)
        assert [one["name"] for one in thief.knock(code).json["seats"]] == ["Ysolde"]
        assert thief.take(1, code).status == 403, "for that seat alone"
        assert thief.take(0, code).status == 200
        assert Phone(table).knock(code).status == 403
        hand = thief.scene()["regions"]["hand"]
        assert "aria-label" in hand
        table.host.publish()
        gone = old.scene()
        assert "moved to another phone" in gone["regions"]["ask"]
        assert (gone["regions"]["hand"], gone["regions"]["seats"], gone["regions"]["side"]) == ("", "", "")
        assert old.order("who").status == 422
        assert old.order("object").status == 200
        assert (thief.scene()["regions"]["hand"], table.lobby.has_phone(0)) == ("", False)
        assert "objects" in str(table.scene())
        assert thief.order("offer", offer=0).status == 422
        assert thief.order("object").status == 422, "not the one that has lost it so"


@pytest.mark.slow
def test_objection_to_a_moved_seat_expires(propheta: GameNotes, tmp_path: Path) -> None:
    clock = Clock()
    with begin_table(propheta, tmp_path, clock=clock) as (table, phones):
        table.order("invite", seat=0)
        new = Phone(table)
        assert new.take(0, next(one.text for one in table.lobby._codes if one.seat == 0)).status == 200
        clock.now += 61
        assert phones[0].order("object").status == 422
        assert table.lobby.has_phone(0)


def shown_codes(page: Table) -> list[str]:
    """Return the codes that a page shows, as people type them."""
    return re.findall(r"class='typed'>([^<]+)<", "".join(page.scene()["regions"].values()))


@pytest.mark.slow
def test_wrong_codes_are_slowed_for_their_address_and_the_code_shown_stays_valid(
    propheta: GameNotes, tmp_path: Path
) -> None:
    clock = Clock()
    table = phone_table(propheta, tmp_path, 2)
    table.phones._wrong_codes = RateLimiter(10, 0.5, clock)
    with table.game.session:
        phone, other, typed = Phone(table), Phone(table), table.lobby._codes[0].typed
        other.address = "192.168.1.78"
        assert phone.knock(f"{typed[:4]}-{typed[4:]}".upper()).status == 200, "as it is typed"
        wrong = [phone.knock("bcdf-ghjk").status for _ in range(400)]
        assert wrong == [403] * 10 + [429] * 390
        assert phone.knock(typed).status == 429, "else a guess could not be slowed"
        assert phone.knock(table.code).status == 200, "the picture cannot be guessed"
        assert shown_codes(table) == [f"{typed[:4]}-{typed[4:]}"]
        assert [other.knock(shown).status for shown in shown_codes(table) * 30] == [200] * 30, "nobody else waits"
        clock.now += 3
        assert phone.knock(typed).status == 200
        table.begin()
        assert (shown_codes(table), other.knock(typed).status) == ([], 403)


@pytest.mark.slow
def test_every_seat_code_shown_on_a_page_is_always_valid(propheta: GameNotes, tmp_path: Path) -> None:
    clock = Clock()
    with begin_table(propheta, tmp_path, clock=clock) as (table, phones):
        assert phones[0].order("move").status == 200
        clock.now += 30
        assert table.order("invite", seat=0).status == 200
        assert table.order("invite", seat=1).status == 200
        seen, looks = [], count(50, 200)
        for _ in range(looks):
            clock.now += 100 / looks
            table.go_on()
            codes = [code for page in (table, *phones) for code in shown_codes(page)]
            assert all(Phone(table).knock(code).status == 200 for code in codes)
            seen.append(len(codes))
        assert (seen[0], min(seen), seen[-1]) == (3, 0, 0)
        assert phones[0].order("move").status == 200
        [code] = shown_codes(phones[0])
        assert not shown_codes(table), "the big screen does not show it"
        assert phones[0].order("stay").status == 200
        assert (shown_codes(phones[0]), Phone(table).knock(code).status) == ([], 403)


def test_lobby_code_is_the_same_when_the_table_is_reopened(propheta: GameNotes, tmp_path: Path) -> None:
    table, kept = phone_table(propheta, tmp_path, 2), SavedTable(tmp_path / "kept" / "table.json")
    with table.game.session:
        table.phone(1)
        kept.save("T", 8765, [], lambda _: None, table.lobby.keeps)
        again = Lobby({0: "Ysolde", 1: "Bram"}, SavedTable(tmp_path / "kept" / "table.json").phones)
        again.game = table.game
        again.open_at(SeatSessions("T"), f"http://{PHONES}/")
        ticket, _ = again.issue_ticket(table.code)
        assert ticket
        moved = Lobby({0: "Ysolde", 1: "Bram"}, SavedTable(tmp_path / "kept" / "table.json").phones)
        moved.game = table.game
        moved.open_at(SeatSessions("T"), "http://192.168.1.99:8765/")
        with pytest.raises(OrderRefused):
            moved.issue_ticket(table.code)


@pytest.mark.slow
def test_invalid_codes_are_rejected(propheta: GameNotes, tmp_path: Path) -> None:
    table = phone_table(propheta, tmp_path, 2)
    table.phones._wrong_codes.try_acquire = lambda _: True  # type: ignore[method-assign]
    with table.game.session:
        phone = Phone(table)
        for value in ({}, [], {"token": None}, {"token": "é\ud800"}, b"{", b"\xff", b"[" * 3_000):
            assert phone.post("/knock", value).status in {403, 422}
            assert phone.post("/sit", value).status in {403, 422}
        for seat in (-1, 2, "0", None, True, [0], 1.0):
            ticket = phone.knock().json["ticket"]
            assert phone.post("/sit", {"ticket": ticket, "seat": seat}).status == 403


def test_too_many_attempts_have_to_wait() -> None:
    clock = Clock()
    rates = RateLimiter(3, 0.5, clock)
    assert [rates.try_acquire("a") for _ in range(5)] == [True, True, True, False, False]
    assert rates.try_acquire("b"), "each for itself"
    clock.now += 2
    assert [rates.try_acquire("a") for _ in range(2)] == [True, False]
    clock.now -= 3_600
    assert not rates.try_acquire("a"), "a clock that jumps back gives nothing away"
    for number in range(5_000):
        rates.try_acquire(str(number))
    assert len(rates._buckets) <= 1_000


def test_screen_explains_possible_causes_after_a_minute_without_a_phone(propheta: GameNotes, tmp_path: Path) -> None:
    clock = Clock()
    table = phone_table(propheta, tmp_path, 2, clock=clock)
    with table.game.session:
        table.page.go_on(watched=True)
        assert "No phone has joined" not in str(table.scene())
        clock.now += 61
        table.go_on()
        assert "No phone has joined" in str(table.scene())
        table.lobby.open_at(table.door, "http://127.0.0.1:8765/")
        clock.now += 61
        table.go_on()
        middle = table.scene()["regions"]["middle"]
        assert middle == Says("Only this computer", "no phone can join") and "No phone has joined" not in middle


def test_seats_of_phones_are_saved_and_restored_at_the_same_address(propheta: GameNotes, tmp_path: Path) -> None:
    with begin_table(propheta, tmp_path, 2) as (table, phones):
        table.game.lend(1, "hard")
        kept = SavedTable(tmp_path / "kept.json")
        kept.save("T", 8765, [], print, table.lobby.keeps)
        sign, text = phones[0].client.sign, (tmp_path / "kept.json").read_text()
        assert phones[0].cookie.partition("=")[2] not in text, "only its hash is kept"
        again = SavedTable(tmp_path / "kept.json").phones
        assert again
        assert again == table.lobby.keeps
        table.door.forget(phones[0].client.key)
        table.order("person", seat=1)
        assert not table.game.bots
        lobby = Lobby(table.lobby.people, again)
        lobby.game = table.game
        lobby.open_at(table.door, again.base)
        assert (phones[0].client.sign, lobby.is_open, table.game.bots) == (sign, False, {1: "hard"})
        assert lobby.seat_of(phones[0].client) == 0
        elsewhere = Lobby(table.lobby.people, again)
        elsewhere.game = table.game
        elsewhere.open_at(table.door, "http://192.168.7.7:8765/")
        assert (elsewhere.is_open, elsewhere.clients) == (True, ())
        assert "address has changed" in elsewhere.news


@pytest.mark.parametrize("text", ['{"phones": 1}', '{"phones": {"base": 1, "seats": [], "bots": 1}}', '{"phones": {}}'])
def test_invalid_saved_phones_are_ignored(tmp_path: Path, text: str) -> None:
    (tmp_path / "kept.json").write_text(text)
    assert SavedTable(tmp_path / "kept.json").phones is None
