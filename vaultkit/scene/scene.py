"""The scene of a game: everything that one seat, or everybody at one screen, may see now."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from vaultkit.games.facts import Consequence, FactKind
from vaultkit.games.game import AnyGame, View
from vaultkit.games.messages import Score, Seat, Sentence, Standing, Zone, lower_first
from vaultkit.games.turn import Chance, Move, Prompt
from vaultkit.scene.knowledge import (
    StepEvent,
    events_since_last_turn,
    open_zones,
    select_recallable_events,
    visible_events,
)
from vaultkit.session import Session
from vaultkit.text import capitalize_first

_SHARED_KINDS: frozenset[FactKind] = frozenset({"fulfilled", "revealed", "moved", "next", "risk", "other"})
"""The kinds of facts that are given once for all offers if they all have them."""


@dataclass(frozen=True, slots=True)
class Offer:
    """A move that may be made now.

    `label` describes the move, `consequences` are the facts that follow from it. `touches` are the ids of the cards and
    the seats to touch in order to make the move. `ends` says how the move ends the game, None if it does not. `seat` is
    the seat that is asked, as one of a party that decides together if `party`.
    """

    move: Move
    label: Sentence
    consequences: tuple[Consequence, ...]
    touches: tuple[str | Seat, ...]
    ends: Sentence | None = None
    seat: Seat | None = None
    party: bool = False

    @property
    def you(self) -> Seat | None:
        """The seat that texts about the consequences call "you", None if all seats decide together."""
        return None if self.party else self.seat

    @property
    def card(self) -> str:
        """The id of the card that is touched first, "" if there is none."""
        return next((touch for touch in self.touches[:1] if isinstance(touch, str)), "")


@dataclass(frozen=True, slots=True)
class Question:
    """The question of the current turn: a decision of `seat`, or a chance turn.

    `luck` describes a chance turn without its cards, as in `Cards are drawn for {s0}.`; it is None for a decision. At a
    chance turn `seat` may be None. `party` means that all seats decide together, `secret` that only `seat` may see the
    answer.
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
    """A game as it may be seen now by `viewer`, or by everybody at one screen if `viewer` is None.

    `offers` are the moves that the viewer may make. `refusals` contains the reasons why cards in the viewer's hand
    cannot be played, by card id. `news` are the visible events since the viewer's last decision. `standings` are in the
    order of the seats. `heading` describes the phase and the mode of the game: round 8, rivals. `aim` says what players
    collect and how they win. `key_facts` must always be in view, the most important first: the aim before the viewer's
    first decision, what the game's own facts are now, and what follows from every offer alike (`shared_facts`).
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
    aim: Sentence | None = None
    key_facts: tuple[Sentence, ...] = ()
    shared_facts: tuple[Sentence, ...] = ()

    @property
    def you(self) -> Seat | None:
        """The seat that texts call "you": the viewer, or None if all seats decide together."""
        return None if self.question and self.question.party else self.viewer

    @property
    def zone_cards(self) -> set[str]:
        """The ids of all cards that are visible in zones."""
        return {card for zone in self.zones for card in zone.cards}

    @property
    def cards(self) -> set[str]:
        """The ids of all cards that are visible in zones, in the question or in offered moves."""
        question_cards = self.question.text.cards if self.question else ()
        return self.zone_cards.union(question_cards, *(offer.move.operands for offer in self.offers))

    @property
    def leaders(self) -> tuple[Seat, ...]:
        """The seats with the most points, none if all have equal points or the game has no points."""
        points = {standing.seat: standing.points for standing in self.standings if standing.points is not None}
        most_points = max(points.values(), default=0)
        if len(set(points.values())) > 1:
            return tuple(seat for seat, seat_points in points.items() if seat_points == most_points)
        return ()


def scene_of_seat(session: Session, seat: Seat) -> Scene:
    """Return the scene that `seat` may see, with a question and offers if it is the seat's turn."""
    game, view = session.game, session.view(seat)
    prompt, zones = view.prompt, tuple(game.table(view))
    offers, shared_sentences = _split_shared_facts(_make_offers(game, view, prompt) if prompt else ())
    aim, has_decided = game.aim(view), any(step.seat == seat and not step.auto for step in session.steps)
    own_facts = (fact.addressed_to(None if prompt and prompt.party else seat) for fact in game.key_facts(view))
    new_aim = (aim,) if aim and not has_decided else ()
    return Scene(
        _title_of(session),
        session.header.names,
        seat,
        zones,
        question_of(session.turn) if prompt else None,
        offers,
        _find_refusals(game, view, prompt, zones) if prompt else {},
        tuple(select_recallable_events(session, events_since_last_turn(session, seat))),
        tuple(game.standing(view)),
        game.heading(view),
        aim,
        (*new_aim, *own_facts, *shared_sentences),
        tuple(shared_sentences),
    )


def scene_of_screen(session: Session, first_step: int = 0, *, for_all: bool = False) -> Scene:
    """Return the scene that everybody at one screen may see, without offers.

    Its news are the events after the step with the number `first_step`. With `for_all` it shows only what every seat
    knows, even if one person plays alone among bots.
    """
    all_seats, game = range(len(session.header.seats)), session.game
    events = visible_events(all_seats if for_all else session.people, session.steps[first_step:])
    views = [session.view(seat) for seat in (not for_all and session.people) or all_seats]
    facts_by_view = [tuple(game.key_facts(view)) for view in views]
    return Scene(
        _title_of(session),
        session.header.names,
        None,
        tuple(zones := open_zones(session)),
        _open_question(session, zones),
        (),
        {},
        tuple(select_recallable_events(session, events)),
        _open_standings(session, for_all=for_all),
        game.heading(session.view(0)),
        game.aim(session.view(0)),
        tuple(fact for fact in facts_by_view[0] if all(fact in facts for facts in facts_by_view)),
    )


def _title_of(session: Session) -> str:
    """Return the title of a game, with its number if it belongs to a match."""
    number = session.id.rpartition("-g")[2].lstrip("0") if session.header.agreement.match else ""
    return f"{session.game.title}, game {number}" if number else session.game.title


def title_of(zone: Zone, you: Seat | None) -> Sentence:
    """Return the title of a zone with its owner, such as `Your hand`, `Hand of Bram` or `Won by Bram`."""
    title = zone.title
    if zone.owner is None:
        return title
    if zone.owner == you and not zone.by:
        return replace(title, words=f"Your {title.words}")
    owner = "you" if zone.owner == you else f"{{s{len(title.seats)}}}"
    words = f"{capitalize_first(title.words)} {'by' if zone.by else 'of'} {owner}"
    return replace(title, words=words, seats=(*title.seats, zone.owner))


def question_of(turn: Prompt | Chance | None) -> Question | None:
    """Return the question of a turn, which may be a chance turn, or None if there is no turn."""
    if isinstance(turn, Prompt):
        return Question(turn.seat, turn.text, turn.rule, turn.rulings, turn.party, turn.secret)
    if turn is None:
        return None
    return Question(turn.seat, turn.text, "", turn.rulings, secret=not turn.open, luck=_describe_chance(turn))


def _describe_chance(chance: Chance) -> Sentence:
    """Return a sentence that describes a chance turn without naming cards."""
    if chance.options and not chance.gm:
        return Sentence("Chance decides.")
    words = "A card is drawn" if chance.count == 1 else "Cards are drawn"
    return Sentence(f"{words}." if chance.seat is None else f"{words} for {{s0}}.", (chance.seat or 0,))


def _open_question(session: Session, zones: Sequence[Zone]) -> Question | None:
    """Return the question of the current turn, in general words if it names a card that not everybody sees."""
    question = question_of(session.turn)
    open_cards = {card for zone in zones for card in zone.cards}
    if question is None or open_cards.issuperset(question.text.cards):
        return question
    if question.luck:
        return replace(question, text=question.luck)
    if question.party or question.seat is None:
        return replace(question, text=Sentence("The party decides." if question.party else "The table decides."))
    return replace(question, text=Sentence("{s0} decides.", (question.seat,)))


def _make_offers(game: AnyGame, view: View, prompt: Prompt) -> tuple[Offer, ...]:
    ending_of_move, deciders = dict(prompt.ends), (prompt.seat, prompt.party)
    return tuple(
        Offer(move, game.label(move), consequences, game.touches(move), ending_of_move.get(move), *deciders)
        for move, consequences in zip(prompt.moves, game.consequences(view, prompt.moves), strict=True)
    )


def _split_shared_facts(offers: tuple[Offer, ...]) -> tuple[tuple[Offer, ...], list[Sentence]]:
    """Return the offers without the facts that certainly follow from every offer, and sentences with the facts."""
    if not offers[1:]:
        return offers, []
    shared = set(offers[0].consequences).intersection(*(offer.consequences for offer in offers))
    shared = {part for part in shared if part.is_certain and part.fact.sentence and part.fact.kind in _SHARED_KINDS}
    sentences = [part.fact.sentence for part in offers[0].consequences if part in shared and part.fact.sentence]
    own_consequences = (tuple(part for part in offer.consequences if part not in shared) for offer in offers)
    own_offers = (replace(offer, consequences=own) for offer, own in zip(offers, own_consequences, strict=True))
    return tuple(own_offers), [in_any_case(sentence.addressed_to(offers[0].you)) for sentence in sentences]


def in_any_case(sentence: Sentence) -> Sentence:
    """Return a sentence that holds for every choice: `In any case nobody forfeits.`"""
    return replace(sentence, words=f"In any case {lower_first(sentence.words)}")


def _find_refusals(game: AnyGame, view: View, prompt: Prompt, zones: Sequence[Zone]) -> dict[str, Sentence]:
    offered_touches = {touch for move in prompt.moves for touch in game.touches(move)}
    own_zones = (zone for zone in zones if zone.owner == view.seat and zone.kind in ("hand", "laid", "row"))
    held_cards = [card for zone in own_zones for card in zone.cards]
    reasons = {card: game.why_not(view, card) for card in held_cards if card not in offered_touches}
    return {card: reason for card, reason in reasons.items() if reason}


def _open_standings(session: Session, *, for_all: bool) -> tuple[Standing, ...]:
    """Return the standing of each seat as another seat knows it, so that it reveals no hidden hand.

    A person who plays alone at the screen sees all standings as their own seat does, unless `for_all` is True.
    """
    seats: Collection[Seat] = range(len(session.header.seats))
    is_alone = len(seats) == 1 or (len(session.people) == 1 and not for_all)
    standings_by_viewer: Sequence[tuple[Standing, ...]] = [session.game.standing(session.view(seat)) for seat in seats]
    if is_alone and session.people:
        return standings_by_viewer[session.people[0]]
    return tuple(standings_by_viewer[1 if seat == 0 else 0][seat] for seat in seats if standings_by_viewer[0])


def format_points(points: Score) -> str:
    """Return a number of points with its noun: `0 points`, `1 point`, `2.5 points`."""
    return f"{points:g} {'point' if points == 1 else 'points'}"


def standing_text(standing: Standing, scene: Scene, render: Callable[[Sentence], str]) -> str:
    """Return the text of a standing, such as `12 points, leads`; `render` returns a sentence as text."""
    parts = [] if standing.points is None else [format_points(standing.points)]
    parts += ["leads"] if standing.seat in scene.leaders else []
    own_text = render(standing.words) if standing.words else "out" * standing.out
    nothing = "nothing yet" if standing.seat == scene.viewer else "nothing is known"
    return ", ".join([*parts, *filter(None, [own_text])]) or nothing
