"""The line-mode front-end: people at one screen, and bots, play a session to its end or leave it for later."""

from collections import defaultdict
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import replace

from rich.console import Console
from rich.text import Text

from vaultkit.errors import WriteError
from vaultkit.games.messages import Outcome, Seat
from vaultkit.games.registry import GAMES
from vaultkit.games.turn import Chance, Move, Prompt
from vaultkit.host.game_host import GameHost
from vaultkit.host.orders import Action, Command, Name, Order, OrderRefused, PlayMove, Reply, Viewer
from vaultkit.host.view_state import EntryDraft
from vaultkit.scene.bot_rounds import SummarizedRounds
from vaultkit.scene.knowledge import StepEvent, privately_seen_events, recallable_events, visible_events
from vaultkit.scene.real_cards import DEALER_SEAT_INDEX
from vaultkit.scene.scene import scene_of_screen
from vaultkit.session import Session, Step
from vaultkit.session.card_names import spellings
from vaultkit.session.history import UndoRefused
from vaultkit.session.match import seed_words
from vaultkit.session.options import house_rules
from vaultkit.session.real_deck import find_refereeing
from vaultkit.stdio import hold_terminal
from vaultkit.terminal import commands, renderables
from vaultkit.terminal.answer_sources import PlayerQuit
from vaultkit.terminal.board import Board
from vaultkit.terminal.commands import is_leaving
from vaultkit.terminal.console import GameConsole, WaitFunction, announce_save_on_exit
from vaultkit.terminal.move_prompt import MovePrompt
from vaultkit.terminal.real_card_commands import TALE_HELP, SeatMemory, TurnDialog
from vaultkit.terminal.safe_text import strip_controls
from vaultkit.terminal.styles import terminal_style
from vaultkit.terminal.terminal_mode import discard_typing, wait_for_enter
from vaultkit.terminal.terminal_text import TerminalText

ME = Viewer("terminal", is_operator=True)
_WATCHING_NOTICE = "You are out. From here on each round is shown in one line; vaultkit replay shows every move."
_REWARDS_REMARK = "Reward rolls such as 2 × row 1 are made on your reward table: vaultkit rewards, once this is logged."
_LINES_AFTER_END = 6
"""The lines that may say where a game was recorded."""
_NEWS_LINES = 4
"""So many lines are kept for the prompt and the last news where real cards are named."""


def show_end(session: Session, console: Console) -> None:
    """Show of a finished game only who won and why, and the score sheet."""
    assert session.outcome is not None, "the game is finished"
    speaker = TerminalText(session.name, session.deck, terminal_style(console, session.deck))
    tables = session.game.score_tables(session.outcome)[:1]
    ending = renderables.ending(session.outcome, tables, speaker, gm=session.header.agreement.gm)
    for part in (Text(f"{session.game.title}\n"), *ending):
        console.print(part, highlight=False, markup=False)


class GameView:
    """A game on a stage. What everyone at the screen may see stands on it; the rest comes at its owner's turn.

    A `dry_run` says, where it is left, how to go on with it as such; `wait` ends a pause early if a line is typed. On
    KeyboardInterrupt and on errors of a script the way back into the game is shown before they are raised on.
    """

    def __init__(
        self, host: GameHost, stage: GameConsole, *, dry_run: bool = False, wait: WaitFunction = wait_for_enter
    ) -> None:
        self.host = host
        host.on_step = self._show_step
        self.session = session = host.session
        self.stage = stage
        self.dry_run = dry_run
        self.speaker = TerminalText(session.name, session.deck, stage.look)
        self._wait = wait
        self._is_news_shown = False
        self._me = replace(ME, seats=frozenset(session.people))
        self._rounds = SummarizedRounds(session)
        self._watched = self._rounds.are_people_out()
        self._is_hurried = False
        self._viewer: Seat | None = None
        self._memories = defaultdict[Seat | None, SeatMemory](SeatMemory)

    @hold_terminal()
    def run(self) -> Outcome | None:
        """Play until the game ends, and return how; None when the people leave, and the session can be resumed."""
        self._show_opening()
        self._play_turns()
        if outcome := self.session.outcome:
            with suppress(PlayerQuit), discard_typing():
                self._pause()
            self._show_result(outcome)
        return outcome

    def _play_turns(self) -> None:
        with announce_save_on_exit(self._say_saved, self._resume_hint()):
            while self.session.outcome is None:
                with discard_typing():
                    self._advance()
                if self.session.turn:
                    self._ask(self.session.turn)

    def _advance(self) -> None:
        """Let luck and bots play. A step that cannot be saved is tried again if a person is there."""
        while self.host.advance(watched=True, skip_pause=True) is not None:
            if error := self.host.unsaved:
                if not self.stage.source.has_person:
                    raise error
                self._show_notice()
                try:
                    self.stage.wait("Press Enter to try again.")
                except EOFError:
                    raise error from None
            else:
                self._pause()

    def _pause(self) -> None:
        """Give people time to read the news of a bot's move. Raises PlayerQuit if they leave instead."""
        seconds = self.host.pause_seconds
        if self._is_news_shown and seconds and is_leaving(self._wait(seconds)):
            raise PlayerQuit
        self._is_news_shown = False

    def _order(self, action: Action, is_confirmed: bool = False, story: str | None = None) -> Reply | None:
        """Give the host an order; None if it could not be saved. Raises that error if no person can try again."""
        question = self.host.view(self._me).question
        try:
            return self.host.handle(self._me, Order(question, action, is_confirmed, story))
        except UndoRefused:
            raise
        except WriteError:
            if not self.stage.source.has_person:
                raise
            self._show_notice()
            return None

    def _show_notice(self) -> None:
        self.stage.show(Text(strip_controls(self.host.view(self._me).notice), self.stage.look.style("warning")))

    def _ask(self, turn: Prompt | Chance) -> None:
        """Ask for a move or for real cards, behind a mask if only one player may look."""
        cover, next_moves = self.host.view(self._me).cover, self._memories[turn.seat].next_moves
        if next_moves and isinstance(turn, Prompt):
            self._order(Command.UNCOVER) if cover and not cover.is_open else None
            if (move := next_moves.pop(0)) in turn.moves:
                self._order(PlayMove(move), True)
                return
            next_moves.clear()
        if cover is None:
            if not (isinstance(turn, Prompt) and self.session.header.unseen):
                self._viewer = None  # whoever is asked sits at the screen now, and perhaps all
            reply = self._ask_turn(self._make_dialog(turn, self.session.people))
        else:
            self._pass_screen_to(cover.seat)
            self._order(Command.UNCOVER)
            seats = self.session.people if cover.seat == DEALER_SEAT_INDEX else (cover.seat,)
            with self.stage.temporary_screen():
                reply = self._ask_turn(self._make_dialog(turn, seats, private=True))
        if reply is None:
            self.stage.show(Text("Taken back."))
        elif reply.story_about:
            self._ask_story(self._make_dialog(turn, self.session.people), reply.story_about)

    def _ask_turn(self, dialog: TurnDialog) -> Reply | None:
        """Ask until the turn is answered; None if something was taken back."""
        turn = dialog.turn
        is_gm = isinstance(turn, Chance) and self.session.is_gm_choice(turn)
        if not (isinstance(turn, Prompt) or is_gm) or self.session.header.unseen:
            return self._name_cards(dialog)
        help_ = commands.DEALER_HELP if is_gm else commands.HELP
        answer = MovePrompt(replace(dialog, scene=self.host.view(self._me).scene), help=help_).ask()
        return answer and answer[1]

    def _ask_story(self, dialog: TurnDialog, move: Move) -> None:
        """Ask for the player's story about a move, and make the move."""
        label = self.session.game.label(move).render(self.speaker.seat, lambda card: self.session.deck[card].name)
        story, draft = replace(dialog, help=TALE_HELP).tale(label), self.host.view(self._me).draft
        if story is not None:
            self._order(Command.SUBMIT if draft else PlayMove(move), True, story)
            return
        if draft:
            self._order(Command.BACK)
        self.stage.show(Text("Nothing was played."))

    def _name_cards(self, dialog: TurnDialog) -> Reply | None:
        """Ask for real cards until the turn is answered; None if something was taken back."""
        self._show_named_turn(dialog)
        while True:
            draft, steps = self.host.view(self._me).draft, len(self.session.steps)
            assert draft is not None, "cards are to be named"
            words = (*spellings(self.session.deck, draft.cards or ()), *(word for word, _, _ in draft.words))
            answer = dialog.line(strip_controls(draft.question), tuple(map(strip_controls, words)), draft.answers)
            if answer is None:
                if self._go_back(dialog, draft):
                    return None
                continue
            reply = self._name(dialog, draft, answer) if answer else Reply()
            if reply and (reply.story_about or len(self.session.steps) > steps):
                return reply

    def _name(self, dialog: TurnDialog, draft: EntryDraft, answer: str) -> Reply | None:
        try:
            return dialog.give(Name(answer), "Is it right? Type y, or it again:", answer, "")
        except OrderRefused as refusal:
            dialog.refuse(str(refusal), strip_controls(draft.subject))
            return None

    def _go_back(self, dialog: TurnDialog, draft: EntryDraft) -> bool:
        """Remove the card that was named last, or else take back what came before; whether the turn is asked anew."""
        if not draft.can_go_back:
            return dialog.take_back()
        self._order(Command.BACK)
        if draft.named:
            self.stage.show(Text(f"Not the {strip_controls(draft.named[-1])}."))
        return not draft.named

    def _show_named_turn(self, dialog: TurnDialog) -> None:
        """Show the question to people who name real cards."""
        turn, stage, speaker = dialog.turn, self.stage, self.speaker
        if isinstance(turn, Chance):
            stage.show(speaker.text(turn.text, stage.look.style("question")))
            return
        scene = scene_of_screen(self.session)
        if not stage.look.plain:
            stage.show(*Board(scene, None, speaker, stage.width).lines(stage.height - _NEWS_LINES))
            return
        stage.heading(f"{speaker.seat(turn.seat)} decides.")
        dialog.show_table()
        if scene.question:
            stage.show(renderables.question(scene.question, speaker))

    def _pass_screen_to(self, seat: Seat) -> None:
        """Have the screen handed on, to the dealer too."""
        if self._viewer != seat:
            self.stage.show_gap()
            dealer = self.session.header.agreement.gm or "the dealer"
            name = dealer if seat == DEALER_SEAT_INDEX else self.speaker.seat(seat)
            self.stage.wait(f"Pass the screen to {name}, then press Enter.")
        self._viewer = seat

    def _make_dialog(self, turn: Chance | Prompt, seats: Collection[Seat], *, private: bool = False) -> TurnDialog:
        order, advice = self._order, self.host.advice
        memory = self._memories[turn.seat]
        return TurnDialog(
            self.session, turn, self.stage, self.speaker, advice, seats, order, private=private, memory=memory
        )

    def _show_step(self, step: Step, by_person: bool) -> None:
        """Show a step, which is public; `_pause` gives time to read it."""
        self.stage.end_hidden()
        if by_person:
            self._show_news(step)
            return
        self._is_news_shown = self._show_own_step(step)

    def _show_own_step(self, step: Step) -> bool:
        """Show a step that needed no person, or sum it up with its round where no person plays on; whether it shows."""
        watched, self._watched = self._watched, self._rounds.are_people_out()
        if not watched:
            self._show_news(step)
            return bool(self._public_news([step]))
        if begins := not self._rounds.are_begun:
            self.stage.show(Text(_WATCHING_NOTICE, self.stage.look.style("faint")))
        rounds = self._rounds.add_latest_step()
        lines = [renderables.round_line(finished_round, self.speaker) for finished_round in rounds]
        self.stage.show(*lines)
        if (begins or lines) and self.stage.is_screen and not self._is_hurried and not self.session.outcome:
            answer = self.stage.pause("For the next round press Enter, for all e, to leave q:")
            if is_leaving(answer):
                raise PlayerQuit
            self._is_hurried = answer.casefold() == "e"
            return False
        return begins or bool(lines)

    def _show_news(self, step: Step) -> None:
        self.stage.show(*renderables.story(self._public_news([step]), self.speaker))
        turn = self.session.turn
        if self._viewer in self.session.people and not (isinstance(turn, Prompt) and turn.seat == self._viewer):
            self._show_alone(step, self._viewer)

    def _show_alone(self, step: Step, seat: Seat) -> None:
        """Show the player at the screen what they have just seen of others' cards, before the screen goes on."""
        news = privately_seen_events(self.session, seat, step)
        if news:
            with self.stage.temporary_screen():
                self.stage.show(Text(f"For {self.speaker.seat(seat)} alone:", self.stage.look.style("faint")))
                self.stage.show(*renderables.story(news, self.speaker))
                self.stage.wait("Press Enter when you have seen it.")

    def _public_news(self, steps: Iterable[Step]) -> list[StepEvent]:
        return visible_events(self.session.people, steps)

    def _show_opening(self) -> None:
        names = [self.speaker.seat(seat) for seat in range(len(self.session.header.seats))]
        self.stage.heading(self.session.game.title)
        header = self.session.header
        cards_note = ", real cards" if header.real_cards else ""
        self.stage.show(Text(f"{', '.join(names)}. Session {self.session.id}{cards_note}."))
        if header.real_cards:
            self.stage.show(Text(find_refereeing(header.game, header.options).how))
        rules = house_rules(self.session.game, header.options, header.agreement.settled_options)
        if rules:
            self.stage.show(Text("House rules:"), *renderables.bullet_lines(rules, self.speaker))
        if self.session.remark:
            self.stage.show(Text(strip_controls(self.session.remark), self.stage.look.style("warning")))
        if self.session.people and self.session.outcome is None:
            self.stage.show(Text("Type help for all that you can type, q to leave.", self.stage.look.style("faint")))
        self._show_recap()
        self.stage.show_gap()

    def _show_recap(self) -> None:
        """Show the state of a game that was resumed."""
        news = recallable_events(self.session, self.session.people)
        if news and self.session.outcome is None:
            self.stage.show_gap()
            self.stage.show(Text("Where you left off:", self.stage.look.style("faint")))
            self.stage.show(*renderables.latest(news, self.speaker))

    def _show_result(self, outcome: Outcome) -> None:
        tables, header = self.session.game.score_tables(outcome), self.session.header
        with self.stage.pages(_LINES_AFTER_END):
            self.stage.heading("The end")
            self.stage.show(*renderables.ending(outcome, tables, self.speaker, self.host.story, header.agreement.gm))
            info = GAMES.get(header.game)
            if info and info.rewards and not self.stage.look.plain:
                self.stage.show(Text(_REWARDS_REMARK, self.stage.look.style("faint")))
        if seed := seed_words(header):
            self.stage.show_unbroken(seed)

    def _resume_hint(self) -> str:
        """Return how to continue or give up a game that its script did not finish; `resume` would take it first."""
        discard = f"vaultkit sessions --discard {self.session.id}"
        return f"The game stays as it is. Continue with: {self._resume_command}. To give it up: {discard}"

    @property
    def _resume_command(self) -> str:
        return f"vaultkit resume {self.session.id}{' --dry-run' if self.dry_run else ''}"

    def _say_saved(self) -> None:
        saved_text = "No note is written; the game itself is kept." if self.dry_run else "The game is saved."
        self.stage.show(Text(f"\n{saved_text} Continue with: {self._resume_command}"))
