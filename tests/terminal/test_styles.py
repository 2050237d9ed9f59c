import io

from rich.console import Console
from rich.text import Text

from tests.terminal.helpers import screen, screen_text
from vaultkit.cards import Card, Deck
from vaultkit.games.messages import Sentence
from vaultkit.terminal.answer_sources import TerminalSource
from vaultkit.terminal.console import GameConsole
from vaultkit.terminal.styles import TerminalStyle
from vaultkit.terminal.terminal_text import Columns, TerminalText, flow

CARDS = tuple(Card(f"1-{suit.lower()}", f"Ace {suit}", (suit,), 1) for suit in ("Swords", "Stars", "Coins", "Glyphs"))
DECK = Deck("tarokka", "Tarokka", (*CARDS, Card("raven", "Raven")))


def speaker(**look: bool) -> TerminalText:
    return TerminalText(lambda seat: f"Seat\x1b[31m {seat}", DECK, TerminalStyle(DECK.suits, **look))


def test_four_suits_have_four_terminal_colours() -> None:
    colours = {TerminalStyle(DECK.suits).card(card) for card in CARDS}
    assert len(colours) == 4 and colours <= {"cyan", "magenta", "yellow", "green", "blue", "red"}


def test_card_shows_the_symbol_of_its_suit_or_letters_or_words() -> None:
    assert speaker().card("1-swords").plain == "1† Ace Swords"
    assert speaker(symbols=False).card("1-swords").plain == "1Sw Ace Swords"
    assert speaker(plain=True).card("1-swords").plain == "Ace Swords (1 of Swords)"
    assert not speaker(plain=True).card("1-swords").style


def test_typed_sign_of_a_suit_stands_for_its_name() -> None:
    assert TerminalStyle(DECK.suits).spell_suits("? 6†") == "? 6 Swords"
    assert TerminalStyle(DECK.suits, symbols=False).spell_suits("? 6†") == "? 6†"
    assert TerminalStyle(DECK.suits).spell_suits("raven") == "raven"


def test_words_typed_between_pages_are_the_next_answer() -> None:
    typed = iter(["king", "later", "raven", "", "owl"])
    console = Console(file=io.StringIO(), width=80, height=6, force_terminal=True, color_system=None)
    stage = GameConsole(console, TerminalSource(console, lambda: next(typed)), TerminalStyle())
    with stage.pages():
        stage.show(Text("\n".join(map(str, range(20)))))
    assert "19" not in screen_text(console), "the rest is not shown any more"
    assert [stage.answer(Text("? "), "") for _ in range(2)] == ["king", "later"]
    with stage.pages():
        stage.show(Text("\n".join(map(str, range(20)))))
    stage.pause("The next game begins.")
    assert stage.answer(Text("? "), "") == "owl", "what was typed before a pause answers nothing after it"


def test_sentence_has_coloured_names_and_no_control_characters() -> None:
    text = speaker().text(Sentence("{s0} plays the {c0}, {v0}.", (1,), ("1-stars",), ("[red]then\x07",)))
    assert text.plain == "Seat 1 plays the 1★ Ace Stars, [red]then."
    assert {str(span.style) for span in text.spans} == {"bold", TerminalStyle().suit("Stars")}


def test_columns_wrap_within_the_last_one_without_trailing_blanks() -> None:
    console = screen(width=24)
    console.print(Columns([(Text("Hand"), Text("one two three four five")), (Text("Pile"), Text(""))]))
    assert screen_text(console).splitlines() == ["  Hand  one two three", "        four five", "  Pile"]


def test_wide_symbols_leave_columns_aligned() -> None:
    console = screen()
    console.print(Columns([(Text("札"), Text("a")), (Text("ab"), Text("b"))]))
    assert screen_text(console) == "  札  a\n  ab  b\n"


def test_text_pieces_are_wrapped_without_breaking_them() -> None:
    assert flow([Text("aa bb"), Text("cc dd"), Text("ee")], width=13).plain == "aa bb   cc dd\nee"
