"""The headers of new games and matches: what is decided before the first deal."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Any, TypedDict, Unpack

from vaultkit import __version__
from vaultkit.cards import Deck
from vaultkit.games.game import AnyGame
from vaultkit.session import session_ids
from vaultkit.session.journal_records import Agreement, Header
from vaultkit.session.options import settle
from vaultkit.session.seats import SeatSpec

EMPTY_MAPPING: Mapping[str, Any] = MappingProxyType({})


class TableFacts(TypedDict, total=False):
    """The optional facts about a new session, besides its seats.

    `options` may be incomplete. `known` maps the name of a chance turn to its answer, if that is not left to luck. With
    `real_cards` the players are asked for what luck decides; `unseen` lists the names of the chance turns and the verbs
    of the moves that they are not asked about, because the cards stay secret until they are shown.
    """

    options: Mapping[str, object]
    real_cards: bool
    unseen: tuple[str, ...]
    agreement: Agreement
    known: Mapping[str, tuple[str, ...]]


def new_header(
    game: AnyGame,
    deck: Deck,
    seats: Sequence[SeatSpec],
    started: datetime,
    *,
    id: str,
    seed: int,
    **facts: Unpack[TableFacts],
) -> Header:
    """Return the header of a new session.

    Raises UsageError for options that the game does not accept, and for an `id` that is no session id.
    """
    return Header(
        game=game.id,
        version=__version__,
        session=session_ids.check_id(id),
        seed=seed,
        seats=tuple(seats),
        options=settle(game, facts.get("options", EMPTY_MAPPING)),
        deck=deck.kind,
        fingerprint=deck.fingerprint,
        started=started,
        real_cards=facts.get("real_cards", False),
        unseen=facts.get("unseen", ()),
        agreement=facts.get("agreement", Agreement()),
        known=dict(facts.get("known", EMPTY_MAPPING)),
    )
