"""A game with real cards, light, on the table: people touch or type what decides, and all see how it stands."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime

from vaultkit.campaign.entry_parser import read_entry
from vaultkit.campaign.log import LogResult
from vaultkit.campaign.logbook import Logbook
from vaultkit.errors import UsageError
from vaultkit.games.ledger import EntryRefused, LedgerLine, parse_seat
from vaultkit.games.messages import Sentence
from vaultkit.host.advice import (
    AdviceQuery,
    Answer,
    explain_missing,
    find_answers,
    passage_answer,
    rule_passages,
    standings_answer,
)
from vaultkit.host.ending import EndingRecorder
from vaultkit.host.interface import Host
from vaultkit.host.orders import Command, Name, Order, OrderRefused, UndoMove, Viewer
from vaultkit.host.view_state import Ending, EntryDraft, ViewState
from vaultkit.scene import rule_reference
from vaultkit.search.passages import Passage
from vaultkit.session.card_names import MAX_LISTED_CARDS, find_cards


class LogbookHost(Host):
    """A logbook, with the entry that is begun."""

    def __init__(
        self, logbook: Logbook, to_plain_text: Callable[[str], str], now: Callable[[], datetime], *, dry_run: bool
    ) -> None:
        super().__init__(EndingRecorder.from_notes(self._log, logbook.notes))
        self._logbook = logbook
        self.reference = logbook.reference(to_plain_text)
        self._now = now
        self._dry_run = dry_run
        self._partial_entry: LedgerLine = ()
        self._news_sentences: list[Sentence] = []
        if logbook.is_over:
            self._end()

    def view(self, viewer: Viewer) -> ViewState:  # noqa: ARG002
        """Return the game as everybody sees it."""
        is_asked = not (self._logbook.ledger.over or self._ending)
        return ViewState(
            scene=replace(self._logbook.scene, news=tuple(self._logbook.news)),
            deck=self._logbook.ledger.deck,
            question=self._question,
            ending=self._ending or self._doubtful_end(),
            news=self._news_sentences,
            draft=self._draft() if is_asked else None,
        )

    def answer(self, viewer: Viewer, query: AdviceQuery) -> Sequence[Answer]:  # noqa: ARG002
        """Answer a query, as far as the entries alone allow it. Raises OrderRefused."""
        words, deck = query.words, self._logbook.ledger.deck
        match query.kind:
            case "ask":
                return find_answers(query, self.reference)
            case "who":
                return [standings_answer(self._logbook.scene, self._say)]
            case "rule":
                answers = [*map(passage_answer, self.passages(words))]
                return answers or [Answer(words or "The rule", [self.explain_missing(words)])]
        cards = find_cards(words, deck, deck.by_id)[:MAX_LISTED_CARDS] if query.kind == "why" else ()
        if not cards:
            raise OrderRefused("That is not a card here.")
        return [passage_answer(rule_reference.card_passage(card, self.reference)) for card in cards]

    def _obey(self, viewer: Viewer, order: Order) -> None:  # noqa: ARG002
        match order.action:
            case Name(words, is_whole):
                self._name_token(words, is_typed=is_whole)
            case Command.SUBMIT:
                self._write_entry(self._partial_entry)
            case Command.BACK | UndoMove():
                self._take_back()
            case _:
                raise OrderRefused("The table does not know this order.")
        self._renew_question()

    def passages(self, words: str) -> list[Passage]:
        """Return the passages that words name, or the rule of this moment if there are no words."""
        _, heading, rulings = self._logbook.ledger.question
        rule = None if words else self.reference.rule(heading, rulings)
        return [rule] if rule else rule_passages(words, None, self._logbook.ledger.deck, self.reference)

    def explain_missing(self, words: str) -> str:
        """Return the sentence for words that name no passage, or without words for the rule of this moment."""
        return explain_missing(words, self._logbook.ledger.question[2])

    def _draft(self) -> EntryDraft:
        ledger, names = self._logbook.ledger, self._logbook.paper.names
        players = ((f"@{seat}", name, "") for seat, name in enumerate(names))
        words = ((word, word.capitalize(), meaning) for word, meaning in ledger.words.items())
        open_cards = [card for card in ledger.possible_cards(self._partial_entry) if card not in self._partial_entry]
        labels, is_begun = tuple(map(self._token_label, self._partial_entry)), bool(self._partial_entry)
        return EntryDraft(
            "What was it",
            open_cards,
            (*players, *words),
            labels,
            can_submit=is_begun,
            can_go_back=is_begun,
            forms=self._logbook.forms,
        )

    def _say(self, sentence: Sentence) -> str:
        deck = self._logbook.ledger.deck
        return sentence.render(self._logbook.paper.names.__getitem__, lambda card: deck[card].title)

    def _token_label(self, token: str) -> str:
        seat, card = parse_seat(token), self._logbook.ledger.deck.by_id.get(token)
        if seat is not None:
            return self._logbook.paper.names[seat]
        return card.title if card else token

    def _name_token(self, words: str, *, is_typed: bool) -> None:
        """Complete the begun entry with typed words, or add a touched card, player or word to it."""
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
            raise OrderRefused("That is not a card, player or word here.")

    def _parse_entry(self, words: str, names: Sequence[str]) -> LedgerLine:
        try:
            return read_entry(words, names, self._logbook.ledger, self._partial_entry)
        except UsageError as error:
            raise OrderRefused(error.message, error.hint) from error

    def _add_card(self, card: str) -> None:
        entry = (*self._partial_entry, card)
        if card in self._partial_entry or card not in self._logbook.ledger.possible_cards(self._partial_entry):
            self._check_entry(entry)
        self._partial_entry = entry

    def _check_entry(self, entry: LedgerLine) -> None:
        try:
            self._logbook.check(entry)
        except EntryRefused as error:
            raise OrderRefused(self._say(error.sentence)) from error

    def _write_entry(self, entry: LedgerLine) -> None:
        before = len(self._logbook.news)
        self._check_entry(entry)
        self._logbook.write(entry)
        self._partial_entry = ()
        self._news_sentences += [event.sentence for _, event in self._logbook.news[before:]]

    def _take_back(self) -> None:
        if self._partial_entry:
            self._partial_entry = self._partial_entry[:-1]
        elif self._logbook.is_over or not self._logbook.paper.entries:
            raise OrderRefused("There is nothing to take back.")
        else:
            self._logbook.take_back()
            self._news_sentences.append(Sentence("Taken back."))

    def _log(self) -> LogResult | None:
        """Save that the game is over, and log it if that is wanted."""
        if not self._logbook.is_over:
            self._logbook.close(self._now())
        wants_log = self._logbook.paper.wants_log
        return self._logbook.log(self._now(), dry_run=self._dry_run) if wants_log else None

    def _doubtful_end(self) -> Ending | None:
        """Return the end according to the entries, which the people confirm or correct; None if the game goes on."""
        ledger = self._logbook.ledger
        if not ledger.over:
            return None
        outcome = ledger.result()
        doubts = tuple(f"This cannot be true: {doubt}" for doubt in self._logbook.doubts)
        return Ending(outcome, ledger.game.score_tables(outcome), remarks=doubts, asks=True)

    @property
    def _is_complete(self) -> bool:
        return self._logbook.ledger.over

    def _build_ending(self) -> Ending:
        outcome, ending = self._logbook.ledger.result(), super()._build_ending()
        return replace(ending, outcome=outcome, tables=self._logbook.ledger.game.score_tables(outcome))
