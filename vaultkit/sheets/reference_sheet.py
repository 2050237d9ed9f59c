"""Sheets of reference cards: player aids, and cards of a deck with the game's rules about them.

The sheets are tagged, so that screen readers can read them.
"""

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from vaultkit.compendium import CardEntry, DeckNote, RuleNote
from vaultkit.compendium.card_text import find_rule
from vaultkit.errors import NothingFound
from vaultkit.games.options import Options
from vaultkit.games.registry import GAMES
from vaultkit.session.options import all_options
from vaultkit.sheets.aids import Aids, load_aids, options_of_note
from vaultkit.sheets.cards.card_sheet import card_sheet
from vaultkit.sheets.cards.deck_cards import missing_picture_remarks, open_deck, printable, sift_card
from vaultkit.sheets.cards.deck_layout import PLAIN, DeckLayout
from vaultkit.sheets.cards.print_card import PrintableCard, load_frame
from vaultkit.sheets.pdf.document import PrintedFile, PrintJob
from vaultkit.sheets.secrecy import NO_SECRETS, PLAYERS_COPY, Counts, Secrets, add_counts
from vaultkit.sheets.text.secret_parts import filter_secrets
from vaultkit.sheets.vault_source import VaultSource
from vaultkit.text import group, join_words
from vaultkit.vault import Vault
from vaultkit.vault.markdown import Node, parse


@dataclass(frozen=True)
class ReferenceCards:
    """The reference cards of a game with its deck and its rule note.

    `given_options` are the options in force; if None, those of the rule note are in force.
    """

    game: str
    deck: DeckNote
    rules: RuleNote | None
    vault: Vault
    given_options: Options | None = None
    secrets: Secrets = NO_SECRETS

    @cached_property
    def options(self) -> Options:
        if self.given_options is None:
            return options_of_note(self.game, self.rules)
        return self.given_options

    @cached_property
    def aids(self) -> Aids:
        return load_aids(self.game, self.vault.root, self.options)

    def house_rules(self, rulings: Collection[str] | None = None) -> tuple[str, ...]:
        """Return a Markdown line for each option whose value is not its default.

        With `rulings` only those options are included that settle one of these rulings.
        """
        game_options = all_options(GAMES[self.game].rules()) if self.game in GAMES else ()
        return tuple(
            f"{option.summary} `{option.key}` = **{self.options[option.key]}**"
            for option in game_options
            if self.options.get(option.key, option.default) != option.default
            and (rulings is None or option.ruling in rulings)
        )

    @property
    def title_note(self) -> str:
        """The text after the game's title at the foot of cards that says that they are a players' copy, or ""."""
        return f" · {PLAYERS_COPY}" if self.secrets.hidden else ""

    @cached_property
    def _open_rules(self) -> str:
        """The words of the rule note without secrets; "" if there is no note or all of it is secret."""
        if self.rules is None or self.secrets.is_secret_note(self.rules.note):
            return ""
        tree = parse(self.rules.note.body)
        filter_secrets(tree, self.secrets)
        return _plain_text(tree)

    def _find_rule(self, name: str) -> str:
        """Return a card's rule from the rule note; "" if there is none or it is a hidden secret."""
        rule = find_rule(self.rules.note, name) if self.rules else ""
        if not (rule and self.secrets.hidden):
            return rule
        tree = parse(rule)
        filter_secrets(tree, self.secrets)
        return rule if _plain_text(tree) in self._open_rules else ""

    def player_cards(self) -> list[PrintableCard]:
        """Return the player aids, each with the house rules that change it, and a card with all house rules, if any."""
        frame = load_frame("aid", self.vault.root)
        aids = ((aid, _with_house_rules(aid.whole, self.house_rules(aid.rulings))) for aid in self.aids.cards)
        cards = [PrintableCard(aid.title, text_markdown=text, hands=aid.hands) for aid, text in aids]
        points = "\n".join(f"- {line}" for line in self.house_rules())
        if points:
            text = f"Where another card says otherwise, these win.\n\n{points}"
            cards.append(PrintableCard("House rules", text_markdown=text))
        return [replace(card, frame=frame) for card in cards]

    def deck_cards(self, *, everything: bool = False) -> Iterator[PrintableCard]:
        """Yield reference cards for the cards of the deck about which there is a rule, or for all with `everything`."""
        frame = load_frame("reference", self.vault.root)
        for entry in open_deck(self.deck, self.vault, self.secrets)[0].entries:
            note_rule = self._find_rule(entry.card.name)
            card_rules = [rule for rule in self.aids.rules if rule.fits(entry.card)]
            if everything or note_rule or any(rule.special for rule in card_rules):
                label = next((rule.label for rule in card_rules if rule.label), "")
                house_rules = self.house_rules([number for rule in card_rules for number in rule.rulings])
                rulings_text = "\n\n".join(filter(None, (rule.text.strip() for rule in card_rules)))
                text = _with_house_rules(note_rule or rulings_text, house_rules)
                yield replace(self._make_card(entry, text, label), frame=frame, rule=text, label=label)

    def sifted_cards(self, *, everything: bool = False, once: bool = False) -> tuple[list[PrintableCard], Counts]:
        """Return the deck's reference cards without hidden secrets, and the number of secrets by kind.

        With `once`, cards with the same rule are one card, which names them.
        """
        if self.secrets.hidden and self.secrets.is_secret_note(self.deck.note):
            return [], {"note": 1}
        source = VaultSource(self.deck.note, self.vault, "", self.secrets)
        cards = self.deck_cards(everything=everything)
        sifted = [sift_card(card, self.secrets, source) for card in (_join_cards(cards) if once else cards)]
        hidden = open_deck(self.deck, self.vault, self.secrets)[1]
        return [card for card, _ in sifted], +add_counts([*(counts for _, counts in sifted), hidden])

    def _make_card(self, entry: CardEntry, rule: str, label: str) -> PrintableCard:
        """Return a reference card with the rule, and below it the card's own text as a quote."""
        card = printable(entry, self.vault)
        kicker = " · ".join(filter(None, (card.subtitle, label))) if label else ""
        meaning = card.text_markdown.strip()
        quote = "\n".join(f"> {line}".rstrip() for line in meaning.splitlines()) if rule else meaning
        return replace(card, text_markdown=f"{rule}\n\n{quote}".strip(), kicker=kicker)


def _join_cards(cards: Iterable[PrintableCard]) -> Iterator[PrintableCard]:
    """Yield the cards; join cards that share a rule into one card with all their titles."""
    for rule, alike in group((card.rule or card.title, card) for card in cards).items():
        first = alike[0]
        if len(alike) == 1:
            yield first
            continue
        titles, label = join_words(card.title for card in alike), first.label or "card"
        title = f"{label[:1].upper()}{label[1:]}{'es' if label.endswith(('o', 's', 'x')) else 's'}"
        text = f"{rule}\n\n**{len(alike)} cards:** {titles}."
        icons = first.suit_icon if len({card.suit_icon for card in alike}) == 1 else ""
        yield PrintableCard(title, suit_icon=icons, text_markdown=text, frame=first.frame)


def _plain_text(tree: Node) -> str:
    return " ".join(tree.words().split())


def _with_house_rules(text: str, house_rules: Iterable[str]) -> str:
    return "\n\n".join([text, *(f"**House rule:** {line}" for line in house_rules)]).strip()


def print_reference(
    reference: ReferenceCards, title: str, job: PrintJob, layout: DeckLayout = PLAIN, *, everything: bool = False
) -> PrintedFile:
    """Print the reference cards of a game; `title` is that of the game.

    Raises NothingFound if there are none, and InvalidError for an aid that cannot be used.
    """
    reference = replace(reference, secrets=job.secrets)
    deck_cards, secrets = reference.sifted_cards(everything=everything)
    all_cards = [*reference.player_cards(), *deck_cards]
    if not all_cards:
        hint = f"They are described in print/aids/{reference.game}.toml."
        raise NothingFound(f"There are no reference cards for {title}.", hint=hint)
    sheet = card_sheet(all_cards, f"{title}{reference.title_note}", job, layout, tagged=True)
    remarks = missing_picture_remarks(reference.deck, reference.vault, deck_cards)
    secret_remarks = reference.secrets.remark(secrets, "These cards hold")
    left_out = secrets if reference.secrets.hidden else {}
    return replace(sheet, remarks=(*sheet.remarks, *remarks, *secret_remarks), left_out=left_out)
