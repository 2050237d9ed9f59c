"""The line-mode front-end: people at one screen, and bots, play a session to its end or leave it for later."""

from collections.abc import Collection, Iterable
from dataclasses import replace

from rich.console import Console
from rich.text import Text

from vaultkit.games.turn import Chance, IllegalMove, Move, Prompt
from vaultkit.games.words import Outcome, Seat, Sentence
from vaultkit.play import pages
from vaultkit.play.asking import TALE_HELP, Asking
from vaultkit.play.board import Board
from vaultkit.play.deciding import Decision
from vaultkit.play.look import look_for
from vaultkit.play.pace import Pace
from vaultkit.play.plain import safe
from vaultkit.play.speaking import Speaker
from vaultkit.play.stage import Stage, farewell
from vaultkit.scene.knowledge import Told, is_private, seen_alone, told_to
from vaultkit.scene.memory import may_look_up
from vaultkit.scene.real_cards import DEALER, Naming, holder, naming
from vaultkit.scene.reference import Reference
from vaultkit.scene.rounds import Rounds
from vaultkit.scene.scene import scene_of_screen
from vaultkit.scene.tales import asks_for_tale
from vaultkit.session import Session, Step
from vaultkit.session.match import seed_words
from vaultkit.session.options import house_rules
from vaultkit.session.refereeing import refereeing

_LAST = 8
"""So many steps may have brought the news that stand on the screen when a decision comes."""
_NEWS = 4
"""So many lines are kept for the prompt and the last news where real cards are named."""


def show_end(session: Session, console: Console) -> None:
    """Show of a finished game only who won and why, and the score sheet."""
    assert session.outcome is not None, "the game is finished"
    speaker = Speaker(session.name, session.deck, look_for(console, session.deck))
    tables = session.game.score_tables(session.outcome)[:1]
    for part in (Text(f"{session.game.title}\n"), *pages.ending(session.outcome, tables, (), speaker)):
        console.print(part, highlight=False, markup=False)


class LinePlay:
    """A session on a stage. What everyone at the screen may see stands on it; the rest comes at its owner's turn.

    Bots play at that `pace`; a `dry_run` says, where it is left, how to go on with it as such. On KeyboardInterrupt
    and on errors of a script the way back into the game is shown before they are raised on.
    """

    def __init__(self, session: Session, stage: Stage, reference: Reference, pace: Pace, *, dry_run: bool) -> None:
        self.session = session
        self.stage = stage
        self.reference = reference
        self.pace = pace
        self.dry_run = dry_run
        self.speaker = Speaker(session.name, session.deck, stage.look)
        self._rounds = Rounds(session)
        self._watched = self._rounds.are_watched()
        self._looking: Seat | None = None
        self._drawn: Told | None = None

    def run(self) -> Outcome | None:
        """Play until the game ends, and return how; None when the people leave, and the session can be resumed."""
        self._open()
        outcome = self._play_on()
        if outcome:
            self._close(outcome)
        return outcome

    def _play_on(self) -> Outcome | None:
        with farewell(self._say_saved, self._ways_on()):
            while self.session.outcome is None:
                self._go_on()
            self.pace.end()
            return self.session.outcome
        return None

    def _go_on(self) -> None:
        for step in self.session.advance():
            self.pace.end()
            if self._follow(step) and step.seat is not None and step.seat not in self.session.people:
                self.pace.begin()
        turn = self.session.turn
        if isinstance(turn, Prompt):
            self._decide(turn)
        elif isinstance(turn, Chance):
            self._deal(turn)

    def _decide(self, prompt: Prompt) -> None:
        if self.session.header.unseen:
            self._take(_name_cards(self._asking(prompt, self.session.people)))
            return
        private = is_private(self.session, prompt)
        seats = (prompt.seat,) if private else self.session.people
        news = self._public(self.session.steps[-_LAST:])
        again, self._drawn = bool(news) and news[-1] == self._drawn, news[-1] if news else None
        decision = Decision(self._asking(prompt, seats, private=private), prompt, news, again=again)
        if private:
            self._pass_to(prompt.seat)
            with self.stage.hidden():
                move = decision.ask()
        else:
            self._looking = None  # whoever is asked sits at the screen now, and perhaps all
            move = decision.ask()
        self._take(move)

    def _take(self, move: Move | None) -> None:
        """Play what was decided or dealt; None says that something was taken back instead."""
        if move is None:
            self.stage.show(Text("Taken back."))
            return
        tale = self._tale(move)
        if tale is None:
            self.stage.show(Text("Nothing was played."))
            return
        self.session.submit(move, tale)
        self._tell(self.session.steps[-1])

    def _tale(self, move: Move) -> str | None:
        """The player's tale of a move before it is played, "" in games without stories; None to take the move back."""
        session = self.session
        if not session.prompt or not asks_for_tale(session, move):
            return ""
        return replace(self._asking(session.prompt, session.people), help=TALE_HELP).tale(move)

    def _pass_to(self, seat: Seat) -> None:
        """Have the screen handed on, to the dealer too."""
        if self._looking != seat:
            self.stage.gap()
            name = "the dealer" if seat == DEALER else self.speaker.seat(seat)
            self.stage.wait(f"Pass the screen to {name}, then press Enter.")
        self._looking = seat

    def _deal(self, chance: Chance) -> None:
        seat = holder(self.session)
        if seat is None:
            self._looking = None
            self._take(_name_cards(self._asking(chance, self.session.people)))
            return
        self._pass_to(seat)
        looking = () if seat == DEALER else (seat,)
        with self.stage.hidden():
            move = _name_cards(self._asking(chance, looking or self.session.people, private=True))
        self._take(move)

    def _asking(self, turn: Chance | Prompt, seats: Collection[Seat], *, private: bool = False) -> Asking:
        return Asking(self.session, turn, self.stage, self.speaker, self.reference, seats, private=private)

    def _follow(self, step: Step) -> bool:
        """Show a step that needed no person, or sum it up with its round where no person plays on; whether it shows."""
        watched, self._watched = self._watched, self._rounds.are_watched()
        if not watched:
            self._tell(step)
            return bool(self._public([step]))
        if begins := not self._rounds.are_begun:
            said = "From here on each round is told in a line; vaultkit replay shows every move."
            self.stage.show(Text(said, self.stage.look.style("faint")))
        lines = [pages.round_line(one, self.speaker) for one in self._rounds.add_latest()]
        self.stage.show(*lines)
        return begins or bool(lines)

    def _tell(self, step: Step) -> None:
        self.stage.show(*pages.story(self._public([step]), self.speaker))
        turn = self.session.turn
        if self._looking in self.session.people and not (isinstance(turn, Prompt) and turn.seat == self._looking):
            self._show_alone(step, self._looking)

    def _show_alone(self, step: Step, seat: Seat) -> None:
        """Show the player at the screen what they have just seen of others' cards, before the screen goes on."""
        news = seen_alone(self.session, seat, step)
        if news:
            with self.stage.hidden():
                self.stage.show(Text(f"For {self.speaker.seat(seat)} alone:", self.stage.look.style("faint")))
                self.stage.show(*pages.story(news, self.speaker))
                self.stage.wait("Press Enter when you have seen it.")

    def _public(self, steps: Iterable[Step]) -> list[Told]:
        return told_to(self.session.people, steps)

    def _open(self) -> None:
        names = [self.speaker.seat(seat) for seat in range(len(self.session.header.seats))]
        self.stage.heading(self.session.game.title)
        header = self.session.header
        dealt = ", real cards" if header.real_cards else ""
        self.stage.show(Text(f"{', '.join(names)}. Session {self.session.id}{dealt}."))
        if header.real_cards:
            self.stage.show(Text(refereeing(header.game, header.options).how))
        told = house_rules(self.session.game, header.options, header.agreement.settled_options)
        if told:
            self.stage.show(Text("House rules:"), *pages.lines_of(told, self.speaker))
        if self.session.remark:
            self.stage.show(Text(safe(self.session.remark), self.stage.look.style("warning")))
        if self.session.people and self.session.outcome is None:
            self.stage.show(Text("Type help for all that you can type, q to leave.", self.stage.look.style("faint")))
        self._recall()
        self.stage.gap()

    def _recall(self) -> None:
        """After a resume: where the game stood."""
        told = may_look_up(self.session, self.session.people)
        if told and self.session.outcome is None:
            self.stage.gap()
            self.stage.show(Text("Where you left off:", self.stage.look.style("faint")))
            self.stage.show(*pages.latest(told, self.speaker))

    def _close(self, outcome: Outcome) -> None:
        self.stage.heading("The end")
        tables = self.session.game.score_tables(outcome)
        self.stage.show(*pages.ending(outcome, tables, self.session.steps, self.speaker))
        if seed := seed_words(self.session.header):
            self.stage.show(Text(seed, self.stage.look.style("faint")))

    def _ways_on(self) -> str:
        """How to go on with a game that its script did not finish, or give it up; bare `resume` would take it first."""
        return (
            f"The game stays as it is. Go on with: {self._resume}. "
            f"To give it up: vaultkit sessions --discard {self.session.id}"
        )

    @property
    def _resume(self) -> str:
        return f"vaultkit resume {self.session.id}{' --dry-run' if self.dry_run else ''}"

    def _say_saved(self) -> None:
        kept = "No note is written; the game itself is kept." if self.dry_run else "The game is saved."
        self.stage.show(Text(f"\n{kept} Go on with: {self._resume}"))


def _name_cards(asking: Asking) -> Move | None:
    """The move, once it is whole and meant; None if something was taken back. Raises EOFError where people leave."""
    wanted = naming(asking.session, asking.speaker, asking.seats)
    assert wanted is not None, "only where real cards are to be named"
    if isinstance(asking.turn, Prompt):
        _show_board(asking, asking.turn)
    else:
        asking.stage.show(asking.speaker.text(asking.turn.text, asking.speaker.look.style("question")))
        if asking.session.is_gms(asking.turn):
            held = Sentence("In hand: {cards}.", cards=asking.turn.options)
            asking.stage.show(asking.speaker.text(held))
    while not (typed := _line(asking, wanted)) or not _is_whole(asking, wanted, typed):
        if typed is None and _goes_back(asking, wanted):
            return None
    return wanted.move


def _line(asking: Asking, wanted: Naming) -> str | None:
    return asking.line(safe(wanted.question), tuple(map(safe, wanted.spellings)), wanted.words)


def _is_whole(asking: Asking, wanted: Naming, typed: str) -> bool:
    """Whether nothing more is to be named after this."""
    known = wanted.move
    try:
        wanted.say(typed)
    except IllegalMove as error:
        asking.refuse(error.message, safe(wanted.subject))
        return False
    if wanted.move and not known and not asking.is_meant(wanted.move, typed):
        wanted.forget()
    return wanted.is_whole


def _goes_back(asking: Asking, wanted: Naming) -> bool:
    """Forget the card that was named last; before the first one, take back what came before, and whether that was."""
    if forgotten := wanted.back():
        asking.stage.show(Text(f"Not the {safe(asking.session.deck[forgotten].title)}."))
        return False
    return wanted.move is not None or asking.take_back()


def _show_board(asking: Asking, prompt: Prompt) -> None:
    scene, stage = scene_of_screen(asking.session), asking.stage
    if not stage.look.plain:
        stage.show(*Board(scene, (), asking.speaker, stage.console).lines(stage.height - _NEWS))
        return
    stage.heading(f"{asking.speaker.seat(prompt.seat)} decides.")
    asking.show_table()
    if scene.question:
        stage.show(pages.question(scene.question, asking.speaker))
