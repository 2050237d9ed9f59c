"""The line-mode front-end: people at one screen, and bots, play a session to its end or leave it for later."""

from collections.abc import Collection, Iterable
from dataclasses import replace

from rich.console import Console
from rich.text import Text

from vaultkit.games.messages import Outcome, Seat, Sentence
from vaultkit.games.turn import Chance, IllegalMove, Move, Prompt
from vaultkit.scene.bot_rounds import SummarizedRounds
from vaultkit.scene.knowledge import StepEvent, is_private, privately_seen_events, recallable_events, visible_events
from vaultkit.scene.narration import asks_for_tale
from vaultkit.scene.real_cards import DEALER_SEAT_INDEX, Naming, create_naming, find_card_holder
from vaultkit.scene.rule_reference import Reference
from vaultkit.scene.scene import scene_of_screen
from vaultkit.session import Session, Step
from vaultkit.session.match import seed_words
from vaultkit.session.options import house_rules
from vaultkit.session.real_deck import find_refereeing
from vaultkit.terminal import renderables
from vaultkit.terminal.board import Board
from vaultkit.terminal.console import BotDelay, GameConsole, announce_save_on_exit
from vaultkit.terminal.move_prompt import MovePrompt
from vaultkit.terminal.real_card_commands import TALE_HELP, TurnDialog
from vaultkit.terminal.safe_text import strip_controls
from vaultkit.terminal.styles import terminal_style
from vaultkit.terminal.terminal_text import TerminalText

_MAX_NEWS_STEPS = 8
"""So many steps may have brought the news that stand on the screen when a decision comes."""
_NEWS_LINES = 4
"""So many lines are kept for the prompt and the last news where real cards are named."""


def show_end(session: Session, console: Console) -> None:
    """Show of a finished game only who won and why, and the score sheet."""
    assert session.outcome is not None, "the game is finished"
    speaker = TerminalText(session.name, session.deck, terminal_style(console, session.deck))
    tables = session.game.score_tables(session.outcome)[:1]
    for part in (Text(f"{session.game.title}\n"), *renderables.ending(session.outcome, tables, (), speaker)):
        console.print(part, highlight=False, markup=False)


class GameView:
    """A session on a stage. What everyone at the screen may see stands on it; the rest comes at its owner's turn.

    Bots play at that `pace`; a `dry_run` says, where it is left, how to go on with it as such. On KeyboardInterrupt
    and on errors of a script the way back into the game is shown before they are raised on.
    """

    def __init__(
        self, session: Session, stage: GameConsole, reference: Reference, pace: BotDelay, *, dry_run: bool
    ) -> None:
        self.session = session
        self.stage = stage
        self.reference = reference
        self.pace = pace
        self.dry_run = dry_run
        self.speaker = TerminalText(session.name, session.deck, stage.look)
        self._rounds = SummarizedRounds(session)
        self._watched = self._rounds.are_people_out()
        self._viewer: Seat | None = None
        self._last_news: StepEvent | None = None

    def run(self) -> Outcome | None:
        """Play until the game ends, and return how; None when the people leave, and the session can be resumed."""
        self._show_opening()
        outcome = self._play_turns()
        if outcome:
            self._show_result(outcome)
        return outcome

    def _play_turns(self) -> Outcome | None:
        with announce_save_on_exit(self._say_saved, self._resume_hint()):
            while self.session.outcome is None:
                self._play_turn()
            self.pace.end()
            return self.session.outcome
        return None

    def _play_turn(self) -> None:
        for step in self.session.advance():
            self.pace.end()
            if self._show_step(step) and step.seat is not None and step.seat not in self.session.people:
                self.pace.begin()
        turn = self.session.turn
        if isinstance(turn, Prompt):
            self._ask_move(turn)
        elif isinstance(turn, Chance):
            self._ask_chance(turn)

    def _ask_move(self, prompt: Prompt) -> None:
        if self.session.header.unseen:
            self._play_move(_name_cards(self._make_dialog(prompt, self.session.people)))
            return
        private = is_private(self.session, prompt)
        seats = (prompt.seat,) if private else self.session.people
        news = self._public_news(self.session.steps[-_MAX_NEWS_STEPS:])
        again, self._last_news = bool(news) and news[-1] == self._last_news, news[-1] if news else None
        decision = MovePrompt(self._make_dialog(prompt, seats, private=private), prompt, news, again=again)
        if private:
            self._pass_screen_to(prompt.seat)
            with self.stage.hidden():
                move = decision.ask()
        else:
            self._viewer = None  # whoever is asked sits at the screen now, and perhaps all
            move = decision.ask()
        self._play_move(move)

    def _play_move(self, move: Move | None) -> None:
        """Play what was decided or dealt; None says that something was taken back instead."""
        if move is None:
            self.stage.show(Text("Taken back."))
            return
        tale = self._ask_tale(move)
        if tale is None:
            self.stage.show(Text("Nothing was played."))
            return
        self.session.submit(move, tale)
        self._show_news(self.session.steps[-1])

    def _ask_tale(self, move: Move) -> str | None:
        """The player's tale of a move before it is played, "" in games without stories; None to take the move back."""
        session = self.session
        if not session.prompt or not asks_for_tale(session, move):
            return ""
        return replace(self._make_dialog(session.prompt, session.people), help=TALE_HELP).tale(move)

    def _pass_screen_to(self, seat: Seat) -> None:
        """Have the screen handed on, to the dealer too."""
        if self._viewer != seat:
            self.stage.show_gap()
            name = "the dealer" if seat == DEALER_SEAT_INDEX else self.speaker.seat(seat)
            self.stage.wait(f"Pass the screen to {name}, then press Enter.")
        self._viewer = seat

    def _ask_chance(self, chance: Chance) -> None:
        seat = find_card_holder(self.session)
        if seat is None:
            self._viewer = None
            self._play_move(_name_cards(self._make_dialog(chance, self.session.people)))
            return
        self._pass_screen_to(seat)
        looking = () if seat == DEALER_SEAT_INDEX else (seat,)
        with self.stage.hidden():
            move = _name_cards(self._make_dialog(chance, looking or self.session.people, private=True))
        self._play_move(move)

    def _make_dialog(self, turn: Chance | Prompt, seats: Collection[Seat], *, private: bool = False) -> TurnDialog:
        return TurnDialog(self.session, turn, self.stage, self.speaker, self.reference, seats, private=private)

    def _show_step(self, step: Step) -> bool:
        """Show a step that needed no person, or sum it up with its round where no person plays on; whether it shows."""
        watched, self._watched = self._watched, self._rounds.are_people_out()
        if not watched:
            self._show_news(step)
            return bool(self._public_news([step]))
        if begins := not self._rounds.are_begun:
            notice = "From here on each round is told in a line; vaultkit replay shows every move."
            self.stage.show(Text(notice, self.stage.look.style("faint")))
        rounds = self._rounds.add_latest_step()
        lines = [renderables.round_line(finished_round, self.speaker) for finished_round in rounds]
        self.stage.show(*lines)
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
            with self.stage.hidden():
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
        """After a resume: where the game stood."""
        news = recallable_events(self.session, self.session.people)
        if news and self.session.outcome is None:
            self.stage.show_gap()
            self.stage.show(Text("Where you left off:", self.stage.look.style("faint")))
            self.stage.show(*renderables.latest(news, self.speaker))

    def _show_result(self, outcome: Outcome) -> None:
        self.stage.heading("The end")
        tables = self.session.game.score_tables(outcome)
        self.stage.show(*renderables.ending(outcome, tables, self.session.steps, self.speaker))
        if seed := seed_words(self.session.header):
            self.stage.show_unbroken(seed)

    def _resume_hint(self) -> str:
        """How to go on with a game that its script did not finish, or give it up; bare `resume` would take it first."""
        discard = f"vaultkit sessions --discard {self.session.id}"
        return f"The game stays as it is. Go on with: {self._resume_command}. To give it up: {discard}"

    @property
    def _resume_command(self) -> str:
        return f"vaultkit resume {self.session.id}{' --dry-run' if self.dry_run else ''}"

    def _say_saved(self) -> None:
        saved_text = "No note is written; the game itself is kept." if self.dry_run else "The game is saved."
        self.stage.show(Text(f"\n{saved_text} Go on with: {self._resume_command}"))


def _name_cards(dialog: TurnDialog) -> Move | None:
    """The move, once it is whole and meant; None if something was taken back. Raises EOFError where people leave."""
    card_naming = create_naming(dialog.session, dialog.speaker, dialog.seats)
    assert card_naming is not None, "only where real cards are to be named"
    if isinstance(dialog.turn, Prompt):
        _show_board(dialog, dialog.turn)
    else:
        dialog.stage.show(dialog.speaker.text(dialog.turn.text, dialog.speaker.look.style("question")))
        if dialog.session.is_gm_choice(dialog.turn):
            hand_sentence = Sentence("In hand: {cards}.", cards=dialog.turn.options)
            dialog.stage.show(dialog.speaker.text(hand_sentence))
    while not (answer := _ask_card_line(dialog, card_naming)) or not _accept_answer(dialog, card_naming, answer):
        if answer is None and _go_back(dialog, card_naming):
            return None
    return card_naming.move


def _ask_card_line(dialog: TurnDialog, card_naming: Naming) -> str | None:
    spellings = tuple(map(strip_controls, card_naming.spellings))
    return dialog.line(strip_controls(card_naming.question), spellings, card_naming.words)


def _accept_answer(dialog: TurnDialog, card_naming: Naming, answer: str) -> bool:
    """Whether nothing more is to be named after this."""
    old_move = card_naming.move
    try:
        card_naming.say(answer)
    except IllegalMove as error:
        dialog.refuse(error.message, strip_controls(card_naming.subject))
        return False
    if card_naming.move and not old_move and not dialog.confirm_move(card_naming.move, answer):
        card_naming.forget()
    return card_naming.is_whole


def _go_back(dialog: TurnDialog, card_naming: Naming) -> bool:
    """Forget the card that was named last; before the first one, take back what came before, and whether that was."""
    if removed_card := card_naming.remove_last_card():
        dialog.stage.show(Text(f"Not the {strip_controls(dialog.session.deck[removed_card].title)}."))
        return False
    return card_naming.move is not None or dialog.take_back()


def _show_board(dialog: TurnDialog, prompt: Prompt) -> None:
    scene, stage = scene_of_screen(dialog.session), dialog.stage
    if not stage.look.plain:
        stage.show(*Board(scene, (), dialog.speaker, stage.console).lines(stage.height - _NEWS_LINES))
        return
    stage.heading(f"{dialog.speaker.seat(prompt.seat)} decides.")
    dialog.show_table()
    if scene.question:
        stage.show(renderables.question(scene.question, dialog.speaker))
