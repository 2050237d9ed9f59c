"""One decision of one person: the board, the question, and everything that may be typed before a move."""

from collections.abc import Iterator, Sequence
from contextlib import nullcontext
from dataclasses import replace
from functools import cached_property

from rich.console import Group, RenderableType
from rich.text import Text

from vaultkit.cards import Card
from vaultkit.games.concession import concession
from vaultkit.games.facts import Consequence
from vaultkit.games.turn import Move, Prompt
from vaultkit.host.orders import OrderRefused, PlayMove, Reply
from vaultkit.scene.consequence_text import reason_words
from vaultkit.scene.knowledge import recallable_events
from vaultkit.scene.move_input import Choice, choices_of, has_ranks, pick
from vaultkit.scene.scene import Offer, scene_of_seat
from vaultkit.session import Session
from vaultkit.session.card_names import MAX_LISTED_CARDS, find_cards, is_exact_name
from vaultkit.spelling import did_you_mean
from vaultkit.terminal import commands, renderables
from vaultkit.terminal.board import Board, Snapshot
from vaultkit.terminal.move_list import FEW_WORDS, MoveList
from vaultkit.terminal.real_card_commands import TurnDialog
from vaultkit.terminal.safe_text import strip_controls
from vaultkit.text import join_words

_MAX_TITLE_COUNT = 3
_MAX_NAMED_PEOPLE = 3
_MAX_CODE_CHARS = 2
"""The letters of a short code of a card, which nobody asks about."""


class MovePrompt:
    """A prompt that asks until a move is made.

    `help` is what may be typed. `introduction` is to be read before, and stays beside the board if there is room.
    """

    def __init__(
        self,
        dialog: TurnDialog,
        *,
        help: Sequence[tuple[str, str]] = commands.HELP,
        introduction: Sequence[RenderableType] = (),
    ) -> None:
        turn = dialog.turn
        self.scene = dialog.scene or scene_of_seat(dialog.session, turn.seat or 0)
        self.asking = dialog = replace(dialog, scene=self.scene, help=help)
        self.session, self.stage, self.speaker = dialog.session, dialog.stage, dialog.speaker
        self.prompt = turn if isinstance(turn, Prompt) else None
        memory = dialog.memory
        self.offers = memory.letters.sort(self.scene)
        codes = memory.letters.assign(self.scene, self.offers)
        self.choices = choices_of(self.offers, codes, self.session.deck, self.speaker.words)
        self.card_choices: list[Choice] = []
        self.introduction = introduction
        self._is_short = False
        self._seen, memory.snapshot = memory.snapshot, Snapshot.of_scene(self.scene)

    def ask(self) -> tuple[Move, Reply] | None:
        """Return the move or concession that was made, and the reply of the host; None if a decision was taken back.

        Raises EOFError if the person leaves.
        """
        self._introduce()
        while True:
            typed_text = strip_controls(self._answer())
            answer = self.speaker.look.spell_suits(typed_text)
            exact = [choice for choice in self.choices if choice.move.id == answer]
            command = None if exact else commands.parse_command(answer)
            if self.card_choices and command and command.verb in {"undo", "list"}:
                self.card_choices = []
                self.show()
            elif command is None:
                if moves := self._find_several(answer):
                    if reply := self._make_moves(moves, typed_text):
                        return moves[0], reply
                elif (move := self._find_move(answer)) and (reply := self._make_move(move, typed_text)):
                    return move, reply
            elif command.verb == "undo":
                if self.asking.take_back(self.asking.turn.seat, command.rest):
                    return None
            elif command.verb == "concede":
                if reply := self.asking.concede(command.rest):
                    return concession(self.asking.turn.seat or 0), reply
            else:
                self._obey(command)

    def _introduce(self) -> None:
        """Show the introduction above the board; or before it, where both do not fit on one screen."""
        if not self.introduction or self.stage.look.plain:
            self.stage.show(*self.introduction)
            self.show()
            return
        room = self.stage.height - 1 - self.stage.count_lines(Group(*self.introduction))
        board = self._board(self._moves(self.choices))
        lines = board.lines(room)
        self.stage.show(*self.introduction)
        if not board.brevity and len(lines) <= room:
            self.stage.show(*lines)
        else:
            self.stage.wait("It is your move: press Enter.")
            self.show()

    def show(self) -> None:
        """Show everything for the decision on one screen, or line by line if lines are read aloud."""
        if self.stage.look.plain:
            self._show_plain()
            return
        lines = self._draw(self._moves(self.choices), fills=self.stage.is_screen)
        with self.stage.pages() if len(lines) >= self.stage.height else nullcontext():
            self.stage.show(*lines)

    def _draw(self, moves: MoveList, *, fills: bool = False) -> list[Text]:
        """Return the lines of a screen, with a note on what may be typed if that is not obvious."""
        board, note = self._board(moves), " ".join(self._notes)
        news, keys = self._news
        lines = board.lines(self.stage.height - 1, news, note, keys=keys, fills=fills)
        self._is_short = board.is_short
        if self.prompt and board.is_short:
            self.asking.memory.rules_in_few_words.add(self.prompt.rule)
        if board.is_short:
            more = f"{note} Enter says more.".strip()
            lines = board.lines(self.stage.height - 1, news, more, keys=keys, fills=fills)
        return lines

    def _board(self, moves: MoveList) -> Board:
        """Return the board, on which a question that was in few words before is in few words again."""
        is_short = self.prompt is not None and self.prompt.rule in self.asking.memory.rules_in_few_words
        return Board(self.scene, moves, self.speaker, self.stage.width, self._seen, min_brevity=is_short * FEW_WORDS)

    @property
    def _notes(self) -> Iterator[str]:
        pair = next((choice.letters for choice in self.choices if len(choice.letters) > 1), "")
        if pair:
            yield f"Type both letters, as in {pair}."
        if self._can_combine:
            first, second = [choice.letters for choice in self.choices if choice.known][:2]
            yield f"Several at once: {first} {second}"

    @cached_property
    def _can_combine(self) -> bool:
        """Whether several cards may be chosen one after the other, with the same question."""
        moves = [offer.move for offer in self.offers if len(offer.touches) == 1 and offer.card]
        if self.prompt is None or len(moves) < 2 or len({move.verb for move in moves}) > 1:
            return False
        return len([*_combine_moves(self.session, self.prompt, moves[:2])]) == 2

    @cached_property
    def _news(self) -> tuple[list[Text], dict[int, Text]]:
        """The latest news that all may know, from before the own last move faint; and short forms of others' acts."""
        if not (self.stage.is_screen or self.asking.private):
            return [], {}
        events, new = recallable_events(self.session, self.asking.seats), {step.n for step, _ in self.scene.news}
        faint = self.speaker.look.style("faint")
        if not self.stage.is_screen:
            events = [*self.scene.news]
        texts = renderables.step_texts(events, self.speaker)
        latest = [pair for pair in events if new and pair[0].n >= min(new)]
        acts = renderables.act_texts(latest, self.scene.viewer, self.speaker)
        keys = {index: acts[n] for index, (n, _) in enumerate(texts) if n in acts}
        return [text if n in new else Text(text.plain, faint) for n, text in texts], keys

    def _show_plain(self) -> None:
        self.stage.heading(f"{self._name} decides.")
        if self.asking.private and self.scene.news:
            seat = self.asking.turn.seat
            first = not any(step.seat == seat and not step.auto for step in self.session.steps)
            self.stage.show(Text("What has happened so far:" if first else "Since your last turn:"))
            self.stage.show(*renderables.latest(self.scene.news, self.speaker))
        self.asking.show_table()
        if self.scene.standings:
            self.stage.show(renderables.standings(self.scene, self.speaker))
        self.stage.show(*map(self.speaker.text, self.scene.key_facts))
        if self.scene.question:
            self.stage.show(renderables.question(self.scene.question, self.speaker))
        self._show_choices(self.choices)

    def _moves(self, choices: Sequence[Choice]) -> MoveList:
        by_move = {offer.move: offer for offer in self.offers}
        offers, codes = [by_move[choice.move] for choice in choices], [choice.letters for choice in choices]
        return self._list_moves(offers, codes)

    def _list_moves(self, offers: Sequence[Offer], codes: Sequence[str]) -> MoveList:
        letters = self.asking.memory.letters
        targets = letters.letters_by_target if any(len(code) > 1 for code in codes) else {}
        return MoveList(self.scene, offers, codes, letters.letters_by_card, self.speaker, targets)

    def _show_choices(self, choices: Sequence[Choice]) -> None:
        """Show some moves with all their consequences."""
        moves = self._moves(choices)
        if self.stage.look.plain:
            labels, facts = map(moves.label, moves.offers), map(moves.facts, moves.offers)
            self.stage.show(renderables.moves(zip(moves.codes, labels, facts, strict=True)))
            return
        self.stage.show(*Board(self.scene, moves, self.speaker, self.stage.width).move_lines())

    @property
    def _name(self) -> str:
        """Who is asked, for people."""
        if self.prompt is None:
            return self.session.header.agreement.gm or "The dealer"
        if not self.prompt.party:
            return self.speaker.seat(self.prompt.seat)
        people = [self.speaker.seat(seat) for seat in self.session.people]
        if len(people) == 1 < len(self.scene.names):
            return f"{people[0]}, for all"
        return join_words(people) if len(people) <= _MAX_NAMED_PEOPLE else "The party"

    def _answer(self) -> str:
        sign = self.speaker.look.sign("›", ">")
        question = Text(f"{self._name}{':' if self.speaker.look.plain else f' {sign}'} ")
        return self.stage.answer(question, f"{self._name} decides. {self.speaker.words(self.asking.turn.text)}")

    def _find_move(self, answer: str) -> Move | None:
        deck = self.session.deck
        refused_cards = [card for card in self.scene.refusals if is_exact_name(answer, deck[card])]
        first = self.card_choices[0].letters[:-1] if self.card_choices else ""
        narrowed = pick(first + answer, self.card_choices) or pick(answer, self.card_choices)
        matches = narrowed or pick(answer, self.choices)
        if refused_cards:
            matches = ()
        if len(matches) == 1:
            return matches[0].move
        if matches and len({choice.letters[:-1] for choice in matches}) == 1 and len(matches[0].letters) > 1:
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

    def _ask_further(self, matches: Sequence[Choice]) -> None:
        """Ask which of the moves with one card is meant."""
        self.card_choices = list(matches)
        self._show_choices(self.card_choices)
        code = matches[0].letters
        self.stage.show(Text(f"Type {code} or {code[-1]}; Enter goes back to all moves."))

    def _find_several(self, answer: str) -> list[Move]:
        """Return the moves whose letters were typed, if several cards are chosen at once; else none."""
        words = answer.replace(",", " ").split()
        moves = {choice.letters: choice.move for choice in self.choices if choice.known}
        if len(words) < 2 or not self._can_combine or not moves.keys() >= {word.casefold() for word in words}:
            return []
        return list(dict.fromkeys(moves[word.casefold()] for word in words))

    def _make_moves(self, moves: Sequence[Move], answer: str) -> Reply | None:
        """Show what the moves do together, and make the first of them once that is confirmed; the others follow."""
        assert self.prompt, "cards are chosen"
        combined = [*_combine_moves(self.session, self.prompt, moves)]
        if len(combined) < len(moves):
            few = f"{len(combined)} of these cards can be chosen now, not {len(moves)}."
            if self.stage.source.refuse(few, ""):
                self.stage.show(Text(few))
            return None
        by_move = {offer.move: offer for offer in self.offers}
        offers = [replace(by_move[move], consequences=effects) for move, effects in combined]
        if not self.prompt.secret:  # what comes of the last of them comes of all
            offers = [*(replace(offer, consequences=()) for offer in offers[:-1]), offers[-1]]
        self._show_together(offers)
        if not self.stage.confirm("Sure? Type y, or the same again:", answer):
            self.stage.show(Text("Nothing was played."))
            return None
        reply = self.asking.order(PlayMove(moves[0]), True)
        self.asking.memory.next_moves[:] = moves[1:] if reply else []
        return reply

    def _show_together(self, offers: Sequence[Offer]) -> None:
        codes = {choice.move: choice.letters for choice in self.choices}
        moves = self._list_moves(offers, [codes[offer.move] for offer in offers])
        names = join_words(self.speaker.card(offer.card).plain for offer in offers)
        self.stage.show(Text(f"{names} together:"))
        for offer in offers:
            facts = moves.facts(offer)
            prefix = f"{self.speaker.card(offer.card).plain}: " if len(offers) > 1 and offers[0].consequences else ""
            self.stage.show(*([Text(prefix).append_text(Text(" ").join(facts))] if facts else []))

    def _refusal(self, answer: str) -> str:
        """Return the reason why an answer is no move, with the most similar name."""
        deck, refusals = self.session.deck, self.scene.refusals
        lettered = {letter: card for card, letter in self.asking.memory.letters.letters_by_card.items()}
        if card := lettered.get(answer.casefold()):
            reason = refusals.get(card)
            return self.speaker.words(reason) if reason else self._no_move_with([deck[card]])
        if pair := next((choice.letters for choice in self.choices if choice.letters[1:] == answer.casefold()), ""):
            return f"'{answer}' is the second letter of a move: type both, as in {pair}."
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
                self._show_again()
            case "rule":
                queries = self._lookup_queries(command.rest)
                if command.rest and queries == [""]:
                    self._show_choices([choice for choice in self.choices if choice.letters == command.rest])
                for query in queries:
                    self.asking.explain(query)
            case "why" if command.rest:
                with self.stage.pages():
                    self._show_why(command.rest)
            case "hint":
                self._show_hint()
            case _:
                self.asking.obey(command)
                if command.verb == "hide" and self.asking.private:
                    self.show()

    def _show_again(self) -> None:
        """Show the screen again, or first the moves in full if it has only few words for them."""
        if self.stage.is_screen and not self._is_short:
            self.show()
            return
        self._is_short = False
        with self.stage.pages():
            self._show_choices(self.choices)

    def _lookup_queries(self, query: str) -> Sequence[str]:
        """Return the cards of the offer whose letters were typed, else the typed text."""
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
        self.stage.show(Text(reason_words(bot_hint, self.asking.turn.seat or 0, self.speaker.words)))
        if self.scene.standings:
            self.stage.show(renderables.standings(self.scene, self.speaker))

    def _show_why(self, query: str) -> None:
        """Show why a card can or cannot be played now."""
        deck, can = self.session.deck, [choice for choice in self.choices if choice.letters == query]
        named_cards = () if can else find_cards(query, deck, self.scene.zone_cards)
        if len(named_cards) > MAX_LISTED_CARDS:
            self.asking.show_meanings("why", query, [card.title for card in named_cards])
            return
        cards = {card.id for card in named_cards}
        can = can or [choice for choice in self.choices if cards.intersection(choice.move.operands)]
        if can:
            self._show_choices(can)
            rule = renderables.citation(self.scene.question, self.speaker) if self.scene.question else ""
            self.stage.show(Text.assemble("No rule forbids it now", ": " if rule else "", rule, ". ? shows more."))
        reasons = dict.fromkeys(why for card, why in self.scene.refusals.items() if card in cards)
        self.stage.show(*map(self.speaker.text, reasons))
        if not can and not reasons:
            names = [card.name for card in deck]
            unknown = f"'{strip_controls(query)}' is not a card here. {did_you_mean(query, names)}".strip()
            self.stage.show(Text(self._no_move_with(named_cards) if named_cards else unknown))

    def _no_move_with(self, cards: Sequence[Card]) -> str:
        titles = " or ".join(strip_controls(card.title) for card in cards[:_MAX_TITLE_COUNT])
        is_party = self.prompt is not None and self.prompt.party
        return f"Nobody can play the {titles} now." if is_party else f"No move now is made with the {titles}."


def _combine_moves(
    session: Session, prompt: Prompt, moves: Sequence[Move]
) -> Iterator[tuple[Move, tuple[Consequence, ...]]]:
    """Yield the moves that can be made one after the other, each with its consequences at that point.

    They end where luck or another player comes first, or a different choice is asked for.
    """
    (position,) = session.game.sample_positions(session.view(prompt.seat), 1)
    state = position.clone()
    for move in moves:
        turn = state.turn
        if not isinstance(turn, Prompt) or (turn.seat, turn.rule) != (prompt.seat, prompt.rule):
            return
        if move not in turn.moves:
            return
        yield move, session.game.consequences(state.view(prompt.seat), (move,))[0]
        state.apply(move)
