"""`vaultkit print`, read back with another library."""

import os
import re
from pathlib import Path

import pikepdf
import pypdf
import pytest
from PIL import Image

from tests.cli.conftest import Vaultkit
from vaultkit.errors import ExitCode

pytestmark = pytest.mark.usefixtures("trusting")

SHEETS = (("scores", "dragon-citadel"), ("rules", "Dragon Citadel"), ("cards", "tarokka"))
POINTS = {"a4": (595.28, 841.89), "letter": (612.0, 792.0)}


@pytest.mark.slow
@pytest.mark.parametrize("paper", POINTS)
@pytest.mark.parametrize("words", SHEETS, ids=lambda words: words[0])
def test_every_sheet_is_printed_on_every_paper(
    vk: Vaultkit, example: Path, tmp_path: Path, words: tuple[str, str], paper: str
) -> None:
    out = tmp_path / "sheet.pdf"
    done = vk("print", *words, "--paper", paper, "--out", str(out), "--json", cwd=example)
    assert done.code == ExitCode.OK
    reader = pypdf.PdfReader(out)
    assert len(reader.pages) == done.json["pages"]
    for page in reader.pages:
        assert (float(page.mediabox.width), float(page.mediabox.height)) == pytest.approx(POINTS[paper], abs=0.1)


@pytest.mark.slow
def test_all_fonts_are_embedded(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    for name, what in SHEETS:
        out = tmp_path / f"{name}.pdf"
        vk("print", name, what, "--out", str(out), cwd=example)
        with pikepdf.open(out) as pdf:
            fonts = [item for item in pdf.objects if isinstance(item, pikepdf.Dictionary) and "/FontName" in item]
            assert fonts
            assert all("/FontFile2" in font for font in fonts)


@pytest.mark.slow
def test_every_card_is_on_the_cut_sheets(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    out = tmp_path / "cards.pdf"
    vk("print", "cards", "tarokka", "--frame", "classic", "--out", str(out), cwd=example)
    reader = pypdf.PdfReader(out)
    assert len(reader.pages) == 6
    text = " ".join(" ".join(page.extract_text() for page in reader.pages).split()).lower()
    names = [card["name"] for card in vk("deck", "tarokka", "--json", cwd=example).json["cards"]]
    assert [name for name in names if name.lower() not in text] == []


@pytest.mark.slow
def test_file_name_states_the_kind_of_sheet(vk: Vaultkit, example: Path) -> None:
    vk("print", "scores", "dragon-citadel", cwd=example)
    vk("print", "rules", "House Rules", cwd=example)
    names = sorted(file.name for file in (example / "Sheets").iterdir())
    assert names == ["House Rules-rules.pdf", "dragon-citadel-scores.pdf"]


@pytest.mark.slow
def test_players_linked_in_the_settings_are_printed_by_name(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    settings = 'players = ["[[1-Party/Bram Tolliver]]", "[[Ysolde Marr|Ysolde]]", "Ivo"]\n'
    (example / ".vaultkit" / "config.toml").write_text(settings, encoding="utf-8")
    out = tmp_path / "sheet.pdf"
    vk("print", "scores", "propheta", "--layout", "party", "--out", str(out), cwd=example)
    fields = sorted((pypdf.PdfReader(out).get_fields() or {}).items())
    assert [field.get("/V") for name, field in fields if name.endswith(".player") and field.get("/V")] == [
        "Bram Tolliver", "Ysolde", "Ivo"]  # fmt: skip


@pytest.mark.slow
def test_sheets_are_written_to_the_configured_folder_from_anywhere(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    (example / ".vaultkit" / "config.toml").write_text('[print]\nfolder = "Sheets/Tonight"\n', encoding="utf-8")
    vk("print", "scores", "dragon-citadel", "--vault", str(example), cwd=tmp_path)
    assert (example / "Sheets" / "Tonight" / "dragon-citadel-scores.pdf").is_file()


@pytest.mark.slow
def test_foreign_file_is_not_replaced(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    out = tmp_path / "mine.pdf"
    out.write_bytes(b"%PDF-1.7 my own")
    done = vk("print", "scores", "dragon-citadel", "--out", str(out), cwd=example)
    assert done.code == ExitCode.WRITE
    assert out.read_bytes() == b"%PDF-1.7 my own"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("words", "code", "said"),
    [
        (("scores", "dragon-citadell"), ExitCode.NOTHING, "dragon-citadel"),
        (("scores", "dragon-citadel", "--paper", "a5"), ExitCode.NOTHING, "--paper a4"),
        (("rules", "Drgon Citadel"), ExitCode.NOTHING, "dragon-citadel"),
        (("rules", "Empty"), ExitCode.INVALID, "empty"),
        (("cards", "tarot"), ExitCode.NOTHING, "tarokka"),
    ],
)
def test_wrong_usage_is_one_clear_error(
    vk: Vaultkit, example: Path, words: tuple[str, ...], code: ExitCode, said: str
) -> None:
    (example / "Empty.md").write_text("---\ntags: []\n---\n", encoding="utf-8")
    done = vk("print", *words, cwd=example)
    assert done.code == code
    assert said in done.err
    assert not list(example.glob("*.pdf"))


@pytest.mark.skipif(os.name == "nt" or os.geteuid() == 0, reason="root and Windows may write everywhere")
def test_read_only_folder_is_reported(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    folder = tmp_path / "locked"
    folder.mkdir(mode=0o555)
    done = vk("print", "scores", "dragon-citadel", "--out", str(folder / "x.pdf"), cwd=example)
    assert done.code == ExitCode.WRITE


@pytest.mark.slow
def test_p8_the_same_bytes_from_any_folder(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    for name, what in SHEETS:
        one, two = tmp_path / f"{name}-1.pdf", tmp_path / f"{name}-2.pdf"
        vk("print", name, what, "--out", str(one), cwd=example)
        vk("print", name, what, "--out", str(two), "--vault", str(example), cwd=tmp_path)
        assert one.read_bytes() == two.read_bytes()


BAD_DESIGNS = (
    ("paper.toml", 'a4 = ["210mm", "297mm"]', "[papers]"),
    ("themes/classic.toml", "[colours]\nzzz = '#000000'\n[suits]\n", "zzz"),
    ("sheets/dragon-citadel-score.toml", "[sheet]\ngame = 1\n", "dragon-citadel-score.toml"),
    ("fonts/Alegreya-Regular.ttf", "this is not a font", "Alegreya-Regular.ttf"),
    ("icons/swords.svg", "<svg/>", "swords.svg"),
)


@pytest.mark.short(1)
@pytest.mark.parametrize(("name", "content", "said"), BAD_DESIGNS, ids=[name for name, *_ in BAD_DESIGNS])
def test_a_bad_design_of_the_vault_is_one_clear_error(
    vk: Vaultkit, example: Path, name: str, content: str, said: str
) -> None:
    design = example / ".vaultkit" / "print" / name
    design.parent.mkdir(parents=True)
    design.write_text(content, encoding="utf-8")
    done = vk("print", "scores", "dragon-citadel", "--out", "x.pdf", cwd=example)
    assert done.code == ExitCode.INVALID
    assert done.err.startswith("Error: ")
    assert "Where: " in done.err
    assert said in done.err or name.rpartition("/")[2] in done.err
    assert not (example / "x.pdf").exists()


@pytest.mark.slow
@pytest.mark.parametrize("out", ["no/such/folder/x.pdf", "here/x.pdf", "x" * 300 + ".pdf"])
def test_unwritable_place_is_one_clear_error(vk: Vaultkit, example: Path, tmp_path: Path, out: str) -> None:
    (tmp_path / "here").write_text("a file", encoding="utf-8")
    done = vk("print", "scores", "dragon-citadel", "--out", str(tmp_path / out), cwd=example)
    assert done.code == ExitCode.WRITE
    assert "Where: " in done.err
    assert "--out" in done.err
    assert not list(tmp_path.rglob(".vaultkit-*.tmp"))


DECK = "---\nvaultkit-deck: mine\n---\n# Mine\n\n## Cards\n\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cards", "said"),
    [
        ("### One\n\nwords\n", "1 page"),
        ("### One\n\n" + "x" * 500 + "\n", "page"),
        ("### <b>A</b> & <img src=/etc/passwd>\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n> [!note] z\n> a\n", "1 page"),
        ("### A\n\n![[no-such.webp]]\n\n### B\n\n![[../../x.png]]\n\n### C\n\n![[Mine]]\n", "1 page"),
        ("### \U0001f409 \U00012001\n\n\U00012000\n", "No font here has these characters: \U00012000 \U00012001"),
        (
            "### \U0001f409 \u05e9\u05dc\n\n\u4e2d\n",
            "No font here has the letters of Hebrew (\u05dc",
        ),
    ],
)
def test_odd_decks_are_printed(vk: Vaultkit, example: Path, tmp_path: Path, cards: str, said: str) -> None:
    (example / "Mine.md").write_text(DECK + cards, encoding="utf-8")
    done = vk("print", "cards", "mine", "--out", str(tmp_path / "x.pdf"), cwd=example)
    assert done.code == ExitCode.OK
    assert said in done.err


@pytest.mark.short(1)
@pytest.mark.parametrize(
    ("kind", "name"), [("#fish", "fish-cards.pdf"), ("b#q/x", "b q x-cards.pdf"), ("???", "deck-cards.pdf")]
)
def test_a_deck_of_any_kind_has_a_file(vk: Vaultkit, example: Path, kind: str, name: str) -> None:
    (example / "Mine.md").write_text(f'---\nvaultkit-deck: "{kind}"\n---\n## Cards\n### A\n', encoding="utf-8")
    done = vk("print", "cards", kind, cwd=example)
    assert (done.code, [file.name for file in example.rglob("*.pdf")]) == (ExitCode.OK, [name]), done.err


@pytest.mark.slow
@pytest.mark.parametrize(
    ("cards", "named"),
    [
        (f"### One\n\n{'word ' * 15_000}\n", "One"),
        (f"### {'Very ' * 60}\n\nx\n", "Very"),
        (f"### {'V' * 300}\n\nx\n", "VVV"),
    ],
    ids=["words", "title", "a title of one word"],
)
def test_card_with_too_many_words_is_an_error_with_the_card_and_excess_words(
    vk: Vaultkit, example: Path, tmp_path: Path, cards: str, named: str
) -> None:
    (example / "Mine.md").write_text(DECK + cards, encoding="utf-8")
    done = vk("print", "cards", "mine", "--out", str(tmp_path / "x.pdf"), cwd=example)
    assert done.code == ExitCode.INVALID
    assert f"'{named}" in done.err
    assert re.search(r"[1-9]\d* word", done.err)
    assert not (tmp_path / "x.pdf").exists()


@pytest.mark.slow
def test_deck_of_five_hundred_cards(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    cards = "".join(f"### Card {number}\n\nWords of card {number}.\n\n" for number in range(500))
    (example / "Mine.md").write_text(DECK + cards, encoding="utf-8")
    done = vk("print", "cards", "mine", "--out", str(tmp_path / "x.pdf"), "--json", cwd=example)
    assert done.code == ExitCode.OK
    assert len(done.json["sheets"]) == 500


@pytest.mark.skipif(os.name == "nt", reason="links need rights there")
def test_p15_a_picture_that_leads_out_of_the_vault_is_not_opened(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    secret = tmp_path / "secret.png"
    Image.new("RGB", (40, 40), "red").save(secret)
    (example / "link.png").symlink_to(secret)
    note = f"one ![[link.png]] two ![](../secret.png) three ![]({secret}) four"
    (example / "Hostile.md").write_text(note, encoding="utf-8")
    done = vk("print", "rules", "Hostile", "--out", str(tmp_path / "x.pdf"), cwd=example)
    assert done.code == ExitCode.OK
    page = pypdf.PdfReader(tmp_path / "x.pdf").pages[0]
    assert not page.images
    assert "not found in the vault" in " ".join(page.extract_text().split())


@pytest.mark.slow
def test_id_of_a_game_prints_its_rule_note_under_any_name(vk: Vaultkit, example: Path, tmp_path: Path) -> None:
    (example / "Goose Fair.md").write_text("---\nvaultkit-game: chess\n---\n# How we play\n", encoding="utf-8")
    for name in ("prophets-gambit", "chess", "Chess"):
        assert vk("print", "rules", name, "--out", str(tmp_path / f"{name}.pdf"), cwd=example).code == ExitCode.OK
    assert pypdf.PdfReader(tmp_path / "prophets-gambit.pdf").metadata.title == "Prophet's Gambit"
    assert pypdf.PdfReader(tmp_path / "Chess.pdf").metadata.title == "How we play"
    (example / "Chess.md").write_text("# A poem\n", encoding="utf-8")
    vk("print", "rules", "Chess", "--out", str(tmp_path / "Chess.pdf"), cwd=example)
    assert pypdf.PdfReader(tmp_path / "Chess.pdf").metadata.title == "A poem"
    done = vk("print", "rules", "hearts", cwd=example)
    assert done.code == ExitCode.NOTHING and "no note 'hearts'" in done.err
