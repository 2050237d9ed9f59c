"""The Scene: everything that one seat, or everybody at the screen, may see of a game now."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from vaultkit.games.facts import Consequence
from vaultkit.games.game import AnyGame, View
from vaultkit.games.messages import Seat, Sentence, Standing, Zone
from vaultkit.games.turn import Chance, Move, Prompt
from vaultkit.scene import visible_history
from vaultkit.scene.knowledge import StepEvent, events_since_last_turn, open_zones, visible_events
from vaultkit.session import Session
from vaultkit.text import capitalize_first


@dataclass(frozen=True, slots=True)
class Offer:
    """A move that may be made now. `label` says what is done, `consequences` are the facts that follow from it.

    `touches` are the cards and seats to touch for it, in order. `ends` says how the game ends with it, None if it does
    not.
    """

    move: Move
    label: Sentence
    consequences: tuple[Consequence, ...]
    touches: tuple[str | Seat, ...]
    ends: Sentence | None = None


@dataclass(frozen=True, slots=True)
class Question:
    """A question to a seat. For chance that people at the table enter, `seat` is None or has no person.

    `luck` says what happens if chance decides and nobody is asked: `Cards are drawn for {s0}.`
    """

    seat: Seat | None
    text: Sentence
    rule: str
    rulings: tuple[str, ...]
    party: bool = False
    secret: bool = False
    luck: Sentence | None = None


@dataclass(frozen=True, slots=True)
class Scene:
    """A game as it may be seen now by `viewer`, or by everybody at the screen if that is None.

    `heading` says where the game stands, and how it is played: round 8, rivals. `news` is what happened since the asked
    seat last acted. `refusals` has, for cards that the viewer holds and cannot play, the reason, if one can be given.
    `standings` are in the order of the seats.
    """

    title: str
    names: tuple[str, ...]
    viewer: Seat | None
    zones: tuple[Zone, ...]
    question: Question | None
    offers: tuple[Offer, ...]
    refusals: Mapping[str, Sentence]
    news: tuple[StepEvent, ...]
    standings: tuple[Standing, ...]
    heading: tuple[Sentence, ...] = ()

    @property
    def you(self) -> Seat | None:
        """The seat addressed as "you": the viewer, or None if the party decides."""
        return None if self.question and self.question.party else self.viewer

    @property
    def cards(self) -> set[str]:
        """Every card that is visible, asked about or offered."""
        lying = {card for zone in self.zones for card in zone.cards}
        question_cards = self.question.text.cards if self.question else ()
        return lying.union(question_cards, *(offer.move.operands for offer in self.offers))

    @property
    def leaders(self) -> tuple[Seat, ...]:
        """The seats with the most points; none if all have equal points, or there are no points."""
        points = {standing.seat: standing.points for standing in self.standings if standing.points is not None}
        best = max(points.values(), default=0)
        return tuple(seat for seat, own in points.items() if own == best) if len(set(points.values())) > 1 else ()


def scene_of_seat(session: Session, seat: Seat) -> Scene:
    """Return the game as one seat may see it, with its question if it is the seat's turn."""
    game, view = session.game, session.view(seat)
    prompt, zones = view.prompt, tuple(game.table(view))
    return Scene(
        game.title,
        session.header.names,
        seat,
        zones,
        question_of(session.turn) if prompt else None,
        _offers(game, view, prompt) if prompt else (),
        _refusals(game, view, prompt, zones) if prompt else {},
        tuple(
            visible_history.recall(
                events_since_last_turn(session, seat), session.steps, visible_history.session_short_memory(session)
            )
        ),
        tuple(game.standing(view)),
        game.heading(view),
    )


def scene_of_screen(session: Session, since: int = 0, *, for_all: bool = False) -> Scene:
    """Return the game as everybody at one screen may see it; events after step `since` are news.

    With `for_all`, it shows only what every seat knows, even if one person plays alone among bots.
    """
    events = visible_events(range(len(session.header.seats)) if for_all else session.people, session.steps[since:])
    return Scene(
        session.game.title,
        session.header.names,
        None,
        tuple(zones := open_zones(session)),
        _open_question(session, zones),
        (),
        {},
        tuple(visible_history.recall(events, session.steps, visible_history.session_short_memory(session))),
        _open_standings(session, for_all=for_all),
        session.game.heading(session.view(0)),
    )


def title_of(zone: Zone, you: Seat | None) -> Sentence:
    """Return a zone's title with its owner: `Your hand`, `Hand of Bram`, `Won by Bram`."""
    title = zone.title
    if zone.owner is None:
        return title
    if zone.owner == you and not zone.by:
        return replace(title, words=f"Your {title.words}")
    owner = "you" if zone.owner == you else f"{{s{len(title.seats)}}}"
    words = f"{capitalize_first(title.words)} {'by' if zone.by else 'of'} {owner}"
    return replace(title, words=words, seats=(*title.seats, zone.owner))


def question_of(turn: Prompt | Chance | None) -> Question | None:
    """Return the question at a turn, or the one that chance decides; None without a turn."""
    if isinstance(turn, Prompt):
        return Question(turn.seat, turn.text, turn.rule, turn.rulings, turn.party, turn.secret)
    if turn is None:
        return None
    return Question(turn.seat, turn.text, "", turn.rulings, secret=not turn.open, luck=_luck_words(turn))


def _luck_words(chance: Chance) -> Sentence:
    """Return what happens at a chance turn, without the cards."""
    if chance.options and not chance.gm:
        return Sentence("Chance decides.")
    words = "A card is drawn" if chance.count == 1 else "Cards are drawn"
    return Sentence(f"{words}." if chance.seat is None else f"{words} for {{s0}}.", (chance.seat or 0,))


def _open_question(session: Session, zones: Sequence[Zone]) -> Question | None:
    """Return the question without cards that not everybody sees, such as the card that the Tempter gives away."""
    question = question_of(session.turn)
    open_cards = {card for zone in zones for card in zone.cards}
    if question is None or open_cards.issuperset(question.text.cards):
        return question
    if question.luck:
        return replace(question, text=question.luck)
    if question.party or question.seat is None:
        return replace(question, text=Sentence("The party decides." if question.party else "The table decides."))
    return replace(question, text=Sentence("{s0} decides.", (question.seat,)))


def _offers(game: AnyGame, view: View, prompt: Prompt) -> tuple[Offer, ...]:
    ends = dict(prompt.ends)
    return tuple(
        Offer(move, game.label(move), consequences, game.touches(move), ends.get(move))
        for move, consequences in zip(prompt.moves, game.consequences(view, prompt.moves), strict=True)
    )


def _refusals(game: AnyGame, view: View, prompt: Prompt, zones: Sequence[Zone]) -> dict[str, Sentence]:
    offered = {touch for move in prompt.moves for touch in game.touches(move)}
    own = (zone for zone in zones if zone.owner == view.seat and zone.kind in ("hand", "laid", "row"))
    held = [card for zone in own for card in zone.cards]
    reasons = {card: game.why_not(view, card) for card in held if card not in offered}
    return {card: reason for card, reason in reasons.items() if reason}


def _open_standings(session: Session, *, for_all: bool) -> tuple[Standing, ...]:
    """Return each seat's standing as another seat knows it, so that none reveals a hidden hand.

    A person who plays alone at the screen sees all standings as their own seat does.
    """
    seats: Collection[Seat] = range(len(session.header.seats))
    is_alone = len(seats) == 1 or (len(session.people) == 1 and not for_all)
    alone = session.people if is_alone else ()
    views: Sequence[tuple[Standing, ...]] = [session.game.standing(session.view(seat)) for seat in seats]
    if alone:
        return views[alone[0]]
    return tuple(views[1 if seat == 0 else 0][seat] for seat in seats if views[0])
