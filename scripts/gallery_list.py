"""The list of pictures in the gallery of printed sheets, in the order of the page."""

from scripts.gallery import Group, Picture

SETTING = ('vaultkit reading "Five-Card Cross" --seed 11',)
"""Commands that prepare the demo vault before anything is printed."""

SCORES = Group(
    "Score sheets",
    (
        Picture("scores-dragon-citadel", "Dragon Citadel, one player a page.", "vaultkit print scores dragon-citadel"),
        Picture(
            "scores-party", "Dragon Citadel, the whole party on one page.",
            "vaultkit print scores dragon-citadel --layout party",
        ),
        Picture(
            "scores-four", "Four players a page, to be cut apart.",
            'vaultkit print scores dragon-citadel --layout four --players "Ysolde, Bram, Sefa, Nettle"',
        ),
        Picture("scores-prophets-gambit", "Prophet's Gambit.", "vaultkit print scores prophets-gambit"),
        Picture("scores-deck-of-destiny", "Deck of Destiny.", "vaultkit print scores deck-of-destiny"),
        Picture("scores-propheta", "Propheta.", "vaultkit print scores propheta --players -"),
        Picture("scores-turn-of-fate", "Turn of Fate.", "vaultkit print scores turn-of-fate"),
        Picture(
            "scores-skat", "Skat, as an example of a game that you only score.",
            "vaultkit print scores skat",
        ),
        Picture(
            "scores-bowling", "Bowling: ten frames across, and the total below.",
            'vaultkit print scores bowling --players "Ysolde, Bram, Sefa, Nettle"',
        ),
        Picture(
            "scores-blank", "A blank sheet with rows and columns of your own.",
            'vaultkit print scores blank --title "The Goose Fair" --columns "Ysolde, Bram, Sefa"'
            ' --rows "Ring toss, Pie eating, Tall tales, Greased pole"',
        ),
        Picture(
            "scores-letter", "Propheta on letter paper, one player a page.",
            "vaultkit print scores propheta --layout one --paper letter",
        ),
    ),
)  # fmt: skip

RULES = Group(
    "Rule sheets and booklets",
    (
        Picture("rules", "A rule note in two columns.", 'vaultkit print rules "Dragon Citadel"', (0, 1)),
        Picture("rules-qr", "Any note, with a code that leads back to it.", 'vaultkit print rules "House Rules" --qr'),
        Picture(
            "rules-one-column", "One column.", 'vaultkit print rules "The Drowned Bell" --columns 1',
        ),
        Picture(
            "rules-several", "Several notes in one file, with contents.",
            'vaultkit print rules "Turn of Fate" Propheta "House Rules"', (0, 1),
        ),
        Picture(
            "prep", "Session prep: the session note and its encounters.",
            'vaultkit print prep "Next Session"', (1, 2),
        ),
        Picture("prep-cards", "Session prep: creatures as cards.", 'vaultkit print prep "Next Session"', (10,)),
        Picture("screen", "A panel for a GM screen.", 'vaultkit print screen "House Rules" "Turn of Fate"'),
        Picture(
            "booklet", "A booklet to fold: both sides of its innermost sheet.",
            'vaultkit print rules "Turn of Fate" Propheta --booklet a5', (4, 5),
        ),
    ),
)  # fmt: skip

REFERENCE = Group(
    "Reference cards",
    (
        Picture("reference-dragon-citadel", "Dragon Citadel.", "vaultkit print reference dragon-citadel", (0, 1)),
        Picture("reference-prophets-gambit", "Prophet's Gambit.", "vaultkit print reference prophets-gambit", (0, 1)),
        Picture(
            "reference-hands", "A closer look: what a turn is, and how hands rank.",
            "vaultkit print reference prophets-gambit", (0,), (0.04, 0.04, 0.96, 0.36),
        ),
        Picture("reference-deck-of-destiny", "Deck of Destiny.", "vaultkit print reference deck-of-destiny"),
        Picture("reference-propheta", "Propheta.", "vaultkit print reference propheta"),
        Picture("reference-turn-of-fate", "Turn of Fate.", "vaultkit print reference turn-of-fate", (0, 1)),
    ),
)  # fmt: skip

CARDS = Group(
    "Decks",
    (
        Picture(
            "cards-tarokka", "Tarokka, fronts and backs, with pictures from the vault.",
            "vaultkit print cards tarokka --duplex long-edge", (0, 1),
        ),
        Picture(
            "cards-decktet", "The Decktet, fronts and backs.",
            "vaultkit print cards decktet --duplex long-edge", (0, 1),
        ),
        Picture(
            "cards-astromancy", "The Astromancy deck, fronts and backs.",
            "vaultkit print cards astromancy --duplex long-edge", (0, 1),
        ),
        Picture(
            "cards-french52", "A standard deck, fronts and backs.",
            "vaultkit print cards french52 --duplex long-edge", (0, 1),
        ),
        Picture(
            "cards-fold", "Backs to fold over, for a printer that prints on one side.",
            "vaultkit print cards tarokka --duplex fold",
        ),
        Picture(
            "cards-bleed", "Space and a bleed around every card.", "vaultkit print cards tarokka --bleed per-card",
        ),
        Picture(
            "cards-tarot", "Some cards in tarot size.",
            'vaultkit print cards tarokka --size tarot --cards "Raven, Seer, Ghost, Mists"',
        ),
        Picture(
            "cards-closer", "A closer look.",
            'vaultkit print cards tarokka --cards "Raven, Seer, Ghost"', (0,), (0.06, 0.06, 0.94, 0.37),
        ),
        Picture(
            "cards-full", "The picture to the edge.",
            'vaultkit print cards tarokka --frame full --cards "44-52"',
        ),
        Picture("cards-parchment", "The frame on parchment.", "vaultkit print cards decktet --frame parchment"),
        Picture("cards-items", "Notes as cards: magic items.", "vaultkit print cards --from items"),
        Picture(
            "cards-people", "The people of a vault, in tarot size.",
            "vaultkit print cards --tag npc --size tarot",
        ),
        Picture(
            "service", "Files for a print service: a card with its bleed, and the back.",
            "vaultkit print cards decktet --for gamecrafter", (0, 20, -1),
        ),
        Picture("calibration", "The calibration sheet for your printer.", "vaultkit print calibrate", (0, 1)),
    ),
)  # fmt: skip

EVENING = Group(
    "For one evening",
    (
        Picture(
            "packet", "A packet: contents, score sheets, player aids and cards of one game in one file.",
            "vaultkit print packet prophets-gambit", (0, 3, 4),
        ),
        Picture(
            "recap", "The recap of a game.", 'vaultkit print session "Dragon Citadel 1"',
        ),
        Picture(
            "reading", 'A reading. Lay it first: `vaultkit reading "Five-Card Cross" --seed 11`.',
            'vaultkit print reading "Five-Card Cross 1"',
        ),
    ),
)  # fmt: skip

MODES = Group(
    "Ink, colours and large print",
    (
        Picture(
            "mode-ink-saver", "Ink saver: no fills, pictures as line drawings.",
            "vaultkit print cards tarokka --ink-saver --duplex long-edge", (0, 1),
        ),
        Picture(
            "mode-grey", "Grey: suits differ by shape and letter.",
            "vaultkit print cards decktet --grey",
        ),
        Picture(
            "mode-large", "Large print: no word smaller than 16 points.",
            "vaultkit print rules Propheta --large", (0, 1),
        ),
        Picture(
            "mode-easy-read", "Easy reading: a very legible font, no italics.",
            "vaultkit print rules Propheta --easy-read",
        ),
        Picture(
            "mode-large-scores", "A score sheet in large print.",
            "vaultkit print scores dragon-citadel --large",
        ),
        Picture(
            "theme-forest", "The theme forest.",
            "vaultkit print scores dragon-citadel --theme forest",
        ),
        Picture(
            "theme-parchment", "The theme parchment.",
            "vaultkit print rules Propheta --theme parchment",
        ),
        Picture(
            "theme-dark", "The theme dark, for a screen.", "vaultkit print rules Propheta --theme dark",
        ),
        Picture(
            "theme-dark-cards", "Cards in the theme dark.", "vaultkit print cards decktet --theme dark",
        ),
    ),
)  # fmt: skip

GROUPS = (SCORES, RULES, REFERENCE, CARDS, EVENING, MODES)
