"""Phones at the table: how people sit down, what the host may do, and what hostile clients are refused."""

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from random import Random

import pytest

from tests.counts import count
from tests.web.driver import Table
from tests.web.phone_driver import PHONES, Phone, PhoneTable, Tap, phone_table
from vaultkit import resources
from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import WriteError
from vaultkit.games.registry import GAMES
from vaultkit.session.headers import EMPTY_MAPPING
from vaultkit.web.lobby import Lobby, SeatRefused
from vaultkit.web.phone_routes import RateLimiter
from vaultkit.web.saved_tables import SavedTable
from vaultkit.web.seat_sessions import SeatSessions


class Clock:
    def __init__(self) -> None:
        self.now = 1_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(scope="module")
def workspace() -> Workspace:
    return Workspace(resources.shipped_folder("vault-example"), cached=False)


@pytest.fixture(scope="module")
def propheta(workspace: Workspace) -> GameNotes:
    return GameNotes.from_name(workspace, "propheta")


@contextmanager
def begin_table(
    found: GameNotes, folder: Path, people: int = 3, *, clock: Callable[[], float] | None = None, bots: int = 0
) -> Iterator[tuple[PhoneTable, list[Phone]]]:
    """Begin a game at a table with a phone in every seat."""
    table = phone_table(found, folder, people, clock=clock, bots=bots)
    with table.game.session:
        phones = [table.phone(seat) for seat in range(people)]
        table.begin()
        yield table, phones


def journal(table: PhoneTable) -> bytes:
    return table.game.session.path.read_bytes()


def hand_of(table: PhoneTable, seat: int) -> list[str]:
    """Return the titles of the cards that a seat holds."""
    session = table.game.session
    own = (zone for zone in session.game.table(session.view(seat)) if (zone.kind, zone.owner) == ("hand", seat))
    return [session.deck[card].title for zone in own for card in zone.cards]


def asked_seat(table: PhoneTable) -> int:
    prompt = table.game.session.prompt
    assert prompt
    return prompt.seat


def test_each_phone_takes_a_seat_by_name_with_the_same_code(propheta: GameNotes, tmp_path: Path) -> None:
    table = phone_table(propheta, tmp_path, 3)
    with table.game.session:
        code, first, second, third = table.code, Phone(table), Phone(table), Phone(table)
        assert [one["name"] for one in first.knock().json["seats"]] == ["Ysolde", "Bram", "Nettle"]
        late = second.knock().json["ticket"]
        assert first.take(1).status == 200
        assert table.code == code, "several people scan it at the same time"
        assert third.knock(code).status == 200
        assert second.post("/sit", {"ticket": late, "seat": 1}).status == 403, "somebody sits there"
        assert second.post("/sit", {"ticket": late, "seat": 0}).status == 200, (
            "who had scanned it before may still choose"
        )
        assert second.post("/sit", {"ticket": late, "seat": 2}).status == 403, "a ticket is for one seat"
        assert [one["free"] for one in third.knock().json["seats"]] == [False, False, True]
        cookie = third.post("/sit", {"ticket": third.knock().json["ticket"], "seat": 2}).headers["set-cookie"]
        assert cookie.endswith("; HttpOnly; Max-Age=57600; Path=/T/2/; SameSite=strict")
        signs = [table.lobby._seats[seat].sign for seat in range(3)]
        assert len(set(signs)) == 3
        assert all(sign in str(table.scene()) for sign in signs), "the screen shows what each phone shows"
        assert signs[1] in str(first.scene())
        assert signs[0] not in str(first.scene())


def test_nothing_is_dealt_before_the_host_starts_and_no_code_works_afterwards(
    propheta: GameNotes, tmp_path: Path
) -> None:
    table = phone_table(propheta, tmp_path, 2)
    with table.game.session as session:
        phone, code = table.phone(0), table.code
        ticket = Phone(table).knock().json["ticket"]
        assert table.page.go_on(watched=True) is None
        assert not session.steps
        assert phone.order("begin").status == 422, "only the host"
        table.begin()
        assert session.steps
        assert Phone(table).knock(code).status == 403
        assert Phone(table).post("/sit", {"ticket": ticket, "seat": 1}).status == 403


def test_hand_is_only_on_its_phone_and_on_the_screen_without_a_phone(propheta: GameNotes, tmp_path: Path) -> None:
    table = phone_table(propheta, tmp_path, 3)
    with table.game.session:
        phones = {seat: table.phone(seat) for seat in (0, 1)}
        table.begin()
        hands = {seat: hand_of(table, seat) for seat in range(3)}
        for seat, phone in phones.items():
            scene = str(phone.scene()["regions"]["hand"])
            assert all(title in scene for title in hands[seat])
            assert not any(
                f"'{title}'" in scene or f"'{title}," in scene
                for other in range(3)
                if other != seat
                for title in hands[other]
            )
        screen = str(table.scene()["regions"])
        assert not any(f"aria-label='{title}" in screen for hand in hands.values() for title in hand)
        rng = Random(1)
        while (seat := asked_seat(table)) in phones:
            assert table.order("uncover").status == 422, "the phone has that hand"
            table.play(phones, rng)
        assert seat == 2
        assert "Show the hand of Nettle" in str(table.scene())
        assert table.order("uncover").status == 200
        assert all(title in str(table.scene()["regions"]["hand"]) for title in hands[2])
        assert table.order("offer", offer=0, sure=True).status == 200


def test_phone_plays_for_its_own_seat_once_per_question(workspace: Workspace, tmp_path: Path) -> None:
    with begin_table(GameNotes.from_name(workspace, "turn-of-fate"), tmp_path, 2) as (table, phones):
        seat = asked_seat(table)
        other, question = phones[1 - seat], phones[seat].scene()["question"]
        before = journal(table)
        assert other.scene()["question"] is None
        stolen = {"do": "offer", "offer": 0, "question": question}
        assert other.post(f"{other.at}order", stolen).status == 409, "another one's question"
        assert other.post(f"{phones[seat].at}order", stolen).status == 403, "another one's address"
        assert other.order("offer", offer=0).status == 422
        assert table.order("offer", offer=0).status == 422, "nor does the screen"
        assert journal(table) == before
        assert phones[seat].post(f"{phones[seat].at}order", stolen).status == 200
        steps = len(table.game.session.steps)
        assert phones[seat].post(f"{phones[seat].at}order", stolen).status == 200, "sent twice, and counted once"
        assert len(table.game.session.steps) == steps


def test_page_gets_no_event_if_nothing_visible_has_changed(propheta: GameNotes, tmp_path: Path) -> None:
    with begin_table(propheta, tmp_path) as (table, phones):
        taps = [Tap.attach(client) for client in table.door.clients]
        table.game.invalidate()
        table.host.publish()
        assert [len(tap.sent) for tap in taps] == [1, 1, 1, 1], "the page alone, which they had before"
        seat = asked_seat(table)
        assert phones[seat].order("offer", offer=0).status == 200
        assert all(len(tap.sent) > 1 for tap in taps)


def test_phone_cannot_give_host_orders_or_open_pages_of_the_screen(propheta: GameNotes, tmp_path: Path) -> None:
    with begin_table(propheta, tmp_path) as (table, phones):
        before, phone = journal(table), phones[0]
        for do in (
            "pause",
            "go-on",
            "begin",
            "invite",
            "away",
            "bot",
            "person",
            "undo",
            "write-again",
            "finish",
            "uncover",
            "cover",
        ):
            for seat in (0, 1, None):
                assert phone.order(do, seat=seat, sure=True).status == 422, do
        assert journal(table) == before
        assert not (table.game.is_paused or table.game.bots or table.held.closed)
        for path in (table.at, f"{table.at}stream"):
            assert phone.get(path, cookie=table.cookie).status == 403, "the screen's own cookie, from the network"
            assert table.get(phone.at, cookie=phone.cookie).status == 403
        ways = [page.body.count(b"href='/'") for page in (phone.get(table.at), table.get(phone.at))]
        assert ways == [1, 0], "a phone whose seat is gone finds the way in"
        assert phone.post("/sit", {"token": table.door.new_code()}).status == 403, "a screen's code"
        assert table.post("/knock", {"token": "x"}).status == 404


def test_phone_site_serves_only_its_own_address_and_page(propheta: GameNotes, tmp_path: Path) -> None:
    with begin_table(propheta, tmp_path) as (table, phones):
        phone, seat = phones[asked_seat(table)], asked_seat(table)
        order = {"do": "offer", "offer": 0, "question": phone.scene()["question"]}
        before = journal(table)
        for host in ("127.0.0.1:8765", "192.168.1.20", "table.example:8765", "evil.example", "localhost:8765"):
            refused = phone.get(phone.at, host=host)
            assert (refused.status, f"http://{PHONES}/" in refused.json["why"]) == (421, True)
            assert phone.post(f"{phone.at}order", order, host=host, origin=f"http://{host}").status == 421
        for origin in (
            "",
            "null",
            "http://192.168.1.20",
            "http://192.168.1.20:8766",
            f"https://{PHONES}",
            "http://evil",
        ):
            assert phone.post(f"{phone.at}order", order, origin=origin).status == 403
            assert phone.post("/knock", {"token": "x"}, origin=origin).status == 403
        assert phone.post(f"{phone.at}order", order, content_type="text/plain").status == 415
        assert phone.post(f"{phone.at}order", b" " * 5_000).status == 413
        for cookie in ("", "seat=x", phones[(seat + 1) % 3].cookie):
            for path in ("", "stream"):
                assert phone.get(f"{phone.at}{path}", cookie=cookie).status == 403
            assert phone.post(f"{phone.at}order", order, cookie=cookie).status == 403
        assert journal(table) == before
        policy = phone.get(phone.at).headers["content-security-policy"]
        assert "default-src 'none'" in policy and "unsafe" not in policy


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


def test_objection_to_a_moved_seat_expires(propheta: GameNotes, tmp_path: Path) -> None:
    clock = Clock()
    with begin_table(propheta, tmp_path, clock=clock) as (table, phones):
        table.order("invite", seat=0)
        new = Phone(table)
        assert new.take(0, next(one.text for one in table.lobby._codes if one.seat == 0)).status == 200
        clock.now += 61
        assert phones[0].order("object").status == 422
        assert table.lobby.has_phone(0)


def test_host_removes_a_wrong_phone_which_then_learns_nothing_more(propheta: GameNotes, tmp_path: Path) -> None:
    with begin_table(propheta, tmp_path) as (table, phones):
        assert table.order("away", seat=1).json["sure"]
        assert table.order("away", seat=1, sure=True).status == 200
        table.host.publish()
        sent = phones[1].scene()
        assert "sent this phone away" in sent["regions"]["ask"]
        assert not any(sent["regions"][place] for place in ("hand", "middle", "offers", "seats", "side"))
        assert phones[1].order("offer", offer=0).status == 422
        assert phones[1].order("object").status == 422
        for seat in ("1", -1, 7, None, True, [1]):
            assert table.order("away", seat=seat, sure=True).status == 422


def test_bot_takes_over_a_seat_and_returns_it(propheta: GameNotes, tmp_path: Path) -> None:
    with begin_table(propheta, tmp_path, 2) as (table, phones):
        seat, steps = asked_seat(table), len(table.game.session.steps)
        assert table.order("bot", seat=seat).status == 200
        table.go_on()
        session = table.game.session
        assert asked_seat(table) != seat
        assert any(step.seat == seat for step in session.steps[steps:])
        assert phones[seat].scene()["question"] is None
        assert table.order("person", seat=seat).status == 200
        table.play(dict(enumerate(phones)), Random(1))
        while asked_seat(table) != seat:
            table.play(dict(enumerate(phones)), Random(1))
        assert phones[seat].scene()["question"]


def test_nobody_plays_during_a_pause_and_nothing_is_lost(propheta: GameNotes, tmp_path: Path) -> None:
    with begin_table(propheta, tmp_path) as (table, phones):
        before, phone = journal(table), phones[asked_seat(table)]
        assert table.order("pause").status == 200
        table.host.publish()
        assert "pause" in phone.scene()["regions"]["ask"].lower()
        assert phone.order("offer", offer=0).status == 422
        assert table.page.go_on(watched=True) is None
        assert journal(table) == before
        assert table.order("go-on").status == 200
        assert phone.order("offer", offer=0).status == 200


def test_host_undoes_only_what_all_agree_to(propheta: GameNotes, tmp_path: Path) -> None:
    with begin_table(propheta, tmp_path) as (table, phones):
        steps, seat = len(table.game.session.steps), asked_seat(table)
        assert phones[seat].order("offer", offer=0).status == 200
        assert table.order("undo").json == {
            "why": "Everybody agrees to take the last decision back. Is that right?",
            "sure": True,
        }
        undone = table.order("undo", sure=True)
        assert undone.status == 200, undone.body
        assert (len(table.game.session.steps), asked_seat(table)) == (steps, seat)


def test_move_that_cannot_be_saved_is_reported_to_the_phone_without_file_names(
    propheta: GameNotes, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise WriteError("The journal /home/gm/vault could not be written.")

    with begin_table(propheta, tmp_path) as (table, phones):
        phone = phones[asked_seat(table)]
        question = phone.scene()["question"]
        with monkeypatch.context() as patch:
            patch.setattr("vaultkit.session.journal.Journal.append", fail)
            refused = phone.order("offer", offer=0)
        table.host.publish()
        assert (refused.status, "could not be saved" in refused.json["why"]) == (422, True)
        assert not any("/home/gm" in str(one.scene()) for one in phones)
        assert "/home/gm" in str(table.scene()), "the host reads why"
        assert phone.scene()["question"] == question
        assert phone.order("offer", offer=0).status == 200


def shown_codes(page: Table) -> list[str]:
    """Return the codes that a page shows, as people type them."""
    return re.findall(r"class='typed'>([^<]+)<", "".join(page.scene()["regions"].values()))


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
        with pytest.raises(SeatRefused):
            moved.issue_ticket(table.code)


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
        assert "No phone has come" not in str(table.scene())
        clock.now += 61
        table.go_on()
        assert "No phone has come" in str(table.scene())


def test_seats_of_phones_are_saved_and_restored_at_the_same_address(propheta: GameNotes, tmp_path: Path) -> None:
    with begin_table(propheta, tmp_path, 2) as (table, phones):
        table.order("bot", seat=1)
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
        assert (phones[0].client.sign, lobby.is_open, table.game.bots) == (sign, False, {1})
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


def test_g_3_secret_choices_are_asked_of_all_at_once_and_submitted_in_seat_order(
    propheta: GameNotes, tmp_path: Path
) -> None:
    with begin_table(propheta, tmp_path) as (table, phones):
        session, kept = table.game.session, journal(table)
        assert all(phone.scene()["question"] for phone in phones), "nobody waits for the others"
        others = [seat for seat in range(3) if seat != asked_seat(table)]
        before = table.scene()["regions"]
        assert "Ysolde, Bram and Nettle decide" in before["ask"]
        assert phones[others[0]].order("hint").status == 200, "whoever is asked may ask back"
        for seat in reversed(others):
            laid = [phones[seat].scene()["question"]]
            while laid[-1]:
                assert phones[seat].order("offer", offer=0).status == 200
                laid.append(phones[seat].scene()["question"])
            assert len(set(laid)) == 5, "four prophecies, each asked once"
        table.go_on()
        assert journal(table) == kept, "nothing is submitted before its turn"
        after = table.scene()["regions"]
        assert "Ysolde decides" in after["ask"], "everybody sees whom they wait for"
        assert {name for name in after if after[name] != before[name]} == {"ask", "seats"}, "and nothing else"
        own = phones[others[0]].scene()["regions"]
        assert "Ysolde is choosing" in own["ask"]
        assert "Face down until all have chosen" in own["offers"]
        while session.prompt and session.prompt.secret:
            assert phones[asked_seat(table)].order("offer", offer=0).status == 200
            table.go_on()
        chosen = [step.seat for step in session.steps if step.move.verb == "predict"]
        assert "Face down" not in str(phones[others[0]].scene()), "once all have chosen"
        assert chosen == sorted(chosen) == [0] * 4 + [1] * 4 + [2] * 4


@pytest.mark.slow
@pytest.mark.parametrize("game", [game for game, info in GAMES.items() if info.game])
def test_whole_game_is_played_on_phones_and_no_phone_learns_note_paths(
    workspace: Workspace, tmp_path: Path, game: str
) -> None:
    people = min(3, GAMES[game].rules().seats[1])
    table = phone_table(GameNotes.from_name(workspace, game), tmp_path, people, EMPTY_MAPPING)
    with table.game.session as session:
        phones = {seat: table.phone(seat) for seat in range(people)}
        table.begin()
        rng = Random(3)
        while not session.outcome:
            table.play(phones, rng)
        assert table.held.over
        for phone in phones.values():
            scene = str(phone.scene())
            assert "win" in scene.lower() or "lose" in scene.lower() or "over" in scene
            assert "obsidian://" not in scene
            assert str(session.header.seed) not in scene or session.header.seed < 100
        assert table.order("finish").status == 200
        assert table.held.closed


@pytest.mark.slow
def test_no_order_of_a_phone_stops_the_table(propheta: GameNotes, tmp_path: Path) -> None:
    values = ("", "x" * 3_000, "\ud800", "{c0}", None, True, -1, 2**70, 1.5, [], [[1]], {}, {"do": 1})
    deeds = ("offer", "move", "object", "who", "why", "rule", "ask", "undo", "pause", "away", "", "\ud800")
    with begin_table(propheta, tmp_path) as (table, phones):
        steps, phone = len(table.game.session.steps), phones[asked_seat(table)]
        for do in deeds:
            for value in values:
                for key in ("offer", "card", "words", "seat", "tale", "sure"):
                    if do != "offer" or key != "offer":
                        given = {"offer": 999, key: value} if do == "offer" else {key: value}
                        assert phone.order(do, **given).status in {200, 409, 422}, (do, key, value)
        assert len(table.game.session.steps) == steps


def test_g_14_a_phone_concedes_for_its_own_seat_after_one_more_question(workspace: Workspace, tmp_path: Path) -> None:
    with begin_table(GameNotes.from_name(workspace, "turn-of-fate"), tmp_path, 2) as (table, phones):
        seat = asked_seat(table)
        names, before = table.game.names, journal(table)
        assert all("data-do='concede'" in phone.scene()["regions"]["side"] for phone in phones)
        assert "data-do='concede'" in table.scene()["regions"]["top"]
        assert phones[1 - seat].order("concede").json["why"].startswith(f"It is the turn of {names[seat]}, not of")
        assert phones[1 - seat].order("concede", seat=seat, sure=True).status == 422, "a phone speaks for its own seat"
        assert table.order("concede", sure=True).json["why"] == f"{names[seat]} decides, on the own phone."
        asks = phones[seat].order("concede").json
        assert asks == {"why": f"{names[seat]} gives up. The game ends at once. Is that right?", "sure": True}
        assert journal(table) == before
        assert phones[seat].order("concede", sure=True).status == 200
        outcome = table.game.session.outcome
        assert outcome and outcome.winners == (1 - seat,)
        table.host.publish()
        assert all("The game is over" in phone.scene()["regions"]["ask"] for phone in phones)
        assert "Conceded" in str(table.scene()["regions"])
