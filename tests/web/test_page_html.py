"""The HTML of pages: small enough, and without a trace of face-down cards."""

import gzip
import json
import math
import re
import shutil
import subprocess
import sys
from dataclasses import asdict, replace
from html import unescape
from io import BytesIO
from itertools import combinations
from math import dist
from pathlib import Path

import pytest
from fontTools.pens.svgPathPen import SVGPathPen
from fontTools.ttLib import TTFont
from PIL import Image

from scripts import web_fonts
from scripts.table_moments import EVENING, GAMES, HARD, HARD_NAMES, of_game, of_reading
from tests.wording import Says
from vaultkit import resources
from vaultkit.campaign.reading import Reading, lay_reading
from vaultkit.campaign.trust_report import grant
from vaultkit.campaign.workspace import Workspace
from vaultkit.cards.deck import known_deck
from vaultkit.compendium.decks.deck_note import CardEntry
from vaultkit.compendium.spreads import Spreads
from vaultkit.sheets.cards.print_card import PrintableCard, is_whole
from vaultkit.terminal.styles import TerminalStyle
from vaultkit.terminal.terminal_text import TerminalText
from vaultkit.theme import colour
from vaultkit.theme import model as look
from vaultkit.theme.back_design import load_default_back
from vaultkit.theme.letter_outlines import letter_outlines
from vaultkit.theme.model import Theme
from vaultkit.vault import Vault
from vaultkit.web import card_images, card_svg, page_html
from vaultkit.web.card_images import SVG, make_card_image, page_files
from vaultkit.web.card_svg import draw_back, draw_face
from vaultkit.web.opaque_ids import OpaqueIds
from vaultkit.web.page_html import MAX_SHOWN_OFFER_COUNT
from vaultkit.web.routes import read_page_file

EVENT, FIRST = 15 * 1024, 60 * 1024
STYLE = (page_html.PAGES / "table.css").read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def workspace() -> Workspace:
    return Workspace(resources.shipped_folder("vault-example"), cached=False)


@pytest.fixture(scope="module")
def reading(workspace: Workspace) -> Reading:
    spread = Spreads(workspace.vault).find("five-card cross")
    return lay_reading(spread, workspace.deck("tarokka"), seed=4, question="<b>Who?</b>", now=EVENING)


def test_a_spread_shows_names_texts_and_pictures_of_turned_cards_alone(reading: Reading) -> None:
    sight = of_reading(reading, 2)
    drawn = json.dumps(asdict(page_html.render_update(sight)))
    for at, entry in enumerate(reading.cards):
        traces = (entry.card.id, entry.card.name, sight.marks.face(entry.card.id), entry.text.strip()[:30])
        assert [trace in drawn for trace in traces[1:]] == [at < 2] * 3, entry.card
        assert traces[0] not in drawn, "not even those of turned ones"
    assert drawn.count("data-do='turn' data-card=") == 3
    assert "<b>Who" not in drawn, "words of people are words"


def test_all_cards_of_a_reading_fit_into_one_event(reading: Reading) -> None:
    assert len(json.dumps(asdict(page_html.render_update(of_reading(reading, 5))))) < EVENT


def test_opaque_card_ids_differ_between_pages_and_are_not_reused() -> None:
    one, other = OpaqueIds(), OpaqueIds()
    first = one.card("raven")
    assert one.card("raven") == first != other.card("raven") and one.find_card(first) == "raven"
    one.retain_cards(())
    assert one.card("raven") != first


@pytest.mark.slow
@pytest.mark.parametrize("font", web_fonts.NAMES)
def test_basic_font_is_the_part_of_the_font_that_the_stylesheet_names(font: str) -> None:
    files = (read_page_file(f"{font}-basic.ttf") or b"", web_fonts.basic_font(font))
    shipped, made = (TTFont(BytesIO(file)) for file in files)
    for table in ("cmap", "glyf", "hmtx", "name"):
        assert shipped.getTableData(table) == made.getTableData(table), "run: python -m scripts.web_fonts"
    assert f"{font}-basic.ttf); " in STYLE and STYLE.count(f"unicode-range: {web_fonts.unicode_range()} }}") == 2


def test_unknown_card_is_drawn_with_its_letters_and_without_markup() -> None:
    card = replace(known_deck("decktet").cards[9], name="<b>天</b> & Żółw")  # type: ignore[union-attr]
    assert "&lt;b&gt;天&lt;/b&gt; &amp; Żółw" in draw_face(card, Theme())
    letters = letter_outlines("Cinzel-Bold")
    assert letters.has("Żółw")
    assert not letters.has("天")
    assert letters.width("WW", 10) == 2 * letters.width("W", 10) > letters.width("i", 10)


@pytest.mark.slow
@pytest.mark.parametrize("font", web_fonts.NAMES)
def test_letter_outlines_are_those_of_the_font(font: str) -> None:
    file = TTFont(web_fonts.FONTS / f"{font}.ttf")
    glyphs, letters = file.getGlyphSet(), letter_outlines(font)
    for code, name in file.getBestCmap().items():
        pen = SVGPathPen(glyphs)
        glyphs[name].draw(pen)
        assert letters.width(chr(code), file["head"].unitsPerEm) == glyphs[name].width
        ours, theirs = (absolute_points(path) for path in (letters.path(chr(code)), pen.getCommands()))
        assert len(ours) == len(theirs), chr(code)
        assert all(dist(*points) < 1.5 for points in zip(ours, theirs, strict=True)), chr(code)


def absolute_points(path: str) -> list[tuple[float, float]]:
    """Return the points of a path's outlines, with control points, without the last one where it closes an outline."""
    points, at, start = list[tuple[float, float]](), (0.0, 0.0), (0.0, 0.0)
    for command, words in re.findall(r"([a-zA-Z])([^a-zA-Z]*)", path):
        numbers = [float(word) for word in re.findall(r"-?[0-9.]+", words)]
        if command in "HVhv":
            numbers = [numbers[0], at[1]] if command == "H" else [at[0], numbers[0]]
        origin = at if command.islower() else (0.0, 0.0)
        if command in "zZ":
            at = start
            continue
        pairs = [(origin[0] + x, origin[1] + y) for x, y in zip(numbers[::2], numbers[1::2], strict=True)]
        points += pairs
        at = pairs[-1]
        start = at if command in "mM" else start
    return points


def test_rank_of_any_length_is_drawn_like_any_word() -> None:
    card = replace(known_deck("tarokka").by_id["6-swords"], rank="9" * 5_000)  # type: ignore[union-attr]
    assert "href='#swords'" in draw_face(card, Theme())


@pytest.mark.slow
def test_faces_are_drawn_without_single_threaded_resources() -> None:
    """Faces are drawn without ReportLab, which is not thread-safe, since pages fetch many at once."""
    code = (
        "import sys\n"
        "from vaultkit.cards.deck import known_deck\n"
        "from vaultkit.theme.model import Theme\n"
        "from vaultkit.theme.back_design import load_default_back\n"
        "from vaultkit.web.card_svg import draw_back, draw_face\n"
        "drawn = [draw_face(card, Theme()) for deck in ('tarokka', 'astromancy') for card in known_deck(deck).cards]\n"
        "assert sum('<use ' in face for face in drawn) > 90\n"
        "assert '<use ' in draw_back(load_default_back('tarokka', None), Theme())\n"
        "assert 'reportlab' not in sys.modules\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.slow
def test_theme_of_an_untrusted_vault_is_replaced_by_ours(tmp_path: Path) -> None:
    own = tmp_path / ".vaultkit/print/themes/mine.toml"
    own.parent.mkdir(parents=True)
    shutil.copy(resources.shipped_folder("print") / "themes/forest.toml", own)
    (tmp_path / ".vaultkit/config.toml").write_text('[print]\ntheme = "mine"\n')

    def serve_theme() -> object:
        return page_files(Workspace(tmp_path, cached=False), "tarokka", print)["theme.css"]()

    assert serve_theme() == (card_images.stylesheet(Theme()).encode(), "text/css")
    grant(tmp_path)
    assert serve_theme() == (card_images.stylesheet(Theme(tmp_path, "mine")).encode(), "text/css")


@pytest.mark.usefixtures("trusting")
def test_unusable_back_of_the_vault_is_replaced_by_ours_and_reported_to_the_host(tmp_path: Path) -> None:
    own = tmp_path / ".vaultkit/print/backs/tarokka.toml"
    own.parent.mkdir(parents=True)
    own.write_text('ground = "head"\n[pattern]\nsize = "6mm"\n')
    told: list[str] = []
    back = page_files(Workspace(tmp_path, cached=False), "tarokka", told.append)["back.svg"]
    assert back() == (draw_back(load_default_back("tarokka", None), Theme()).encode(), "image/svg+xml")
    [words] = told
    assert words == Says(".vaultkit/print/backs/tarokka.toml [pattern]", "signs", "missing")


@pytest.mark.parametrize(
    "width",
    [pytest.param(500, id="a card"), pytest.param(410, id="a tall card"), pytest.param(545, id="no card")],
)
def test_picture_is_a_whole_card_on_the_same_condition_as_in_print(tmp_path: Path, width: int) -> None:
    Image.new("RGB", (width, 700), "red").save(tmp_path / "owl.png")
    vault = Vault(tmp_path)
    entry = CardEntry(known_deck("tarokka").cards[0], "Owl.md", 1, "owl.png")
    data, kind = make_card_image(vault, entry, Theme())
    printed = is_whole(PrintableCard("Owl", image=tmp_path / "owl.png"))
    assert kind == SVG and b"data:image/jpeg" in data
    assert (b"<clipPath" not in data) is printed, "a whole one fills the card"


@pytest.mark.slow
def test_small_face_shows_label_and_suits_alone() -> None:
    for kind in ("tarokka", "astromancy", "decktet", "french52"):
        deck = known_deck(kind)
        assert deck is not None
        for card in deck.cards:
            face = draw_face(card, Theme(), label=card_svg.corner_labels(deck)[card.id])
            x, y, scale = map(float, re.findall(r"translate\((-?\d+)px,(-?\d+)px\)scale\(([\d.]+)\)", face)[0])
            edges = [number * scale + start for start, number in ((x, 60), (x, 116), (y, 78), (y, 146))]
            assert scale >= 2 and all(0 < edge < limit for edge, limit in zip(edges, (500, 500, 700, 700), strict=True))
            assert face.count("<g class='large'>") == 2 and face.count("<g class='index'>") == 1


def sign_centres(svg: str) -> list[tuple[float, float]]:
    signs = re.findall(r"<use [^>]*translate\((-?\d+) (-?\d+)\) scale\(([\d.]+)\)", svg)
    return [(float(x) + 50 * float(scale), float(y) + 50 * float(scale)) for x, y, scale in signs]


def test_signs_of_a_back_are_the_same_on_both_sides_and_around_the_medallion() -> None:
    design = load_default_back("french52", None)
    drawn = draw_back(design, Theme())
    centres, medallion = sign_centres(drawn), "<circle cx='250' cy='350'"
    assert len(centres) > 30
    for x, y in centres:
        assert 40 < x < 460 and 40 < y < 660
        assert any(abs(500 - x - other) <= 1.5 and abs(y - height) <= 1.5 for other, height in centres)
    assert (min(x for x, _ in centres), max(x for x, _ in centres)) == pytest.approx((90, 410), abs=1)
    assert design.medallion and medallion in drawn


def test_a_card_has_as_many_pips_as_its_rank_which_do_not_touch() -> None:
    deck = known_deck("french52")
    assert deck is not None
    for card in (card for card in deck.cards if card.rank in range(2, 11)):
        drawn = draw_face(card, Theme(), label=str(card.rank))
        size = 100 * max(map(float, re.findall(r"<use [^>]*scale\(([\d.]+)\)", drawn)))
        pips = [centre for centre in sign_centres(drawn) if 100 < centre[0] < 400]
        assert len(pips) == card.rank
        assert all(any(abs(500 - x - other) <= 1.5 for other, _ in pips) for x, _ in pips)
        assert all(math.dist(pip, other) > 0.9 * size for pip, other in combinations(pips, 2))


def test_a_court_card_has_the_first_letter_of_its_rank() -> None:
    deck = known_deck("french52")
    assert deck is not None
    for card in (card for card in deck.cards if card.rank in ("King", "Queen", "Jack")):
        assert letter_outlines("Cinzel-Bold").path(str(card.rank)[0]) in draw_face(card, Theme(), label="x")


def test_a_back_has_the_colours_of_the_printed_one() -> None:
    drawn = draw_back(load_default_back("french52", None), Theme())
    assert Theme().colour_code(look.ACCENT) in drawn and Theme().colour_code(look.GILT) not in drawn


@pytest.mark.usefixtures("trusting")
@pytest.mark.parametrize("icon", [b"\xff", b"<svg/>", b'<path d="M0 0<script>"/>'])
def test_invalid_icon_of_the_vault_becomes_a_letter_and_a_valid_one_only_a_path(tmp_path: Path, icon: bytes) -> None:
    file = tmp_path / ".vaultkit/print/icons/swords.svg"
    file.parent.mkdir(parents=True)
    file.write_bytes(icon)
    card = known_deck("tarokka").by_id["6-swords"]  # type: ignore[union-attr]
    drawn = draw_face(card, Theme(tmp_path))
    assert ("href='#swords'" in drawn) == (b"d=" in icon) and "<script" not in drawn


@pytest.mark.short(1)
@pytest.mark.parametrize("name", ["dragon-citadel-end-seat", "prophets-gambit-middle-phone", "propheta-middle-seat"])
def test_names_from_right_to_left_cannot_reorder_their_sentence(tmp_path: Path, name: str) -> None:
    shutil.copytree(resources.shipped_folder("vault-example"), tmp_path / "vault")
    workspace = Workspace(tmp_path / "vault", cached=False)
    drawn = page_html.render_update(of_game(workspace, HARD[f"hard-{name}"]).sight)
    texts = [drawn.title, drawn.say, *drawn.regions.values()]
    names = [HARD_NAMES[1], HARD_NAMES[4]]
    before = {text[at.start() - 1] for text in texts for at in re.finditer("|".join(names), text)}
    assert before == {"\u2068"}


@pytest.mark.parametrize("theme", ["classic", "forest", "parchment", "dark"])
def test_text_has_contrast_in_every_theme_by_day_and_night(theme: str) -> None:
    for part in card_images.stylesheet(Theme(name=theme)).split("@media"):
        rules = part[part.index("--") :].rstrip("}").replace("--", "").split(";")
        shades = dict(one.split(":") for one in rules if one)
        for ground in ("ground", "panel", "edge"):
            for role in ("ink", "muted", "head", "link", "warn"):
                assert colour.contrast(shades[role], shades[ground]) >= 4.5, (theme, role, ground)


@pytest.mark.slow
@pytest.mark.parametrize("name", GAMES)
def test_page_uses_the_words_of_the_terminal_and_fits_into_an_event(tmp_path: Path, name: str) -> None:
    shutil.copytree(resources.shipped_folder("vault-example"), tmp_path / "vault")
    sight = of_game(Workspace(tmp_path / "vault", cached=False), GAMES[name]).sight
    frame = page_html.render_update(sight)
    event = json.dumps(asdict(frame), separators=(",", ":"))
    assert len(event) < EVENT
    page = page_html.render_page(sight.scene.title, sight.marks.faces(), "phone" if "phone" in name else "page")
    files = re.findall(r"/web/([\w-]+\.(?:css|js)|[\w-]+-basic\.ttf)", page + STYLE)
    made = page_files(Workspace(tmp_path / "vault", cached=False), sight.deck.kind, print)
    contents = [read_page_file(file) or b"" for file in files if file not in made] + [
        make()[0] for make in made.values()
    ]
    sent = len(page + event) + sum(len(gzip.compress(content)) for content in contents)
    assert (len(files), sent < FIRST) == (7, True), (files, sent)
    words = " ".join(unescape(re.sub(r"<[^>]+>", "", html)) for html in frame.regions.values())
    speaker = TerminalText(sight.scene.names.__getitem__, sight.deck, TerminalStyle(plain=True))
    for event in sight.scene.news[-5:]:
        assert speaker.words(event[1].sentence) in words
    if len(sight.scene.offers) <= MAX_SHOWN_OFFER_COUNT and not (sight.company and sight.company.is_paused):
        assert all(speaker.words(offer.ends or offer.label) in words for offer in sight.scene.offers)
    for sentence, cards in sight.ending.deciding if sight.ending else ():
        assert speaker.words(sentence) in words
        assert all(f"<img src='{sight.marks.face(card)}'" in frame.regions["middle"] for card in cards)
    drawn = () if sight.ending else sight.scene.zones
    assert all(speaker.title(card) in unescape(str(frame.regions)) for zone in drawn for card in zone.cards)
