"""One decision of one person: the board, the question, and everything that may be typed before a move."""

from collections.abc import Sequence
from dataclasses import replace

from rich.console import Group, RenderableType
from rich.text import Text

from vaultkit.cards import Card
from vaultkit.games.concession import concession
from vaultkit.games.turn import Move, Prompt
from vaultkit.host.orders import OrderRefused, PlayMove, Reply
from vaultkit.scene.consequence_text import reason_words
from vaultkit.scene.knowledge import StepEvent
from vaultkit.scene.move_input import Choice, choices_of, has_ranks, letters_of_index, pick, sort_offers
from vaultkit.scene.scene import scene_of_seat
from vaultkit.session.card_names import find_cards, is_exact_name
from vaultkit.spelling import did_you_mean
from vaultkit.terminal import commands, move_list, renderables
from vaultkit.terminal.board import Board
from vaultkit.terminal.real_card_commands import TurnDialog
from vaultkit.terminal.safe_text import strip_controls

_NEWS_LINES = 4
"""So many lines are kept for the latest news."""
_MIN_NEWS_LINES = 2
"""The lines of news that are kept where moves could not be told apart otherwise, or fewer if these have no room."""
_MAX_NEWS_LINES = 8
"""So many lines of news come before the legend of the table."""
_MAX_TITLE_COUNT = 3
_MAX_CODE_CHARS = 2
"""The letters of a short code of a card, which nobody asks about."""


class MovePrompt:
    """Asks until a move is made. `news` is what stays on the screen; told `again` where nothing has come since.

    `help` is what may be typed. `introduction` is to be read before, and stays beside the board if there is room.
    """

    def __init__(
        self,
        dialog: TurnDialog,
        prompt: Prompt,
        news: Sequence[StepEvent] = (),
        *,
        again: bool = False,
        help: Sequence[tuple[str, str]] = commands.HELP,
        introduction: Sequence[RenderableType] = (),
    ) -> None:
        self.scene = dialog.scene or scene_of_seat(dialog.session, prompt.seat)
        self.asking = dialog = replace(dialog, scene=self.scene, help=help)
        self.session, self.stage, self.speaker = dialog.session, dialog.stage, dialog.speaker
        self.prompt = prompt
        self.news = news
        self.again = again
        self.introduction = introduction
        self.offers = sort_offers(self.scene)
        self.choices = choices_of(self.offers, self.session.deck, self.speaker.words)
        self.card_choices: list[Choice] = []

    def ask(self) -> tuple[Move, Reply] | None:
        """Return the move or concession that was made, and the reply of the host; None if a decision was taken back.

        Raises EOFError if the person leaves.
        """
        self._introduce()
        while True:
            answer = strip_controls(self._answer())
            exact = [choice for choice in self.choices if choice.move.id == answer]
            command = None if exact else commands.parse_command(answer)
            if self.card_choices and command and command.verb in {"undo", "list"}:
                self.card_choices = []
                self.show()
            elif command is None:
                move = self._find_move(answer)
                if move and (reply := self._make_move(move, answer)):
                    return move, reply
            elif command.verb == "undo":
                if self.asking.take_back(self.prompt.seat, command.rest):
                    return None
            elif command.verb == "concede":
                if reply := self.asking.concede(command.rest):
                    return concession(self.prompt.seat), reply
            else:
                self._obey(command)

    def _introduce(self) -> None:
        """Show the introduction above the board; or before it, where both do not fit on one screen."""
        if not self.introduction or self.stage.look.plain:
            self.stage.show(*self.introduction)
            self.show()
            return
        board, room = self._board(), self.stage.height - 1 - self.stage.count_lines(Group(*self.introduction))
        lines = board.lines(room)
        self.stage.show(*self.introduction)
        if board.is_clear and len(lines) <= room:
            self.stage.show(*lines)
        else:
            self.stage.wait("It is your move: press Enter.")
            self.show()

    def _board(self) -> Board:
        letters = [choice.letters for choice in self.choices]
        keys = move_list.build_keys(self.offers, letters, self.scene.viewer, self.speaker)
        return Board(self.scene, keys, self.speaker, self.stage.console)

    def show(self) -> None:
        """Everything that matters for the decision, on one screen; or a fact a line."""
        if self.stage.look.plain:
            self._show_plain()
            return
        news = list(renderables.story(self.scene.news if self.asking.private else self.news, self.speaker))
        room = self.stage.height - 1
        lines = sum(map(self.stage.count_lines, news))
        news_line_count, more = min(_NEWS_LINES, lines), max(min(_MAX_NEWS_LINES, lines) - _NEWS_LINES, 0)
        drawn = self._board()
        board = drawn.lines(room - news_line_count, more)
        if not drawn.is_clear:
            for fewer in range(min(_MIN_NEWS_LINES, news_line_count), -1, -1):
                board = drawn.lines(room - fewer)
                if len(board) <= room - fewer:
                    break
        left = room - len(board)
        if left > 0 and (self.asking.private or self.again):
            self.stage.show(*self._latest_news(news, left if self.asking.private else min(left, news_line_count)))
        self.stage.show(*board)

    def _latest_news(self, news: Sequence[RenderableType], room: int) -> list[RenderableType]:
        """The latest of the news for which there is room; of one that is too long, its end."""
        pieces: list[RenderableType] = []
        for piece in reversed(news):
            left = room - self.stage.count_lines(Group(*pieces))
            if self.stage.count_lines(piece) > left:
                return pieces or [self.stage.last_lines(piece, max(left, 1))]
            pieces.insert(0, piece)
        return pieces

    def _show_plain(self) -> None:
        self.stage.heading(f"{self._name} decides.")
        if self.asking.private and self.scene.news:
            first = not any(step.seat == self.prompt.seat and not step.auto for step in self.session.steps)
            self.stage.show(Text("What has happened so far:" if first else "Since your last turn:"))
            self.stage.show(*renderables.latest(self.scene.news, self.speaker))
        self.asking.show_table()
        if self.scene.standings:
            self.stage.show(renderables.standings(self.scene, self.speaker))
        if self.scene.question:
            self.stage.show(renderables.question(self.scene.question, self.speaker))
        self.show_moves()

    def show_moves(self) -> None:
        """The legal moves in full."""
        self._show_choices(self.choices)

    def _show_choices(self, choices: Sequence[Choice]) -> None:
        """Some moves in full, as far as one screen has room for them."""
        by_move = {offer.move: offer for offer in self.offers}
        letters, offers = [choice.letters for choice in choices], [by_move[choice.move] for choice in choices]
        if self.stage.look.plain:
            labels = [move_list.label_text(offer, self.speaker) for offer in offers]
            facts = [move_list.fact_texts(offer, self.speaker) for offer in offers]
            self.stage.show(renderables.moves(zip(letters, labels, facts, strict=True)))
            return
        pairs, viewer = zip(letters, offers, strict=True), self.scene.viewer
        keys = [move_list.build_key(codes, offer, viewer, self.speaker) for codes, offer in pairs]
        self.stage.show(*Board(self.scene, keys, self.speaker, self.stage.console).offers(self.stage.height - 2))

    @property
    def _name(self) -> str:
        """Who is asked, for people."""
        return "The party" if self.prompt.party else self.speaker.seat(self.prompt.seat)

    def _answer(self) -> str:
        sign = self.speaker.look.sign("›", ">")
        question = Text(f"{self._name}{':' if self.speaker.look.plain else f' {sign}'} ")
        return self.stage.answer(question, f"{self._name} decides. {self.speaker.words(self.prompt.text)}")

    def _find_move(self, answer: str) -> Move | None:
        deck = self.session.deck
        refused_cards = [card for card in self.scene.refusals if is_exact_name(answer, deck[card])]
        matches = (self.card_choices and pick(answer, self.card_choices)) or pick(answer, self.choices)
        if refused_cards:
            matches = ()
        if len(matches) == 1:
            return matches[0].move
        if matches and self._is_of_one_card(matches):
            self._ask_further(matches)
            return None
        if matches:
            message = f"'{answer}' could be: {'; '.join(choice.label for choice in matches)}."
        else:
            message = self._refusal(answer)
        legal = "; ".join(offer.move.id for offer in self.offers)
        if self.stage.source.refuse(message, f"Legal moves: {legal}."):
            self.stage.show(Text(message))
            may_be_card = not matches and not refused_cards and len(answer) > _MAX_CODE_CHARS
            if may_be_card and any(is_exact_name(answer, card) for card in deck):
                self.asking.ask(answer)
        return None

    def _is_of_one_card(self, matches: Sequence[Choice]) -> bool:
        moves = {choice.move for choice in matches}
        firsts = {offer.touches[:1] for offer in self.offers if offer.move in moves}
        return len(firsts) == 1 and firsts != {()}

    def _ask_further(self, matches: Sequence[Choice]) -> None:
        """Ask which of the moves with one card is meant."""
        self.card_choices = [replace(choice, letters=letters_of_index(at)) for at, choice in enumerate(matches)]
        self._show_choices(self.card_choices)

    def _refusal(self, answer: str) -> str:
        """The reason why an answer is no move, with the nearest name."""
        deck, refusals = self.session.deck, self.scene.refusals
        held_cards = find_cards(answer, deck, refusals) if not answer.isdecimal() else ()
        held_cards = held_cards or tuple(deck[card] for card in refusals if str(deck[card].rank) == answer)
        reasons = dict.fromkeys(self.speaker.words(refusals[card.id]) for card in held_cards if card.id in refusals)
        if reasons:
            return " ".join(reasons)
        if answer.isdecimal() and has_ranks(self.choices):
            return f"No {answer} can be played now. Numbers are ranks here; letters choose moves."
        if (cards := find_cards(answer, deck, self.scene.zone_cards)) and len(answer) > 2:
            return self._no_move_with(cards)
        names = [name for choice in self.choices for name in (*choice.cards, choice.label)]
        names += [card.name for card in deck]
        hint = did_you_mean(answer, names, suffix="" if len(answer) > 1 else "Press Enter for the moves, or type help.")
        return f"'{answer}' is not a move here. {hint or 'Press Enter for the moves, or type help.'}"

    def _make_move(self, move: Move, answer: str) -> Reply | None:
        return self.asking.give(PlayMove(move), "Sure? Type y, or it again:", answer, "Nothing was played.")

    def _obey(self, command: commands.TypedCommand) -> None:
        match command.verb:
            case "list":
                self.show_moves()
            case "rule":
                for query in self._lookup_queries(command.rest):
                    self.asking.explain(query)
            case "why" if command.rest:
                self._show_why(command.rest)
            case "hint":
                self._show_hint()
            case _:
                self.asking.obey(command)
                if command.verb == "hide" and self.asking.private:
                    self.show()

    def _lookup_queries(self, query: str) -> Sequence[str]:
        """The cards of the offer whose letters were typed, else what was typed itself."""
        choices = [choice for choice in self.choices if query and choice.letters == query]
        operands = (operand for choice in choices for operand in choice.move.operands)
        cards = [operand for operand in operands if operand in self.session.deck.by_id]
        return cards or ([""] if choices else [query])

    def _show_hint(self) -> None:
        """Show the move of a hard bot in this place, what comes of it, and how everybody stands."""
        try:
            with self.stage.show_thinking():
                bot_hint = self.asking.advice.hint(self.scene, self.session)
        except OrderRefused as error:
            self.stage.show(Text(str(error)))
            return
        self._show_choices([choice for choice in self.choices if choice.move == bot_hint.move])
        self.stage.show(Text(reason_words(bot_hint, self.prompt.seat, self.speaker.words)))
        if self.scene.standings:
            self.stage.show(renderables.standings(self.scene, self.speaker))

    def _show_why(self, query: str) -> None:
        """Show why a card can or cannot be played now."""
        deck, named_cards = self.session.deck, find_cards(query, self.session.deck, self.scene.zone_cards)
        cards = {card.id for card in named_cards}
        can = [choice for choice in self.choices if cards.intersection(choice.move.operands) or choice.letters == query]
        if can:
            self._show_choices(can)
            rule = renderables.citation(self.scene.question, self.speaker) if self.scene.question else ""
            self.stage.show(Text.assemble("No rule forbids it now", ": " if rule else "", rule, ". ? tells more."))
        reasons = dict.fromkeys(why for card, why in self.scene.refusals.items() if card in cards)
        self.stage.show(*map(self.speaker.text, reasons))
        if not can and not reasons:
            names = [card.name for card in deck]
            unknown = f"'{strip_controls(query)}' is no card here. {did_you_mean(query, names)}".strip()
            self.stage.show(Text(self._no_move_with(named_cards) if named_cards else unknown))

    def _no_move_with(self, cards: Sequence[Card]) -> str:
        titles = " or ".join(strip_controls(card.title) for card in cards[:_MAX_TITLE_COUNT])
        return f"Nobody can play the {titles} now." if self.prompt.party else f"No move now is made with the {titles}."
