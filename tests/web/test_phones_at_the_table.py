"""Phones at the table: who plays for which seat, what the host may do, and what hostile clients are refused."""

from itertools import product
from pathlib import Path
from random import Random

import pytest

from tests.counts import some
from tests.web.phone_driver import PHONES, Phone, PhoneTable, Tap, begin_table, phone_table
from tests.wording import Says
from vaultkit import resources
from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.workspace import Workspace
from vaultkit.errors import WriteError
from vaultkit.games.registry import GAMES
from vaultkit.session.headers import EMPTY_MAPPING


@pytest.fixture(scope="module")
def workspace() -> Workspace:
    return Workspace(resources.shipped_folder("vault-example"), cached=False)


@pytest.fixture(scope="module")
def propheta(workspace: Workspace) -> GameNotes:
    return GameNotes.from_name(workspace, "propheta")


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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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


@pytest.mark.slow
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
            "why": Says("Everybody", "agrees", "last decision back"),
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


@pytest.mark.slow
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


def test_g_3_phone_that_chooses_ahead_sees_the_others_as_they_are(propheta: GameNotes, tmp_path: Path) -> None:
    with begin_table(propheta, tmp_path) as (_, phones):
        assert "prophecies to come" not in str(phones[2].scene()["regions"]["seats"]), "nobody has laid any"
        assert phones[2].order("offer", offer=0).status == 200
        assert str(phones[2].scene()["regions"]["seats"]).count("to come") == 1


@pytest.mark.slow
def test_g_14_party_concedes_on_phones_once_all_agree_or_plays_on(workspace: Workspace, tmp_path: Path) -> None:
    with begin_table(GameNotes.from_name(workspace, "dragon-citadel"), tmp_path) as (table, phones):
        assert "once all people have agreed" in phones[0].order("concede").json["why"]
        assert phones[0].order("concede", sure=True).status == 200
        table.host.publish()
        asks = [phone.scene()["regions"]["ask"] for phone in phones]
        assert ["b-agree" in ask for ask in asks] == [False, True, True] and all("b-play-on" in ask for ask in asks)
        assert phones[1].order("play-on").status == 200
        table.host.publish()
        assert all("b-play-on" not in phone.scene()["regions"]["ask"] for phone in phones)
        assert not table.game.session.outcome
        for phone in phones:
            assert phone.order("concede", sure=True).status == 200
        assert table.game.session.outcome


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
        keys = ("offer", "card", "words", "seat", "tale", "sure")
        for do, value, key in some([*product(deeds, values, keys)], 250):
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
        assert table.order("concede", sure=True).json["why"] == f"{names[seat]} decides, on their own phone."
        asks = phones[seat].order("concede").json
        assert asks == {"why": f"{names[seat]} gives up. The game ends at once. Is that right?", "sure": True}
        assert journal(table) == before
        assert phones[seat].order("concede", sure=True).status == 200
        outcome = table.game.session.outcome
        assert outcome and outcome.winners == (1 - seat,)
        table.host.publish()
        assert all("The game is over" in phone.scene()["regions"]["ask"] for phone in phones)
        assert "Conceded" in str(table.scene()["regions"])
