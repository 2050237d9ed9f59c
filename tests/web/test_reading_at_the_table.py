"""A reading at the table: who may ask what, and what is shown and written when."""

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from tests.web.driver import Table
from tests.wording import Says
from vaultkit import resources
from vaultkit.campaign.log import LogResult
from vaultkit.campaign.reading import Reading, lay_reading
from vaultkit.campaign.workspace import Workspace
from vaultkit.compendium.spreads import Spreads
from vaultkit.errors import WriteError
from vaultkit.host.reading_host import ReadingHost
from vaultkit.web import routes, seat_sessions

LOGGED = LogResult("Games/Reading.md", "Log.md", ("Games/Reading.md", "Log.md"), "")


@pytest.fixture(scope="module")
def reading() -> Reading:
    workspace = Workspace(resources.shipped_folder("vault-example"), cached=False)
    spread = Spreads(workspace.vault).find("past, present, future")
    return lay_reading(spread, workspace.deck("tarokka"), seed=7, now=datetime(2026, 11, 3, tzinfo=UTC))


class Logs:
    """A log that writes nothing and counts the calls that succeed."""

    def __init__(self, *errors: Exception) -> None:
        self.calls = 0
        self.cards: list[tuple[str, str]] = []
        self._errors = list(errors)

    def __call__(self, opened: Reading) -> LogResult:
        if self._errors:
            raise self._errors.pop(0)
        self.calls += 1
        self.cards = [(position.name, entry.card.id) for position, entry in opened.positions_with_cards]
        return LOGGED


def table_of(
    reading: Reading, log: Callable[[Reading], LogResult] | None = None, pictured: tuple[str, ...] = ()
) -> Table:
    return Table(ReadingHost(reading, Path("/vault"), log), pictured).sit()


@pytest.mark.slow
def test_a_reading_is_turned_card_by_card_and_logged_once_at_its_end(reading: Reading) -> None:
    log = Logs()
    table = table_of(reading, log)
    first, second, third = (entry.card for entry in reading.cards)
    assert not any(card.name in str(table.scene()) for card in (first, second, third)), "all lie face down"
    assert table.order("turn", card=2).status == 200
    assert second.name in str(table.scene()), "the one that was chosen"
    assert table.order("turn").status == 200
    scene = table.scene()
    assert first.name in str(scene), "the next one"
    assert first.name in scene["say"]
    assert third.name not in str(scene)
    assert log.calls == 0
    assert not table.held.over
    table.order("turn")
    assert log.calls == 1
    assert table.held.over
    assert "Games/Reading.md" in str(table.scene())
    assert table.order("turn", card=1).status == 422, "all lie open"
    assert not table.held.closed
    table.order("finish")
    assert table.held.closed
    assert log.calls == 1


def test_host_may_end_a_reading_early_and_one_without_seen_cards_is_not_logged(reading: Reading) -> None:
    log = Logs()
    table = table_of(reading, log)
    table.order("turn", card=2)
    warning = table.order("finish")
    assert warning.json["why"] == Says("2 cards", "face down", "only turned cards", "written")
    assert (warning.status, log.calls) == (422, 0)
    table.order("finish", sure=True)
    assert (log.calls, table.held.over, table.held.closed) == (1, True, False)
    position, entry = reading.positions_with_cards[1]
    assert log.cards == [(position.name, entry.card.id)], "cards that nobody has turned are not written down"
    assert str(table.scene()) == Says("reading has ended", "card stays face down")
    unlogged = table_of(reading)
    unlogged.order("turn")
    assert unlogged.order("finish").json["why"].startswith("2 cards still face down. Is")
    untouched = table_of(reading, log)
    untouched.order("finish")
    assert (log.calls, untouched.held.closed) == (1, True)


def test_reading_that_cannot_be_logged_is_reported_to_all_and_written_again(reading: Reading) -> None:
    log = Logs(WriteError("The disk is full."), WriteError("The disk is still full."))
    table = table_of(reading, log)
    other = Table.sit(table)
    for _ in reading.cards:
        assert table.order("turn").status == 200
    assert "The disk is full." in str(other.scene())
    assert table.order("turn").status == 422, "it has ended"
    assert table.order("write-again").status == 200
    assert "still full" in str(other.scene()) and "Not written: the notes." in str(other.scene())
    assert table.order("write-again").status == 200
    assert (log.calls, table.held.over, table.held.closed) == (1, True, False)
    assert "The disk" not in str(table.scene())


def test_old_question_changes_nothing_and_a_repeated_order_counts_once(reading: Reading) -> None:
    table = table_of(reading)
    question = table.scene()["question"]
    order = {"question": question, "do": "turn", "card": 3}
    assert [table.post(f"{table.at}order", order).status for _ in range(2)] == [200, 200]
    old = table.post(f"{table.at}order", {"question": question, "do": "turn"})
    assert old.status == 409
    assert old.json["scene"] == {**table.scene(), "say": old.json["scene"]["say"]}
    assert str(table.scene()).count("face down") == 2


@pytest.mark.parametrize(
    "order",
    [b"", b"[]", b"{", b'{"do": 1}', b"\xff", b"[" * 3_000, b'{"do": "turn", "question": []}', b'{"do":"dance"}'],
)
def test_invalid_order_changes_nothing(reading: Reading, order: bytes) -> None:
    table = table_of(reading)
    assert table.post(f"{table.at}order", order).status in {409, 422}
    assert not table.held.is_begun  # type: ignore[attr-defined]


@pytest.mark.parametrize("card", [0, 4, -1, 1.5, "1", [1], True])
def test_only_cards_of_the_spread_can_be_turned(reading: Reading, card: object) -> None:
    table = table_of(reading)
    assert (table.order("turn", card=card).status, str(table.scene()).count("face down")) == (422, 3)


def test_table_serves_only_its_own_address_and_page(reading: Reading) -> None:
    table = table_of(reading)
    page, order = table.at, f"{table.at}order"
    assert table.get(page).status == 200
    for host in ("localhost:8765", "127.0.0.1", "127.0.0.1:80", "evil.example", "evil.example:8765", "[::1]:8765"):
        refused = table.get(page, host=host)
        assert refused.status == 421
        assert "http://127.0.0.1:8765/" in refused.json["why"]
    turn = {"question": table.scene()["question"], "do": "turn"}
    for origin in ("", "null", "http://127.0.0.1", "http://127.0.0.1:8766", "https://127.0.0.1:8765", "http://evil"):
        assert table.post(order, turn, origin=origin).status == 403
    for kind in ("", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"):
        assert table.post(order, turn, content_type=kind).status == 415
    assert table.post(order, b" " * 5_000).status == 413, "also where no length was told"
    assert table.post(order, turn, content_length="5000").status == 413
    assert table.ask("DELETE", page, {}).status == 405
    assert table.post(order, turn, content_type="application/json; charset=utf-8").status == 200, "and this one may"


def test_seat_is_visible_only_with_its_cookie(reading: Reading) -> None:
    table = table_of(reading, pictured=(reading.cards[0].card.id,))
    face = f"{table.at}{table.door.clients[0].marks.faces()[0]}"
    own = table.cookie
    assert (table.get(face).status, table.get(face.replace("face/", "face/x")).status) == (200, 404)
    for cookie in ("", "seat=x", "seat=", f"{own}x"):
        table.cookie = cookie
        seen = [table.get(f"{table.at}{place}").status for place in ("", "stream")] + [table.get(face).status]
        assert seen == [403, 403, 403]
        assert table.post(f"{table.at}order", {"do": "turn"}).status == 403
    table.cookie = own
    assert table.get(table.at.replace("/screen/", "/0/")).status == 403
    assert table.get(f"/x{table.at[1:]}").status == 403


def test_seat_needs_the_code_which_works_for_one_browser_only(reading: Reading) -> None:
    table = table_of(reading)
    assert table.post("/sit", {"token": "wrong"}).status == 403
    for value in ({}, [], {"token": None}, {"token": "é\ud800"}, b"{", b"\xff"):
        assert table.post("/sit", value).status in {403, 422}
    once, always = table.door.new_code(once=True), table.door.new_code()
    assert [table.post("/sit", {"token": once}).status for _ in range(2)] == [200, 403]
    assert [table.post("/sit", {"token": always}).status for _ in range(2)] == [200, 200]
    seated = table.post("/sit", {"token": always})
    cookie = seated.headers["set-cookie"]
    assert cookie.endswith(f"; HttpOnly; Path={seated.json['at']}; SameSite=strict")


def test_answers_have_security_headers(reading: Reading) -> None:
    table = table_of(reading)
    for answer in (table.get("/"), table.get(table.at), table.get("/web/nothing.css"), table.get("/", host="evil")):
        policy = answer.headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["referrer-policy"] == "same-origin"
        assert answer.headers["cache-control"] == "no-store"
    font = table.get("/web/Alegreya-Regular.ttf")
    assert font.headers["content-type"] == "font/ttf"
    again = table.get("/web/Alegreya-Regular.ttf", if_none_match=font.headers["etag"])
    assert (again.status, again.body) == (304, b""), "what a browser has is not sent again"
    assert table.get("/web/table.css", if_none_match=font.headers["etag"]).status == 200
    for name in ("..%2ftable.py", "..", "drawing.py", ".css", "%2e%2e/site.py"):
        assert table.get(f"/web/{name}").status == 404


def test_stream_starts_with_the_whole_scene_has_heartbeats_and_announces_its_end(
    reading: Reading, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = table_of(reading)
    monkeypatch.setattr(seat_sessions, "HEARTBEAT_SECONDS", 0.001)
    assert [name for name, _ in table.events(3)] == ["scene", "beat", "beat"]
    table.door.clients[0].outbox.end()
    assert [name for name, _ in table.events(2)] == ["scene", "end"]
    assert table.door.clients[0].outbox.streams == 0


def test_page_that_stops_reading_is_dropped(reading: Reading, monkeypatch: pytest.MonkeyPatch) -> None:
    table = table_of(reading)
    monkeypatch.setattr(routes, "WRITE_TIMEOUT_SECONDS", 0.001)
    assert table.stall() == ["dropped"]
    assert table.door.clients[0].outbox.streams == 0


def test_only_the_newest_scene_is_queued_for_a_page_and_each_page_counts_separately(reading: Reading) -> None:
    table = table_of(reading)
    client = table.door.clients[0]
    for _ in range(1_000):
        client.outbox.put(b"an older one")
    client.outbox.put(b'"the newest"')
    assert table.scene() == "the newest"


def test_unknown_addresses_lead_to_the_entrance_and_heads_are_answered(reading: Reading) -> None:
    table = table_of(reading)
    for path in ("/generate_204", "/hotspot-detect.html", "/tabel", f"{table.at}nothing"):
        answer = table.get(path)
        assert (answer.status, answer.headers["location"]) == (303, "/")
    head = table.ask("HEAD", "/", {})
    assert (head.status, head.headers["content-type"]) == (200, "text/html; charset=utf-8")
    assert table.ask("HEAD", f"{table.at}stream", {}).status in (403, 405), "a head opens no stream"


def test_files_are_sent_compressed_and_pages_are_not(reading: Reading) -> None:
    table = table_of(reading)
    packed = {"accept-encoding": "gzip"}
    assert table.ask("GET", "/web/table.css", packed).headers["content-encoding"] == "gzip"
    assert "content-encoding" not in table.ask("GET", table.at, packed).headers
