"""The interface of a way of playing, which clients view, give orders and ask for advice."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Protocol

from vaultkit.games.messages import Seat
from vaultkit.host.advice import AdviceQuery, Answer
from vaultkit.host.orders import Action, Order, Reply, StaleQuestion, Viewer, new_question
from vaultkit.host.view_state import ViewState


class Host(Protocol):
    """One way of playing. Only one thread calls it; a change is saved before a method returns.

    `revision` counts visible changes. It is `over` if nothing can happen any more, and `closed` if clients may leave.
    """

    revision: int
    over: bool
    closed: bool

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats of people."""

    def view(self, viewer: Viewer) -> ViewState:
        """Return everything that a viewer may see now."""

    def handle(self, viewer: Viewer, order: Order) -> Reply:
        """Carry out an order. Raises StaleQuestion, OrderRefused and VaultkitError; then nothing has changed."""

    def answer(self, viewer: Viewer, query: AdviceQuery) -> Sequence[Answer]:
        """Return the answers to a query. Raises OrderRefused."""

    def advance(self, *, watched: bool, skip_pause: bool = False) -> float | None:
        """Do what needs no person, if it is due. Return the seconds until more is due, None if people must act first.

        `watched` says whether anybody looks; `skip_pause` ends the pause after a move of a bot or a failure to save.
        """

    def disconnect(self, viewer: Viewer) -> None:
        """Cover the hand that a viewer has uncovered."""


class PagedHost(ABC):
    """A host without bots and covers, which shows everybody the same and asks one question after the other."""

    people: tuple[Seat, ...] = ()
    over = False
    closed = False

    def __init__(self) -> None:
        self.revision = 0
        self._question = new_question()

    def handle(self, viewer: Viewer, order: Order) -> Reply:  # noqa: ARG002
        """Carry out an order. Raises StaleQuestion, OrderRefused and VaultkitError; then nothing has changed."""
        if order.question != self._question:
            raise StaleQuestion
        self._obey(order.action)
        return Reply()

    @abstractmethod
    def _obey(self, action: Action) -> None:
        """Carry out an action, or raise OrderRefused."""

    def _renew_question(self) -> None:
        """Note a visible change, and give the question a new id."""
        self.revision += 1
        self._question = new_question()

    def advance(self, *, watched: bool, skip_pause: bool = False) -> float | None:  # noqa: ARG002
        """Return None, because people must act first."""
        return None

    def disconnect(self, viewer: Viewer) -> None:  # noqa: B027
        """Do nothing, because no hand is covered."""
