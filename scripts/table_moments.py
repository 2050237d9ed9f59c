"""Moments of games and readings as web pages show them: seeded games, played by bots in the example vault."""

import random
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from vaultkit.bots.registry import make_bot
from vaultkit.campaign.entry_parser import read_entry
from vaultkit.campaign.game_notes import GameNotes
from vaultkit.campaign.lessons import lesson_of
from vaultkit.campaign.logbook import Logbook
from vaultkit.campaign.reading import Reading, deck_for, draw_cards, lay_reading, text_lines
from vaultkit.campaign.workspace import Workspace
from vaultkit.cards import Deck
from vaultkit.compendium.decks.deck_note import DeckNote
from vaultkit.compendium.spreads import Spreads, build_plain_shape
from vaultkit.games.messages import Sentence, Table
from vaultkit.games.turn import Chance, draw_move
from vaultkit.host.advice import markdown_to_text
from vaultkit.host.ending import build_game_ending
from vaultkit.host.game_host import GameHost
from vaultkit.host.lesson_host import LessonHost
from vaultkit.host.logbook_host import LogbookHost
from vaultkit.host.view_state import Cover, Ending, SpreadCard, SpreadModel
from vaultkit.scene.knowledge import is_private
from vaultkit.scene.scene import Scene, scene_of_screen, scene_of_seat
from vaultkit.session import Session
from vaultkit.session.headers import TableFacts
from vaultkit.session.journal_records import Agreement
from vaultkit.session.options import settle
from vaultkit.session.real_deck import find_refereeing
from vaultkit.session.seats import parse_seats
from vaultkit.web.host_page import HostPage
from vaultkit.web.opaque_ids import OpaqueIds
from vaultkit.web.page_model import PageModel
from vaultkit.web.roster import HAND, LOST_SEAT, SCREEN, Invitation, Roster, SeatStatus
from vaultkit.web.seat_sessions import Client

EVENING = datetime(2026, 11, 22, 20, tzinfo=UTC)
HARD_NAMES = (
    "WilhelminaDonaudampfschiffahrtsgesellschaftskapitaen",
    "\u05d9\u05d4\u05d5\u05e0\u05ea\u05df \u05d3\u05d5\u05d3",
    "\U0001f409 Drachenf\u00fcrstin \U0001f451",
    "Bo",
    "\u0644\u064a\u0644\u0649 \u0627\u0644\u0641\u0627\u0631\u0633\u064a\u0629",
    "Maximiliane von und zu Hohenstein",
    "\u5f20\u4f1f",
)
"""Names that are hard to place: 52 letters without a blank, right to left, with pictures, of one or two letters."""
PARTY = ("Ysolde Marr", "Bram Tolliver", "Nettle Ashdown", "Sefa Quill", "Odhran Vane", "Oriel", "Emeric")


@dataclass(frozen=True)
class Moment:
    """The contents of a page, and the deck whose pictures it shows."""

    sight: PageModel
    deck: DeckNote


@dataclass(frozen=True)
class Played:
    """A game to play: its id, the number of seats and of decisions of players, its options and its seed.

    `view` says which page is shown, such as `seat`, `cover`, `phone` or `lobby`.
    """

    game: str
    seats: int
    decisions: int
    options: tuple[str, ...] = ()
    seed: int = 7
    view: str = "seat"
    names: tuple[str, ...] = PARTY


GAMES: Mapping[str, Played] = {
    "citadel-party": Played("dragon-citadel", 4, 9),
    "citadel-crowns": Played("dragon-citadel", 3, 6, (), 3),
    "citadel-many": Played("dragon-citadel", 5, 15, (), 3),
    "citadel-seven": Played("dragon-citadel", 7, 4, (), 3),
    "citadel-screen": Played("dragon-citadel", 4, 12, ("mode=competitive",), 11, "cover"),
    "citadel-seat": Played("dragon-citadel", 4, 13, ("mode=competitive",), 11),
    "citadel-end": Played("dragon-citadel", 3, 999, ("mode=competitive",), 3, "end"),
    "propheta-seat": Played("propheta", 3, 20, (), 11),
    "propheta-screen": Played("propheta", 3, 36, (), 11, "cover"),
    "propheta-laying": Played("propheta", 3, 2, (), 11),
    "propheta-end": Played("propheta", 3, 999, (), 3, "end"),
    "gambit-seat": Played("prophets-gambit", 3, 14),
    "gambit-screen": Played("prophets-gambit", 5, 22, (), 7, "cover"),
    "fate-seat": Played("turn-of-fate", 2, 8),
    "gambit-end": Played("prophets-gambit", 5, 999, (), 3, "end"),
    "destiny-end": Played("deck-of-destiny", 1, 999, (), 3, "end"),
    "fate-next": Played("turn-of-fate", 2, 999, (), 3, "next"),
    "fate-screen": Played("turn-of-fate", 2, 12, (), 7, "cover"),
    "citadel-phone": Played("dragon-citadel", 4, 13, ("mode=competitive",), 11, "phone"),
    "propheta-phone": Played("propheta", 3, 20, (), 11, "phone"),
    "propheta-phone-end": Played("propheta", 3, 999, (), 3, "phone"),
    "propheta-phones": Played("propheta", 3, 15, (), 11, "company"),
    "propheta-waits": Played("propheta", 3, 15, (), 11, "waits"),
    "propheta-lobby": Played("propheta", 4, 0, (), 11, "lobby"),
    "gambit-phone": Played("prophets-gambit", 3, 14, (), 7, "phone"),
    "fate-phone": Played("turn-of-fate", 2, 8, (), 7, "phone"),
    "destiny-phone": Played("deck-of-destiny", 1, 6, (), 7, "phone"),
    "destiny-seat": Played("deck-of-destiny", 1, 6),
    "destiny-laying": Played("deck-of-destiny", 1, 3),
    "propheta-pause": Played("propheta", 3, 15, (), 11, "pause"),
    "propheta-phone-pause": Played("propheta", 3, 15, (), 11, "phone-pause"),
    "propheta-bot": Played("propheta", 3, 15, (), 11, "bot"),
    "propheta-sits": Played("propheta", 4, 0, (), 11, "sits"),
    "propheta-gone": Played("propheta", 3, 15, (), 11, "gone"),
    "fate-unsaved": Played("turn-of-fate", 2, 8, (), 7, "unsaved"),
}
_HARD_GAMES = (
    ("dragon-citadel", "dragon-citadel", 7, (), (4, 9, 999)),
    ("dragon-citadel-rivals", "dragon-citadel", 7, ("mode=competitive",), (6, 18, 999)),
    ("propheta", "propheta", 4, (), (2, 24, 999)), ("prophets-gambit", "prophets-gambit", 5, (), (3, 22, 999)),
    ("turn-of-fate", "turn-of-fate", 2, (), (1, 16, 999)), ("deck-of-destiny", "deck-of-destiny", 1, (), (1, 6, 999)),
)  # fmt: skip
HARD: Mapping[str, Played] = {
    f"hard-{name}-{moment}-{view}": Played(game, seats, decisions, options, 3, view, HARD_NAMES)
    for name, game, seats, options, steps in _HARD_GAMES
    for moment, decisions in zip(("begin", "middle", "end"), steps, strict=True)
    for view in ("seat", "phone", "waits")
    if (moment, view) != ("end", "waits")
}
"""Five games at three moments with hard names and as many seats as they have, at the screen and on phones."""
LESSONS: Mapping[str, tuple[str, int]] = {
    "lesson-first": ("propheta", 0),
    "lesson-reason": ("propheta", 1),
    "lesson-gambit": ("prophets-gambit", 0),
    "lesson-look": ("turn-of-fate", 1),
    "lesson-last": ("turn-of-fate", 999),
}
"""Lessons by name: the game, and the number of pages that are passed before the one shown."""
GM_PAGES: Mapping[str, bool] = {"gm-cover": False, "gm-hand": True}
"""Screens of a GM who plays the dealer, and for each whether the cover is lifted."""


REAL: Mapping[str, Played] = {
    "real-citadel": Played("dragon-citadel", 3, 26, (), 11),
    "real-citadel-hand": Played("dragon-citadel", 3, 0, ("mode=competitive",), 11),
    "real-propheta": Played("propheta", 3, 30, (), 11),
    "real-fate": Played("turn-of-fate", 2, 20),
    "real-destiny": Played("deck-of-destiny", 1, 4),
    "real-gambit": Played("prophets-gambit", 3, 14),
}
"""Games with real cards, shown at the first turn that asks for cards after the given number of steps."""
LIGHT: Mapping[str, tuple[str, tuple[str, ...], str]] = {
    "light-citadel": (
        "dragon-citadel",
        ("6sw ysolde 7sw", "wizard ysolde 3st bram 9st nettle raven", "beast nettle out", "4gl bram 9gl", "ghost"),
        "8gl ysolde",
    ),
    "light-end": ("dragon-citadel", ("6sw bram 7sw", "beast nettle out", "over"), ""),
    "light-fate": ("turn-of-fate", (), ""),
    "light-propheta": ("propheta", ("ysolde aries ram", "bram"), ""),
}
"""Games logged by hand: the game, the lines already entered, and the beginning of the next line."""


def moments(folder: Path, names: Sequence[str]) -> Iterator[tuple[str, Moment]]:
    """Yield the moments whose names begin with one of `names`, or all, each with its name.

    `folder` is a copy of the example vault.
    """
    workspace = Workspace(folder, cached=False)
    wanted = tuple(names) or ("",)
    for name, played in (GAMES if names == [] else {**GAMES, **HARD}).items():
        if name.startswith(wanted):
            yield name, of_game(workspace, played)
    for name, played in REAL.items():
        if name.startswith(wanted):
            yield name, of_real_game(workspace, name, played)
    for name, is_open in GM_PAGES.items():
        if name.startswith(wanted):
            yield name, of_gm(workspace, name, is_open=is_open)
    for name, (game, page) in LESSONS.items():
        if name.startswith(wanted):
            yield name, of_lesson(workspace, name, game, page)
    for name, (game, lines, begun) in LIGHT.items():
        if name.startswith(wanted):
            yield name, of_logbook(workspace, name, game, lines, begun)
    for name, (make_reading, turned) in READINGS.items():
        if name.startswith(wanted):
            reading = make_reading(workspace)
            yield name, Moment(of_reading(reading, turned), reading.deck)


def of_game(workspace: Workspace, played: Played) -> Moment:
    """Return the moment of a game after bots have made its decisions."""
    notes = GameNotes.from_name(workspace, played.game, played.options)
    seats = parse_seats(played.names[: played.seats])
    options = notes.options(played.options)
    with notes.begin(seats, played.seed, clock=lambda: EVENING, options=options) as session:
        _play(session, played.decisions)
        return Moment(_sight(session, played.view, OpaqueIds(session.deck.by_id)), notes.deck_note)


def of_real_game(workspace: Workspace, name: str, played: Played) -> Moment:
    """Return the moment of a game with real cards at a turn that asks for cards.

    Bots play the same deal to its end first, and their moves and cards are entered.
    """
    notes, seats = GameNotes.from_name(workspace, played.game, played.options), parse_seats(PARTY[: played.seats])
    options = notes.options(played.options)
    unseen = find_refereeing(played.game, settle(notes.game, options), seats).unseen
    with notes.begin(seats, played.seed, clock=lambda: EVENING, options=options) as truth:
        _play(truth, 999)
    facts = TableFacts(options=options, real_cards=True, unseen=unseen)
    with notes.begin(seats, None, clock=lambda: EVENING, **facts) as session:
        held = HostPage(GameHost.from_notes(session, notes, markdown_to_text, 0, None))
        client = _client(name, session.deck)
        while True:
            held.go_on(watched=True)
            sight = held.sight(client)
            if sight.cover and not sight.cover.is_open:
                held.obey(client, {"do": "uncover", "question": sight.question})
                sight = held.sight(client)
            if sight.pad and sight.pad.cards is not None and len(session.steps) >= played.decisions:
                return Moment(sight, notes.deck_note)
            move = truth.steps[len(session.steps)].move
            if sight.pad:
                names = [session.name(int(one)) if one.isdecimal() else one for one in move.operands or ("nothing",)]
                held.obey(client, {"do": "name", "question": sight.question, "words": ", ".join(names), "sure": True})
            else:
                place = [offer.move for offer in sight.scene.offers].index(move)
                held.obey(client, {"do": "offer", "question": sight.question, "offer": place, "sure": True})


def of_gm(workspace: Workspace, name: str, *, is_open: bool) -> Moment:
    """Return the moment of a competitive Dragon Citadel in which a GM without a seat plays the dealer's five cards."""
    notes = GameNotes.from_name(workspace, "dragon-citadel", ())
    options, seats = {"mode": "competitive", "dealer": "hand-of-5"}, parse_seats((PARTY[0], "bot:greedy", "bot:greedy"))
    agreement = Agreement(gm="Maud Ferrow")
    with notes.begin(seats, 11, clock=lambda: EVENING, options=options, agreement=agreement) as session:
        held = HostPage(GameHost.from_notes(session, notes, markdown_to_text, 0, None))
        client = _client(name, session.deck)
        while len(session.steps) < 30 or session.prompt:
            held.go_on(watched=True)
            if session.prompt:
                session.submit(session.prompt.moves[0])
            elif len(session.steps) < 30 and isinstance(session.turn, Chance):
                session.submit(draw_move(session.turn.options[0]))
        held.go_on(watched=True)
        if is_open:
            held.obey(client, {"do": "uncover", "question": held.sight(client).question})
        return Moment(held.sight(client), notes.deck_note)


def of_lesson(workspace: Workspace, name: str, game: str, page: int) -> Moment:
    """Return the moment of a lesson after `page` steps, which try the moves that are offered from the last one on."""
    notes = GameNotes.from_name(workspace, game)
    held = HostPage(LessonHost(lesson_of(notes, markdown_to_text), notes.deck_note.deck))
    client = _client(name, notes.deck_note.deck)
    for step in range(page):
        if held.host.over:
            break
        sight = held.sight(client)
        offers = len(sight.scene.offers)
        move = {"do": "offer", "offer": offers - 1 - step // 2 % offers} if offers else {"do": "next"}
        held.obey(client, {"question": sight.question, **move})
    return Moment(held.sight(client), notes.deck_note)


def of_logbook(workspace: Workspace, name: str, game: str, lines: Sequence[str], begun: str) -> Moment:
    """Return the moment of a game logged by hand, after `lines` and with the line `begun` half entered."""
    notes, seats = GameNotes.from_name(workspace, game, ()), parse_seats(PARTY[: 2 if game == "turn-of-fate" else 3])
    with Logbook.begin(notes, seats, settle(notes.game, {}), EVENING) as logbook:
        held = HostPage(LogbookHost(logbook, markdown_to_text, lambda: EVENING, dry_run=True))
        client = _client(name, logbook.ledger.deck)
        for line in lines:
            held.obey(client, {"do": "name", "question": held.sight(client).question, "words": line, "typed": True})
        for token in read_entry(begun, logbook.paper.names, logbook.ledger):
            held.obey(client, {"do": "name", "question": held.sight(client).question, "words": token})
        return Moment(held.sight(client), notes.deck_note)


def _client(name: str, deck: Deck) -> Client:
    return Client("", "screen", f"/{name}/screen/", OpaqueIds(deck.by_id))


def _play(session: Session, decisions: int) -> None:
    bot, rng = make_bot("greedy"), random.Random(7)
    list(session.advance())
    for _ in range(decisions):
        if not session.prompt:
            return
        session.submit(bot.choose(session.view(session.prompt.seat), session.game, rng))
        list(session.advance())


def _sight(session: Session, view: str, marks: OpaqueIds) -> PageModel:
    prompt, scene = session.prompt, scene_of_screen(session, max(0, len(session.steps) - 12))
    blank = replace(scene, zones=(), question=None, news=(), standings=(), heading=())
    if view in ("company", "lobby", "pause", "bot"):
        shown = blank if view == "lobby" else scene
        return PageModel(scene=shown, deck=session.deck, marks=marks, question="q", company=_company(session, view))
    if view in ("sits", "gone"):
        return PageModel(scene=blank, deck=session.deck, marks=marks, company=_without_cards(session, view))
    if view in ("phone", "waits", "phone-pause"):
        return _on_phone(session, marks, view)
    if session.outcome:
        return PageModel(scene=scene, deck=session.deck, marks=marks, question="q", ending=_ending(session, view))
    assert prompt
    if view in ("cover", "unsaved"):
        notice = "Not saved, so nothing was played: the disk is full." if view == "unsaved" else ""
        return PageModel(
            scene=scene,
            deck=session.deck,
            marks=marks,
            question="q",
            cover=Cover(prompt.seat, session.name(prompt.seat)),
            notice=notice,
        )
    own = scene_of_seat(session, prompt.seat)
    news = own.news if len(own.news) > len(scene.news) else scene.news
    hides = is_private(session, prompt)
    cover = Cover(prompt.seat, session.name(prompt.seat), is_open=True) if hides else None
    return PageModel(scene=replace(own, news=news), deck=session.deck, marks=marks, question="q", cover=cover)


def _ending(session: Session, view: str) -> Ending:
    """Return the ending of a game as the screen shows it, or with the view `next` of one game of a match."""
    if view == "next":
        standing = Table("Standing", ("Player", "Games won", "Points"), ((PARTY[0], "2", "31"), (PARTY[1], "1", "27")))
        lead = Sentence("{s0} leads the match {v0} to {v1}", (0,), (), (2, 1))
        ending = build_game_ending(session, Ending(match=lead, goes_on="Game 4 of at most 5"), session.path.parent)
        return replace(ending, tables=(*ending.tables, standing))
    written = ("Games/2026-11-22 Propheta.md", "Campaign Log.md")
    link = "obsidian://open?path=%2Fhome%2Fgm%2FThe%20Ninth%20Bell%2FGames%2FPropheta.md"
    rewards = written[0] if session.game.id == "dragon-citadel" else ""
    ending = Ending(written=written, link=link, plays_again=True, rewards_note=rewards)
    return build_game_ending(session, ending, session.path.parent)


SIGNS = ("red key", "blue lantern", "golden raven")


def _sittings(session: Session) -> tuple[SeatStatus, ...]:
    signs = dict(enumerate(SIGNS))
    return tuple(
        SeatStatus(seat, session.name(seat), "phone" if seat in signs else "screen", signs.get(seat, ""), seat != 1)
        for seat in session.people
    )


def _without_cards(session: Session, view: str) -> Roster:
    """Return the people as a phone shows them that waits in the lobby, or with the view `gone` has lost its seat."""
    if view == "gone":
        return Roster(LOST_SEAT, news="Your seat has moved to another phone.", objects=True)
    return Roster(HAND, _sittings(session), is_open=True, sign=SIGNS[0], name=session.name(0))


def _company(session: Session, view: str) -> Roster:
    """Return the people as the shared screen shows them."""
    is_open = view == "lobby"
    code = Invitation("http://192.168.1.20:8765/", "2vKq0Xn4QbOe9sYtR7mWzA", "kd7w-p4xn", None if is_open else 1)
    named = code if is_open else replace(code, name=session.name(1))
    if view == "bot":
        sittings = tuple(replace(one, by="bot") if one.seat == 1 else one for one in _sittings(session))
        return Roster(SCREEN, sittings, news="A bot plays for Bram Tolliver.")
    return Roster(SCREEN, _sittings(session), is_open, is_paused=view == "pause", invitations=(named,))


def _on_phone(session: Session, marks: OpaqueIds, view: str) -> PageModel:
    """Return the page on the phone of the player to decide, or with the view `waits` of the next player."""
    seat = session.prompt.seat if session.prompt else 0
    seat = (seat + 1) % len(session.people) if view == "waits" else seat
    company = Roster(
        HAND,
        _sittings(session),
        is_paused=view == "phone-pause",
        sign=SIGNS[seat % len(SIGNS)],
        name=session.name(seat),
    )
    ending = build_game_ending(session, Ending(plays_again=True), session.path.parent) if session.outcome else None
    return PageModel(
        scene=scene_of_seat(session, seat), deck=session.deck, marks=marks, question="q", ending=ending, company=company
    )


def of_reading(reading: Reading, turned: int, ending: Ending | None = None) -> PageModel:
    """Return the page of a reading whose first `turned` cards lie face up."""
    places = tuple(
        SpreadCard(at + 1, position.name or f"Card {at + 1}", position.meaning)
        if at >= turned
        else SpreadCard(at + 1, position.name or f"Card {at + 1}", position.meaning, entry.card, text_lines(entry.text))
        for at, (position, entry) in enumerate(reading.positions_with_cards)
    )
    shape = reading.spread.shape or build_plain_shape(len(reading.cards))
    scene = Scene(reading.spread.title, (), None, (), None, (), {}, (), ())
    marks = OpaqueIds(reading.deck.deck.by_id)
    if turned == len(reading.cards):
        ending = Ending(written=("Games/2026-11-22 Reading.md",), link="obsidian://open?path=%2Fvault%2FReading.md")
    spread = SpreadModel(reading.question, shape, places, turned)
    return PageModel(scene=scene, deck=reading.deck.deck, marks=marks, question="q", spread=spread, ending=ending)


def _spread(name: str, deck: str = "") -> Callable[[Workspace], Reading]:
    def lay(workspace: Workspace) -> Reading:
        spread = Spreads(workspace.vault).find(name)
        cards = deck_for(workspace, spread, deck)
        return lay_reading(spread, cards, seed=4, question="Who rang the ninth bell?", now=EVENING)

    return lay


def _drawn(count: int, deck: str) -> Callable[[Workspace], Reading]:
    def draw(workspace: Workspace) -> Reading:
        return draw_cards(workspace.deck(deck), count, seed=4, now=EVENING)

    return draw


READINGS: Mapping[str, tuple[Callable[[Workspace], Reading], int]] = {
    "reading-1-down": (_spread("omen"), 0),
    "reading-1-all": (_spread("omen"), 1),
    "reading-3-half": (_spread("past, present, future"), 1),
    "reading-3-all": (_spread("past, present, future"), 3),
    "reading-5-down": (_spread("five-card cross"), 0),
    "reading-5-half": (_spread("five-card cross"), 3),
    "reading-5-all": (_spread("five-card cross"), 5),
    "reading-10-half": (_drawn(10, "decktet"), 6),
    "reading-10-all": (_drawn(10, "tarokka"), 10),
}
