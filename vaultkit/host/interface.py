"""The interface of a way of playing, which clients view, give orders and ask for advice."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from vaultkit.campaign.log import LogResult
from vaultkit.games.messages import Seat, Sentence, Table
from vaultkit.host.ending import EndingRecorder
from vaultkit.host.orders import (
    Command,
    Concede,
    OperatorAction,
    Order,
    OrderRefused,
    Reply,
    StaleQuestion,
    Viewer,
    new_question,
)
from vaultkit.host.view_state import Ending, ViewState

if TYPE_CHECKING:
    from vaultkit.host.advice import AdviceQuery, Answer


class Host(ABC):
    """One way of playing. Only one thread calls it; a change is saved before a method returns.

    `revision` counts visible changes. It is `over` if nothing can happen any more, and `closed` if clients may leave.
    With `can_concede` players may give up (G-14). Unless a subclass says otherwise, it has no bots and no covers, and
    asks everybody the same question. `recorder` logs what is complete; None if nothing is to be logged. `roll_rewards`
    rolls the rewards of the game in a note, and returns a table of them with remarks; it raises VaultkitError.
    """

    over = False
    closed = False
    can_concede = False

    def __init__(self, recorder: EndingRecorder | None = None) -> None:
        self._recorder = recorder or EndingRecorder()
        self.roll_rewards: Callable[[str], tuple[Table, tuple[str, ...]]] | None = None
        self.revision = 0
        self._question: str | None = new_question()
        self._ending: Ending | None = None

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats of people for whom no bot plays."""
        return ()

    @abstractmethod
    def view(self, viewer: Viewer) -> ViewState:
        """Return everything that a viewer may see now."""

    def answer(self, viewer: Viewer, query: "AdviceQuery") -> "Sequence[Answer]":  # noqa: ARG002
        """Return the answers to a query. Raises OrderRefused if there are none."""
        raise OrderRefused("Nothing can be asked here.")

    def handle(self, viewer: Viewer, order: Order) -> Reply:
        """Carry out an order, and what follows at once without people.

        Raises StaleQuestion, OrderRefused and VaultkitError; then nothing has changed.
        """
        if isinstance(order.action, OperatorAction):
            if not viewer.is_operator:
                raise OrderRefused("Only the host can do that, at the big screen.")
        elif order.question != self._question_of(viewer):
            raise StaleQuestion
        reply = None
        match order.action:
            case Command.SAVE:
                if self._ending and self._ending.failure:
                    self._end()
            case Command.REWARDS:
                self._add_rewards()
            case Command.FINISH if self._is_complete and self._ending is None:
                if (warning := self._warn_of_end()) and not order.is_confirmed:
                    return Reply((warning,))
                self._end()
            case Command.FINISH:
                self.closed = True
            case Concede() if not self.can_concede:
                raise OrderRefused("Nobody concedes here: leave it, and nothing is lost.")
            case _:
                reply = self._obey(viewer, order)
        if order.action is not Command.NEXT:  # what comes next is seen before anything happens in it
            self.advance(watched=False)
        return reply or Reply()

    @property
    def logged(self) -> LogResult | None:
        """The notes that were written; None before the end, and where nothing is to be written."""
        return self._recorder.logged

    def finish(self) -> LogResult | None:
        """Log a complete game unless it is logged, and return the result. Raises VaultkitError if logging fails."""
        if self._is_complete and (self._ending is None or self._ending.failure):
            self._end()
        if self._recorder.error:
            raise self._recorder.error
        return self.logged

    @property
    def _is_complete(self) -> bool:
        """Whether there is something to log once people finish."""
        return False

    def _warn_of_end(self) -> Sentence | None:
        """Return the sentence to confirm before people finish, None if nothing is lost by that."""
        return None

    def _add_rewards(self) -> None:
        ending = self._ending
        if ending is None or not ending.rewards_note or self.roll_rewards is None:
            raise OrderRefused("There are no rewards to roll now.")
        table, remarks = self.roll_rewards(ending.rewards_note)
        self._ending = replace(
            ending, tables=(table, *ending.tables), remarks=(*ending.remarks, *remarks), rewards_note=""
        )
        self._renew_question()

    def _build_ending(self) -> Ending:
        """Log the complete game, and return its ending. Raises VaultkitError."""
        return self._recorder.write()

    def _end(self) -> None:
        """Log the complete game, and set the ending."""
        self._ending = self._build_ending()
        self.over = not (self._ending.goes_on or self._ending.failure)
        self._renew_question()

    @abstractmethod
    def _obey(self, viewer: Viewer, order: Order) -> Reply | None:
        """Carry out an order that answers the current question; None stands for an empty reply."""

    def advance(self, *, watched: bool, skip_pause: bool = False) -> float | None:  # noqa: ARG002
        """Do what needs no person, if it is due. Return the seconds until more is due, None if people must act first.

        `watched` says whether anybody looks; `skip_pause` ends the pause after a move of a bot or a failure to save.
        """
        return None

    def disconnect(self, viewer: Viewer) -> None:  # noqa: B027
        """Cover the hand that a viewer has uncovered."""

    def _question_of(self, viewer: Viewer) -> str | None:  # noqa: ARG002
        """Return the id of what a viewer may order now."""
        return self._question

    def _renew_question(self) -> None:
        """Note a visible change, and give the question a new id."""
        self.revision += 1
        self._question = new_question()
