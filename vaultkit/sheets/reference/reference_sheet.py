"""Reference cards: player aids, and a deck's cards with what the game says of each, on sheets to be cut.

They are tagged, so that they can be listened to as well.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from vaultkit.compendium import CardEntry, DeckNote, RuleNote
from vaultkit.compendium.cardrules import rule_of
from vaultkit.errors import NothingFound
from vaultkit.games.options import Options
from vaultkit.games.registry import GAMES
from vaultkit.session.options import all_options
from vaultkit.sheets.cards.card import PrintableCard
from vaultkit.sheets.cards.card_sheet import card_sheet
from vaultkit.sheets.cards.deck_layout import PLAIN, DeckLayout
from vaultkit.sheets.cards.decks import on_drawn_pictures, printable
from vaultkit.sheets.cards.frame import load_frame
from vaultkit.sheets.pdf.document import PrintedFile, PrintJob
from vaultkit.sheets.reference.aids import Aid, Aids, CardRule, load_aids, options_of_note
from vaultkit.vault import Vault


@dataclass(frozen=True)
class ReferenceCards:
    """A game, its deck and its rules, of which reference cards are made.

    `given_options` are those in force, else those of the rule note.
    """

    game: str
    deck: DeckNote
    rules: RuleNote | None
    vault: Vault
    given_options: Options | None = None

    @cached_property
    def options(self) -> Options:
        if self.given_options is None:
            return options_of_note(self.game, self.rules)
        return self.given_options

    @cached_property
    def aids(self) -> Aids:
        return load_aids(self.game, self.vault.root, self.options)

    def house_rules(self, rulings: Collection[str] | None = None) -> tuple[str, ...]:
        """A Markdown line for each option that is not as usual; with `rulings`, only if it settles one of these."""
        known = all_options(GAMES[self.game].rules()) if self.game in GAMES else ()
        return tuple(
            f"{option.summary} `{option.key}` = **{self.options[option.key]}**"
            for option in known
            if self.options.get(option.key, option.default) != option.default
            and (rulings is None or option.ruling in rulings)
        )

    def player_cards(self) -> list[PrintableCard]:
        """Player aids, with the house rules that change what they say, and a card with all house rules if any."""
        frame = load_frame("aid", self.vault.root)
        made = [PrintableCard(aid.title, text_markdown=self._aid_text(aid), hands=aid.hands) for aid in self.aids.cards]
        points = "\n".join(f"- {line}" for line in self.house_rules())
        if points:
            text = f"Where another card says otherwise, these win.\n\n{points}"
            made.append(PrintableCard("House rules", text_markdown=text))
        return [replace(card, frame=frame) for card in made]

    def deck_cards(self, *, everything: bool = False) -> Iterator[PrintableCard]:
        """The cards that have a rule of their own, or `everything`, with what the game says of them."""
        frame = load_frame("reference", self.vault.root)
        for entry in self.deck.entries:
            own = rule_of(self.rules.note, entry.card.name) if self.rules else ""
            ours = [rule for rule in self.aids.rules if rule.fits(entry.card)]
            if everything or own or any(rule.special for rule in ours):
                label = next((rule.label for rule in ours if rule.label), "")
                changed = self.house_rules([number for rule in ours for number in rule.rulings])
                text = _with_house_rules(own or _rulings_text(ours), changed)
                yield replace(self._card(entry, text, label), frame=frame)

    def _card(self, entry: CardEntry, rule: str, label: str) -> PrintableCard:
        """The rule first; the card's own meaning stands below it, set apart."""
        card = printable(entry, self.vault)
        kicker = " · ".join(filter(None, (card.subtitle, label))) if label else ""
        meaning = card.text_markdown.strip()
        quoted = "\n".join(f"> {line}".rstrip() for line in meaning.splitlines()) if rule else meaning
        return replace(card, text_markdown=f"{rule}\n\n{quoted}".strip(), kicker=kicker)

    def _aid_text(self, aid: Aid) -> str:
        return _with_house_rules(aid.whole, self.house_rules(aid.rulings))


def _rulings_text(rules: Iterable[CardRule]) -> str:
    """The words of our rulings on a card."""
    return "\n\n".join(rule.text.strip() for rule in rules if rule.text.strip())


def _with_house_rules(text: str, changed: Iterable[str]) -> str:
    return "\n\n".join([text, *(f"**House rule:** {line}" for line in changed)]).strip()


def print_reference(
    reference: ReferenceCards, title: str, job: PrintJob, layout: DeckLayout = PLAIN, *, everything: bool = False
) -> PrintedFile:
    """The reference cards of the game of that title.

    Raises NothingFound where there are none, InvalidError for an aid that cannot be used.
    """
    of_deck = list(reference.deck_cards(everything=everything))
    every = [*reference.player_cards(), *of_deck]
    if not every:
        raise NothingFound(
            f"There are no reference cards for {title}.",
            hint=f"They are described in print/aids/{reference.game}.toml.",
        )
    made = card_sheet(every, title, job, layout, tagged=True)
    pictured = [card for card in of_deck if card.frame and card.frame.layout != "none"]
    return replace(made, remarks=(*made.remarks, *on_drawn_pictures(reference.deck, reference.vault, pictured)))
