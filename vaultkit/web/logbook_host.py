"""A game with real cards, light, on the table: people touch or type what decides, and all see how it stands."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from vaultkit.campaign.entry_parser import read_entry
from vaultkit.campaign.log import LogResult
from vaultkit.campaign.logbook import Logbook
from vaultkit.errors import UsageError
from vaultkit.games.ledger import EntryRefused, LedgerLine, parse_seat
from vaultkit.games.messages import Sentence
from vaultkit.scene import rule_reference
from vaultkit.scene.rule_reference import Reference
from vaultkit.scene.scene import Scene
from vaultkit.session.card_names import MAX_LISTED_CARDS, find_cards
from vaultkit.web import page_html
from vaultkit.web.card_picker import CardPicker, suit_tiles
from vaultkit.web.ending_page import CloseGame
from vaultkit.web.help_requests import clean_query, find_answers, passage_answer, standings_answer
from vaultkit.web.host_thread import OrderData, OrderOutdated, OrderRefused, TableActivity, new_question
from vaultkit.web.page_model import EndingModel, PageModel, PrivateAnswer
from vaultkit.web.seat_sessions import Client


@dataclass(frozen=True)
class _LogbookHelp:
    """Answers questions about a game of which the entries alone are known."""

    logbook: Logbook
    reference: Reference

    def answer(self, order: OrderData) -> Sequence[PrivateAnswer] | None:
        """The answer; None where the order is no question. Raises Refused."""
        words = clean_query(order.get("words"))
        match order["do"]:
            case "ask":
                return find_answers(words, self.reference, whole=bool(order.get("more")))
            case "rule":
                return list(self._rule_answers(words))
            case "who":
                return [standings_answer(self.logbook.scene, self.say)]
            case "why":
                return list(self._card_answers(clean_query(order.get("card")) or words))
        return None

    def _rule_answers(self, words: str) -> Iterator[PrivateAnswer]:
        _, heading, rulings = self.logbook.ledger.question
        rule = None if words else self.reference.rule(heading, rulings)
        passages = [rule]
        if words:
            passages = list(rule_reference.text_passages(words, self.logbook.ledger.deck, self.reference))
        answers = [passage_answer(passage) for passage in passages if passage]
        yield from answers or [PrivateAnswer(words or "The rule", ["Nothing is known of that."])]

    def _card_answers(self, query: str) -> Iterator[PrivateAnswer]:
        deck = self.logbook.ledger.deck
        cards = find_cards(query, deck, deck.by_id)
        if not cards:
            raise OrderRefused("That is no card here.")
        for card in cards[:MAX_LISTED_CARDS]:
            yield passage_answer(rule_reference.card_passage(card, self.reference))

    def say(self, sentence: Sentence) -> str:
        deck = self.logbook.ledger.deck
        return sentence.render(self.logbook.paper.names.__getitem__, lambda card: deck[card].title)


class LogbookOnTable(TableActivity):
    """A logbook, with the entry that is begun. `close` saves that it is over, and logs it."""

    def __init__(self, logbook: Logbook, reference: Reference, close: CloseGame) -> None:
        self.logged: LogResult | None = None
        self._logbook = logbook
        self._help = _LogbookHelp(logbook, reference)
        self._close = close
        self._partial_entry: LedgerLine = ()
        self._news_sentences: list[str] = []
        self._ending: EndingModel | None = None
        self._question = new_question()
        if logbook.is_over:
            self._end()

    def sight(self, client: Client) -> PageModel:
        """The game as all at the table see it."""
        scene = self._scene()
        client.marks.retain_cards(scene.cards)
        is_asked = not (self._logbook.ledger.over or self._ending)
        return PageModel(
            scene=scene,
            deck=self._logbook.ledger.deck,
            marks=client.marks,
            question=self._question,
            ending=self._ending or self._doubtful_end(),
            fresh=tuple(self._news_sentences[client.steps :]),
            steps=len(self._news_sentences),
            pad=self._build_picker() if is_asked else None,
        )

    def obey(self, client: Client, order: OrderData) -> str:  # noqa: ARG002
        """Take in a card, a word or an entry, take one back, or end it."""
        answer = self._help.answer(order)
        if answer is not None:
            return page_html.render_answers(answer)
        if order.get("question") != self._question:
            raise OrderOutdated
        match order["do"]:
            case "name":
                self._name_token(clean_query(order.get("words")), is_typed=order.get("typed") is True)
            case "write":
                self._write_entry(self._partial_entry)
            case "undo":
                self._take_back()
            case "write-again":
                self._write_again()
            case "finish":
                self._finish()
            case _:
                raise OrderRefused("The table knows no such order.")
        self._invalidate()
        return ""

    def _invalidate(self) -> None:
        self.changes += 1
        self._question = new_question()

    def _scene(self) -> Scene:
        return replace(self._logbook.scene, news=tuple(self._logbook.news))

    def _build_picker(self) -> CardPicker:
        ledger, names = self._logbook.ledger, self._logbook.paper.names
        players = ((f"@{seat}", name, "") for seat, name in enumerate(names))
        words = ((word, word.capitalize(), meaning) for word, meaning in ledger.words.items())
        open_cards = set(ledger.possible_cards(self._partial_entry)).difference(self._partial_entry)
        write = "Write it down" if self._partial_entry else ""
        suits, named_labels = suit_tiles(ledger.deck, open_cards), tuple(map(self._token_label, self._partial_entry))
        return CardPicker("What was it?", suits, (*players, *words), named_labels, write, self._logbook.forms)

    def _token_label(self, token: str) -> str:
        seat, card = parse_seat(token), self._logbook.ledger.deck.by_id.get(token)
        if seat is not None:
            return self._logbook.paper.names[seat]
        return card.title if card else token

    def _name_token(self, words: str, *, is_typed: bool) -> None:
        """Write what was typed behind what is begun as one entry; what is touched goes behind it."""
        if self._logbook.ledger.over:
            raise OrderRefused("The game is over.")
        names, ledger = self._logbook.paper.names, self._logbook.ledger
        if is_typed:
            self._write_entry(self._parse_entry(words, names))
        elif words in ledger.deck.by_id:
            self._add_card(words)
        elif words in ledger.words or words in {f"@{seat}" for seat in range(len(names))}:
            self._partial_entry = (*self._partial_entry, words)
        else:
            raise OrderRefused("That is no card, player or word here.")

    def _parse_entry(self, words: str, names: Sequence[str]) -> LedgerLine:
        try:
            return read_entry(words, names, self._logbook.ledger, self._partial_entry)
        except UsageError as error:
            raise OrderRefused(error.message_with_hint) from error

    def _add_card(self, card: str) -> None:
        entry = (*self._partial_entry, card)
        if card in self._partial_entry or card not in self._logbook.ledger.possible_cards(self._partial_entry):
            self._check_entry(entry)
        self._partial_entry = entry

    def _check_entry(self, entry: LedgerLine) -> None:
        try:
            self._logbook.check(entry)
        except EntryRefused as error:
            raise OrderRefused(self._help.say(error.sentence)) from error

    def _write_entry(self, entry: LedgerLine) -> None:
        before = len(self._logbook.news)
        self._check_entry(entry)
        self._logbook.write(entry)
        self._partial_entry = ()
        self._news_sentences += [self._help.say(event.sentence) for _, event in self._logbook.news[before:]]

    def _take_back(self) -> None:
        if self._partial_entry:
            self._partial_entry = self._partial_entry[:-1]
        elif self._logbook.is_over or not self._logbook.entry_log.entries:
            raise OrderRefused("There is nothing to take back.")
        else:
            self._logbook.take_back()
            self._news_sentences.append("Taken back.")

    def _doubtful_end(self) -> EndingModel | None:
        """The end as the entries have it, for the people to say whether it is right."""
        ledger = self._logbook.ledger
        if not ledger.over:
            return None
        outcome = ledger.result()
        doubts = tuple(f"This cannot be true: {doubt}" for doubt in self._logbook.doubts)
        return EndingModel(outcome, ledger.game.score_tables(outcome), remarks=doubts, asks=True)

    def _finish(self) -> None:
        """Once all is written, that it is right; before and afterwards, the table closes."""
        if self._logbook.ledger.over and self._ending is None:
            self._end()
        else:
            self.closed = True

    def _write_again(self) -> None:
        """Write the missing notes again if writing failed."""
        if self._ending and self._ending.failure:
            self._end()

    def _end(self) -> None:
        self.logged, self._ending = self._close()
        self.over = not self._ending.failure
