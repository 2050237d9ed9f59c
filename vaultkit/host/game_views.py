"""The views of a game for each viewer: hands behind covers or on phones, questions, drafts and news."""

from collections.abc import Callable, Collection, Mapping
from dataclasses import replace

from vaultkit.errors import VaultkitError
from vaultkit.games.messages import Seat, Sentence
from vaultkit.games.turn import Chance, Prompt
from vaultkit.host.ending import EndingRecorder
from vaultkit.host.interface import Host
from vaultkit.host.orders import Viewer, new_question
from vaultkit.host.pending_choices import PendingChoices
from vaultkit.host.view_state import Cover, EntryDraft, ViewState
from vaultkit.scene.knowledge import is_private, merge_news, visible_events
from vaultkit.scene.narration import asks_for_tale
from vaultkit.scene.real_cards import (
    DEALER_SEAT_INDEX,
    WORDS_FOR_NOTHING,
    HandNaming,
    Naming,
    find_card_holder,
    scene_of_gm,
)
from vaultkit.scene.scene import Scene, question_of, scene_of_screen, scene_of_seat
from vaultkit.session import Session, Step
from vaultkit.text import capitalize_first
from vaultkit.vault.note_facts import name_of

MAX_RECENT_STEP_COUNT = 24
"""The number of steps from which the news in a scene may come."""
UNSAVED_MESSAGE = "The move could not be saved, so nothing was played. The big screen says why."
PAUSED_MESSAGE = "The game is paused until the host continues it."


class GameViews(Host):
    """A session as each viewer may see it.

    `phones` returns the seats whose players have a phone; None means that all people share one screen.
    """

    def __init__(
        self, session: Session, recorder: EndingRecorder | None, phones: Callable[[], Collection[Seat]] | None = None
    ) -> None:
        super().__init__(recorder)
        self.is_paused = False
        self.unsaved: VaultkitError | None = None
        self._phones = phones
        self._private: bool | None = None
        self._next_step_time = 0.0
        self._scenes: dict[tuple[Seat | None, bool], Scene | None] = {}
        self._show_session(session)

    def _show_session(self, session: Session) -> None:
        self.session = session
        self._ending = None
        self._naming: Naming | None = None
        self._pending = PendingChoices(session)
        self._notice = ""
        self._uncovered_hand: tuple[str, Seat] | None = None
        self._question_ids: dict[Seat, str] = {}
        self._screen_questions: dict[str, tuple[Scene, str]] = {}
        self._chosen_labels: dict[Seat, str] = {}
        seats = session.people if self._phones else ()
        self._news_by_seat: dict[Seat | None, list[Sentence]] = {None: [], **{seat: [] for seat in seats}}
        self.renew_question()

    def view(self, viewer: Viewer) -> ViewState:
        """Return the game as a viewer may see it; a hand is shown to its owner, or once its cover is lifted."""
        scene, naming = self._scene_of(viewer), self._naming if self._is_open(viewer) else None
        if self._phones is not None:
            scene = self._show_common_choice(self._pending.show(scene))
        if naming and not self._is_gm_turn:
            question = scene_of_screen(self.session).question
            if find_card_holder(self.session) is not None:  # the owner of the cards may see which are in question
                question = question_of(self.session.turn)
            scene = replace(scene, question=question, offers=(), refusals={})
        paused = PAUSED_MESSAGE if self.is_paused and self._phones is None else ""
        state = ViewState(
            scene=scene,
            deck=self.session.deck,
            question=self._question_of(viewer),
            cover=self._cover(viewer),
            draft=_show_naming(naming) if naming else None,
            ending=self._ending,
            notice=self._notice or paused,
            news=self._news_by_seat[self._phone_seat(viewer)],
            headings=self._encounter,
            concession=self._concession_role(viewer),
            stories=frozenset(at for at, offer in enumerate(scene.offers) if asks_for_tale(self.session, offer.move)),
        )
        return state if self._phones is None else self._phone_state(viewer, state)

    def _show_common_choice(self, scene: Scene) -> Scene:
        """Return the scene of the screen with the question to all who choose at once in secret (G-3)."""
        seats = self._deciding_seats()
        if scene.viewer is not None or not scene.question or not self._is_secret_turn or not seats[1:]:
            return scene
        return replace(scene, question=replace(scene.question, text=Sentence("{seats} choose at once.", seats)))

    def _phone_state(self, viewer: Viewer, state: ViewState) -> ViewState:
        """Return what a viewer sees of a game with phones: only the operator reads where notes are."""
        seat, ending = self._phone_seat(viewer), self._ending
        state, prompt = replace(state, waiting_for=self._deciding_seats()), self._person_prompt
        if prompt and self._decides_together(prompt) and prompt.seat != seat:
            state = replace(state, waiting_for=(), party_seat=prompt.seat)
        if seat is None:
            return state
        choice_label = "" if state.question else self._chosen_labels.get(seat, "")
        notice = UNSAVED_MESSAGE if self.unsaved and not ending else state.notice if not ending else ""
        if ending:
            ending = replace(ending, written=(), unwritten=(), failure="", link="", remarks=())
        return replace(state, notice=notice, ending=ending, chosen=choice_label)

    def invalidate(self) -> None:
        """Note that something visible has changed."""
        self._scenes.clear()
        self._private = None
        self.revision += 1

    @property
    def _is_bot_turn(self) -> bool:
        prompt = self.session.prompt
        return prompt is not None and prompt.seat not in self.session.people

    @property
    def _person_prompt(self) -> Prompt | None:
        """The decision that a person must make now."""
        prompt = self.session.prompt
        return prompt if prompt and prompt.seat in self.session.people else None

    @property
    def _is_gm_turn(self) -> bool:
        """Whether the GM plays a card of the dealer's."""
        turn = self.session.turn
        return isinstance(turn, Chance) and self.session.is_gm_choice(turn)

    @property
    def _is_secret_turn(self) -> bool:
        """Whether a seat chooses in secret now."""
        prompt = self.session.prompt
        return prompt is not None and prompt.secret

    def _phone_seat(self, viewer: Viewer) -> Seat | None:
        """Return the seat of a viewer with a phone, None for a shared screen."""
        return None if viewer.is_operator or self._phones is None else next(iter(viewer.seats))

    def _cover(self, viewer: Viewer) -> Cover | None:
        holder, prompt = find_card_holder(self.session), self._person_prompt
        if holder is not None:
            dealer = self.session.header.agreement.gm or "the dealer"
            name = dealer if holder == DEALER_SEAT_INDEX else self.session.name(holder)
            return Cover(holder, name, self._has_lifted(viewer, holder), names=not self._is_gm_turn)
        if prompt is None or self.session.header.unseen or not self._is_private(prompt):
            return None
        if self._phones is not None and not (viewer.is_operator and prompt.seat in viewer.seats):
            return None
        return Cover(prompt.seat, self.session.name(prompt.seat), self._has_lifted(viewer, prompt.seat))

    def _has_lifted(self, viewer: Viewer, seat: Seat) -> bool:
        return self._uncovered_hand == (viewer.id, seat)

    def _is_open(self, viewer: Viewer) -> bool:
        cover = self._cover(viewer)
        return cover is None or cover.is_open

    def _is_private(self, prompt: Prompt) -> bool:
        if self._private is None:
            self._private = is_private(self.session, prompt)
        return self._private

    def _seat_of(self, viewer: Viewer) -> Seat | None:
        """Return the seat whose knowledge this viewer may see now; None for what everybody may see."""
        prompt, people = self._person_prompt, self.session.people
        if (phone_seat := self._phone_seat(viewer)) is not None:
            return phone_seat
        holder = DEALER_SEAT_INDEX if self._is_gm_turn else find_card_holder(self.session)
        if self.session.header.unseen or (holder == DEALER_SEAT_INDEX and not self._is_gm_turn):
            return None  # nobody has entered the cards of a hand, so that it has only placeholders
        if holder is not None:
            return holder if self._is_open(viewer) else None
        if prompt is None:
            is_alone = len(people) == 1 and self._phones is None
            return people[0] if is_alone and not self.session.outcome else None
        return prompt.seat if self._may_answer(viewer, prompt) and self._is_open(viewer) else None

    def _may_answer(self, viewer: Viewer, prompt: Prompt) -> bool:
        """Return whether a viewer may answer: its player is asked, or all decide together at its screen."""
        return prompt.seat in viewer.seats or (viewer.is_operator and self._decides_together(prompt))

    def _decides_together(self, prompt: Prompt) -> bool:
        """Return whether all people decide, with open hands."""
        return prompt.party and not self._is_private(prompt)

    def _concession_role(self, viewer: Viewer) -> str:
        """Return "" if nobody has asked to concede, else whether this viewer must still "agree" or has to "wait"."""
        if not self._agreeing_seats:
            return ""
        return "agree" if viewer.seats.difference(self._agreeing_seats) else "wait"

    @property
    def _encounter(self) -> tuple[Sentence, ...]:
        """The name of the encounter that a character faces."""
        name = name_of(self.session.header.agreement.encounter)
        return (Sentence("{v0}", values=(name,)),) if name else ()

    def _scene_of(self, viewer: Viewer) -> Scene:
        return self._scene(self._seat_of(viewer))

    def _scene(self, seat: Seat | None) -> Scene:
        ahead = self._scene_ahead(seat) if seat is not None else None
        return ahead or self._scene_now(seat)

    def _scene_now(self, seat: Seat | None) -> Scene:
        """Return what a seat may see now, or with None everybody, without choices that were made ahead."""
        scene = self._scenes.get((seat, False))
        if scene is None:
            since = max(0, len(self.session.steps) - MAX_RECENT_STEP_COUNT)
            if seat is None:
                scene = scene_of_screen(self.session, since, for_all=self._phones is not None)
            else:
                scene = scene_of_gm(self.session) if seat == DEALER_SEAT_INDEX else scene_of_seat(self.session, seat)
                scene = replace(scene, news=merge_news(scene.news, self._scene_now(None).news))
            self._scenes[seat, False] = scene
        return scene

    def _scene_ahead(self, seat: Seat) -> Scene | None:
        """Return the scene in which a player chooses in secret on a phone before it is their turn (G-3)."""
        if self._phones is None or seat not in self._phones() or seat in self.bots or self.is_paused:
            return None
        if (seat, True) not in self._scenes:
            scene = self._pending.scene(seat)
            self._scenes[seat, True] = scene and replace(scene, news=self._scene_now(seat).news)
        return self._scenes[seat, True]

    def _deciding_seats(self) -> tuple[Seat, ...]:
        """Return all who have a choice to make now."""
        prompt, seats = self.session.prompt, range(len(self.names))
        return tuple(seat for seat in seats if prompt and (prompt.seat == seat or self._scene_ahead(seat)))

    def _question_of(self, viewer: Viewer) -> str | None:
        """Return the id of what this viewer may order now.

        With phones it only changes when the viewer's own scene does, or it would tell of what happens elsewhere.
        """
        if self._phones is None:
            return self._question
        seat, prompt = self._phone_seat(viewer), self._person_prompt
        if seat is None:
            scene = self._scene_of(viewer)
            last_question = self._screen_questions.get(viewer.id)
            if last_question is None or last_question[0] != scene:
                last_question = self._screen_questions[viewer.id] = (scene, new_question())
            return last_question[1]
        if (prompt is None or prompt.seat != seat) and not self._scene_ahead(seat):
            self._question_ids.pop(seat, None)
            return None
        return self._question_ids.setdefault(seat, new_question())

    def _add_news(self, step: Step) -> bool:
        """Add what each viewer may know of a step to the news, and return whether everybody knows something."""
        screen_seats = range(len(self.session.header.seats)) if self._phones else self.session.people
        for seat, news in self._news_by_seat.items():
            knowing_seats = screen_seats if seat is None else (seat,)
            news += [event.sentence for _, event in visible_events(knowing_seats, [step])]
        return bool(visible_events(screen_seats, [step]))

    def _cover_hand_after(self, step: Step) -> None:
        """Cover a hand if another player has moved; of real cards also if its owner is not the next to look."""
        hand, prompt = self._uncovered_hand, self._person_prompt
        if hand is None:
            return
        holder = find_card_holder(self.session)
        if holder is None and prompt and is_private(self.session, prompt):
            holder = prompt.seat
        names_cards = self.session.header.real_cards or bool(self.session.header.agreement.gm)
        if step.seat not in (None, hand[1]) or (names_cards and hand[1] != holder):
            self._uncovered_hand = None

    @property
    def names(self) -> tuple[str, ...]:
        return self.session.header.names

    @property
    def phone_seats(self) -> Collection[Seat]:
        """The seats whose players have a phone."""
        return self._phones() if self._phones else ()

    @property
    def people(self) -> tuple[Seat, ...]:
        """The seats of people for whom no bot plays."""
        return self.session.people

    @property
    def bots(self) -> Mapping[Seat, str]:
        """The strategies of the bots that play for people, by seat."""
        return self.session.lent_seats

    def _forget_choice(self, seat: Seat) -> None:
        """Forget what a seat has chosen in secret ahead of its turn."""
        self._pending.forget(seat)
        self._chosen_labels.pop(seat, None)

    def disconnect(self, viewer: Viewer) -> None:
        """Cover the hand that this viewer has uncovered."""
        if self._uncovered_hand and self._uncovered_hand[0] == viewer.id:
            self._uncovered_hand = None

    def renew_question(self) -> None:
        """Give the question a new id, even if it has the same words."""
        self._renew_question()
        self._agreeing_seats: set[Seat] = set()  # the people who want to concede together (G-14)
        self._question = self._question if self._person_prompt or self.session.outcome else None

    def _renew_question(self) -> None:
        self.invalidate()
        self._question = new_question()


def _show_naming(naming: Naming) -> EntryDraft:
    """Return the draft of the real cards, or of the other answers, that are named now."""
    words = tuple((label, label, "") for _, label in naming.choices)
    if isinstance(naming, HandNaming) and naming.words and naming.move is None:
        words = ((WORDS_FOR_NOTHING[0], capitalize_first(WORDS_FOR_NOTHING[0]), ""),)
    deck = naming.session.deck
    return EntryDraft(
        naming.question,
        None if naming.choices else naming.pile,
        words,
        tuple(deck[card].title for card in naming.named),
        answers=naming.words,
        subject=naming.subject,
        can_go_back=bool(naming.named or naming.move),
    )
