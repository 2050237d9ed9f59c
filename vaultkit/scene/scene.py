"""The Scene: everything that one seat, or everybody at the screen, may see of a game now."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from vaultkit.games.base import AnyGame, State, View
from vaultkit.games.turn import Chance, Move, Prompt
from vaultkit.games.words import Event, Score, Seat, Sentence, Standing, Zone
from vaultkit.scene import memory
from vaultkit.scene.knowledge import Told, open_zones, since_last_turn, told_to
from vaultkit.session import Session
from vaultkit.wording import capital

TRIES = 6
"""Positions that a move is tried on. What is the same in all of them is taken to be true in the game as well."""


@dataclass(frozen=True, slots=True)
class Consequence:
    """Everything that a move leads to at once, before luck or anybody else has a say.

    `gains` has by how many points seats stand better, those without a change left out.
    """

    sentences: tuple[Sentence, ...] = ()
    gains: Mapping[Seat, Score] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Offer:
    """A move that may be made now. `label` is what is done, `consequence` what comes of it at once.

    `touches` are the cards and seats that one touches for it, in order. `ends` is there if the game would be over,
    and says so.
    """

    move: Move
    label: Sentence
    consequence: Consequence
    touches: tuple[str | Seat, ...]
    ends: Sentence | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """Who is asked what. A question to the table, which people answer for luck, has no seat or nobody's."""

    seat: Seat | None
    text: Sentence
    rule: str
    rulings: tuple[str, ...]
    party: bool = False
    secret: bool = False


@dataclass(frozen=True, slots=True)
class Scene:
    """A game as it may be seen now, by `viewer` alone, or by all at the screen if that is None.

    `heading` says where the game stands, and how it is played: round 8, rivals.
    `news` is what happened since the one who is asked last acted. `refusals` has, for each card that the viewer holds
    and cannot play, the one reason, where there is one to tell. `standings` are in the order of the seats.
    """

    title: str
    names: tuple[str, ...]
    viewer: Seat | None
    zones: tuple[Zone, ...]
    question: Question | None
    offers: tuple[Offer, ...]
    refusals: Mapping[str, Sentence]
    news: tuple[Told, ...]
    standings: tuple[Standing, ...]
    heading: tuple[Sentence, ...] = ()

    @property
    def you(self) -> Seat | None:
        """Whoever is spoken to: the viewer, if it is not the party that decides."""
        return None if self.question and self.question.party else self.viewer

    @property
    def cards(self) -> set[str]:
        """Every card that is seen, asked about or offered."""
        lying = {card for zone in self.zones for card in zone.cards}
        asked = self.question.text.cards if self.question else ()
        return lying.union(asked, *(offer.move.operands for offer in self.offers))

    @property
    def leaders(self) -> tuple[Seat, ...]:
        """The seats with most points; none where nobody has more than another, or there are no points."""
        points = {one.seat: one.points for one in self.standings if one.points is not None}
        best = max(points.values(), default=0)
        return tuple(seat for seat, own in points.items() if own == best) if len(set(points.values())) > 1 else ()


def scene_of_seat(session: Session, seat: Seat) -> Scene:
    """The game as one seat may see it, with what it is asked, if it is its turn."""
    game, view = session.game, session.view(seat)
    prompt, zones = view.prompt, tuple(game.table(view))
    return Scene(
        game.title,
        session.header.names,
        seat,
        zones,
        _question(session.turn) if prompt else None,
        _offers(game, view, prompt) if prompt else (),
        _refusals(game, view, prompt, zones) if prompt else {},
        tuple(memory.recall(since_last_turn(session, seat), session.steps, memory.of(session))),
        tuple(game.standing(view)),
        game.heading(view),
    )


def scene_of_screen(session: Session, since: int = 0, *, for_all: bool = False) -> Scene:
    """The game as everybody at one screen may see it; `since` is the step after which things are news.

    With `for_all` it shows no more than every seat knows, even where one person plays alone among bots.
    """
    told = told_to(range(len(session.header.seats)) if for_all else session.people, session.steps[since:])
    return Scene(
        session.game.title,
        session.header.names,
        None,
        tuple(zones := open_zones(session)),
        _open_question(session, zones),
        (),
        {},
        tuple(memory.recall(told, session.steps, memory.of(session))),
        _open_standings(session, for_all=for_all),
        session.game.heading(session.view(0)),
    )


def title_of(zone: Zone, you: Seat | None) -> Sentence:
    """A zone's title with its owner: `Your hand`, `Hand of Bram`, `Won by Bram`."""
    title = zone.title
    if zone.owner is None:
        return title
    if zone.owner == you and not zone.by:
        return replace(title, words=f"Your {title.words}")
    owner = "you" if zone.owner == you else f"{{s{len(title.seats)}}}"
    words = f"{capital(title.words)} {'by' if zone.by else 'of'} {owner}"
    return replace(title, words=words, seats=(*title.seats, zone.owner))


def _question(turn: Prompt | Chance | None) -> Question | None:
    if isinstance(turn, Prompt):
        return Question(turn.seat, turn.text, turn.rule, turn.rulings, turn.party, turn.secret)
    return Question(turn.seat, turn.text, "", turn.rulings, secret=not turn.open) if turn else None


def _open_question(session: Session, zones: Sequence[Zone]) -> Question | None:
    """The question without the cards in it that not everybody sees, such as the one that the Tempter gives away."""
    question = _question(session.turn)
    seen = {card for zone in zones for card in zone.cards}
    if question is None or seen.issuperset(question.text.cards):
        return question
    said = Sentence("{s0} decides.", (question.seat,)) if question.seat is not None else Sentence("The table decides.")
    return replace(question, text=said)


def _offers(game: AnyGame, view: View, prompt: Prompt) -> tuple[Offer, ...]:
    ends, found = dict(prompt.ends), consequences(game, view, prompt)
    return tuple(
        Offer(move, game.label(move), consequence, game.touches(move), ends.get(move))
        for move, consequence in zip(prompt.moves, found, strict=True)
    )


def _refusals(game: AnyGame, view: View, prompt: Prompt, zones: Sequence[Zone]) -> dict[str, Sentence]:
    offered = {touch for move in prompt.moves for touch in game.touches(move)}
    own = (zone for zone in zones if zone.owner == view.seat and zone.kind in ("hand", "laid", "row"))
    held = [card for zone in own for card in zone.cards]
    reasons = {card: game.why_not(view, card) for card in held if card not in offered}
    return {card: reason for card, reason in reasons.items() if reason}


def _open_standings(session: Session, *, for_all: bool) -> tuple[Standing, ...]:
    """Each seat's as another one knows it, so that none tells of a hidden hand; alone at the screen, one's own."""
    seats: Collection[Seat] = range(len(session.header.seats))
    is_alone = len(seats) == 1 or (len(session.people) == 1 and not for_all)
    alone = session.people if is_alone else ()
    views: Sequence[tuple[Standing, ...]] = [session.game.standing(session.view(seat)) for seat in seats]
    if alone:
        return views[alone[0]]
    return tuple(views[1 if seat == 0 else 0][seat] for seat in seats if views[0])


def consequences(game: AnyGame, view: View, prompt: Prompt) -> tuple[Consequence, ...]:
    """The consequence of each move that the viewer may make, in the order of the moves.

    Of a secret choice only the game's own words are said: what else comes of it hangs on what others choose (G-3).
    """
    if prompt.secret:
        return tuple(Consequence((said,) if (said := game.effect(view, move)) else ()) for move in prompt.moves)
    rng = Random(0)  # the same words for the same view, whoever asks and how often
    positions = [game.determinize(view, rng) for _ in range(TRIES)]
    return tuple(_consequence(game, view, move, positions) for move in prompt.moves)


def _consequence(game: AnyGame, view: View, move: Move, positions: Sequence[State[Any]]) -> Consequence:
    before = game.standing(view)
    tried = [_try(game, view.seat, move, position) for position in positions]
    events, after = tried[0]
    agreed = [event for event in events if all(event in others for others, _ in tried)]
    same = all(standing == after for _, standing in tried)
    said = game.effect(view, move)
    sentences = (said,) if said else tuple(event.sentence for event in agreed if not _restates(event, move, view.seat))
    gains = dict(_gains(before, after)) if same else {}
    return Consequence(sentences, gains)


def _try(game: AnyGame, seat: Seat, move: Move, position: State[Any]) -> tuple[tuple[Event, ...], tuple[Standing, ...]]:
    state = position.clone()
    events = tuple(event for event in state.apply(move) if event.visible_to(seat))
    return events, game.standing(state.view(seat))


def _restates(event: Event, move: Move, seat: Seat) -> bool:
    """Whether an event says no more than the move itself does."""
    own = event.kind == move.verb or event.sentence.seats == (seat,)
    return own and set(move.operands).issuperset(event.cards) and event.seat in (seat, None) and not event.notable


def _gains(before: tuple[Standing, ...], after: tuple[Standing, ...]) -> Iterator[tuple[Seat, Score]]:
    old = {one.seat: one.points or 0 for one in before}
    for one in after:
        change = (one.points or 0) - old.get(one.seat, 0)
        if change:
            yield one.seat, change
