"""Pictures on their way into a PDF: cached by content, turned upright, and without private metadata."""

import os
from pathlib import Path
from random import Random

import pikepdf
import pytest
from msgspec import structs
from PIL import Image, ImageChops, ImageOps

from tests.sheets.conftest import keep_pictures_in
from vaultkit.sheets.cards.card_sheet import card_sheet
from vaultkit.sheets.cards.print_card import PrintableCard
from vaultkit.sheets.pdf.document import PrintJob
from vaultkit.theme import file_cache, image_fitting, image_transcoding
from vaultkit.theme.image_fitting import JPEG_QUALITY, Fit
from vaultkit.theme.model import Tone

PLACE = Fit(200, 280)


def picture(path: Path, size: tuple[int, int] = (400, 560), **more: object) -> Path:
    image = Image.new("RGB", size, "teal")
    image.paste("gold", (0, 0, size[0] // 2, size[1] // 4))
    image.save(path, **more)
    return path


def test_cached_copy_is_identified_by_the_picture_content(tmp_path: Path) -> None:
    one = image_transcoding.prepare(picture(tmp_path / "a.png"), PLACE)
    same = image_transcoding.prepare(picture(tmp_path / "b.png"), PLACE)
    assert (one, one.width, one.height) == (same, 200, 280)
    others = [
        image_transcoding.prepare(tmp_path / "a.png", Fit(100, 140)),
        image_transcoding.prepare(tmp_path / "a.png", structs.replace(PLACE, cover=True)),
        image_transcoding.prepare(tmp_path / "a.png", structs.replace(PLACE, tone=Tone(grey=True))),
        image_transcoding.prepare(tmp_path / "a.png", structs.replace(PLACE, tone=Tone(light=True))),
        image_transcoding.prepare(tmp_path / "a.png", structs.replace(PLACE, tone=Tone(cmyk=True))),
    ]
    assert len({one.path, *(other.path for other in others)}) == 6


@pytest.mark.parametrize(
    ("own", "kept"),
    [((240, 336), (240, 336)), ((300, 420), (200, 280)), ((450, 630), (225, 315)), ((1150, 1610), (230, 322))],
)
def test_p10_cached_picture_is_not_much_larger_than_its_place(
    tmp_path: Path, own: tuple[int, int], kept: tuple[int, int]
) -> None:
    made = image_transcoding.prepare(picture(tmp_path / "a.png", own), PLACE)
    assert (made.width, made.height) == kept


def test_p9_cached_copy_is_not_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    source = picture(tmp_path / "a.png")
    first = image_transcoding.prepare(source, PLACE)
    monkeypatch.setattr(image_transcoding, "_transcode", lambda *_, **__: pytest.fail("made again"))
    assert image_transcoding.prepare(source, PLACE) == first


def test_p9_properties_of_a_picture_are_read_once_until_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[Path] = []
    monkeypatch.setattr(image_transcoding, "_measure", lambda path: read.append(path) or (4 + len(read), 5))
    monkeypatch.setattr(file_cache, "_MIN_AGE_NS", -(10**18))
    source, kept = picture(tmp_path / "a.png"), image_transcoding.cache_folder() / "files"

    def ask() -> tuple[int, int]:
        image_transcoding._cached_pixel_size.cache_clear()
        return image_transcoding.pixel_size(source)

    assert [ask(), ask()] == [(5, 5), (5, 5)]
    for answer in kept.iterdir():
        answer.write_bytes(b"damaged")
    assert ask() == (6, 5)
    os.utime(source, ns=(1, 1))
    assert ask() == (7, 5)
    monkeypatch.setattr(file_cache, "_MIN_AGE_NS", 10**18)
    assert [ask(), ask()] == [(8, 5), (9, 5)]  # it may change again at the same time


def test_broken_cached_copy_is_made_again(tmp_path: Path) -> None:
    source = picture(tmp_path / "a.png")
    kept = image_transcoding.prepare(source, PLACE).path
    whole = kept.read_bytes()
    kept.write_bytes(b"")
    assert image_transcoding.prepare(source, PLACE).path.read_bytes() == whole


@pytest.mark.parametrize(
    ("tone", "mode"), [(Tone(), "RGB"), (Tone(grey=True), "L"), (Tone(light=True), "L"), (Tone(cmyk=True), "CMYK")]
)
def test_p11_tones_set_the_colour_mode(tmp_path: Path, tone: Tone, mode: str) -> None:
    made = image_transcoding.prepare(picture(tmp_path / "a.png"), structs.replace(PLACE, tone=tone))
    with Image.open(made.path) as image:
        assert image.mode == mode


def test_p11_a_line_drawing_is_mostly_paper(tmp_path: Path) -> None:
    made = image_transcoding.prepare(picture(tmp_path / "a.png"), structs.replace(PLACE, tone=Tone(light=True)))
    with Image.open(made.path) as image:
        counts = image.histogram()
        assert sum(counts[230:]) > 0.9 * sum(counts)
        assert image.getextrema()[0] < 160


def test_photo_is_rotated_and_its_metadata_removed(tmp_path: Path) -> None:
    data = Image.Exif()
    data[0x0112] = 6
    data[0x010F] = "A Camera"
    source = picture(tmp_path / "a.jpg", (560, 400), exif=data, comment=b"A place")
    made = image_transcoding.prepare(source, PLACE)
    assert (made.width, made.height) == (200, 280)
    assert image_transcoding.measure_aspect_ratio(source) == pytest.approx(400 / 560)
    with Image.open(made.path) as image:
        assert not image.getexif()
    upright = image_transcoding.prepare(picture(tmp_path / "b.jpg", comment=b"A place"), PLACE)
    assert b"A Camera" not in made.path.read_bytes()
    assert not any(b"A place" in each.path.read_bytes() for each in (made, upright))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "content", "reason"),
    [
        ("none.png", None, "not found"),
        ("words.png", b"These are words.", "cannot be read as a picture"),
        ("empty.png", b"", "cannot be read as a picture"),
        ("cut.png", "cut", "cannot be read as a picture"),
        ("bomb.png", "bomb", "more than 64,000,000 pixels"),
        ("drawn.png", b'<?xml version="1.0"?><svg viewBox="0 0 1 1"/>', "an SVG drawing; let its name end with .svg"),
    ],
)
def test_unusable_picture_gives_the_reason(tmp_path: Path, name: str, content: bytes | str | None, reason: str) -> None:
    place = tmp_path / name
    if content == "cut":
        place.write_bytes(picture(tmp_path / "whole.png").read_bytes()[:300])
    elif content == "bomb":
        Image.new("1", (9000, 9000)).save(place)
    elif isinstance(content, bytes):
        place.write_bytes(content)
    with pytest.raises(image_transcoding.UnusablePicture, match=reason):
        image_transcoding.prepare(place, PLACE)
    assert not (tmp_path / "cache").exists()


def art(path: Path, seed: int) -> Path:
    noise = Image.effect_noise((600, 600), 60 + seed).convert("RGB")
    Image.blend(noise, Image.new("RGB", noise.size, (seed * 17 % 255, 90, 140)), 0.5).save(path)
    return path


@pytest.fixture(scope="module")
def deck(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Path]]:
    """Return nine cards with eight different pictures, one of which has two names, and their cached copies."""
    folder = tmp_path_factory.mktemp("deck")
    pictures = [art(folder / f"{number}.png", number) for number in range(8)]
    pictures.append(folder / "again.png")
    pictures[8].write_bytes(pictures[0].read_bytes())
    cards = [PrintableCard(f"Card {n}", "Suns", "suns", n, "Light.", image) for n, image in enumerate(pictures, 1)]
    with pytest.MonkeyPatch.context() as patch:
        keep_pictures_in(folder / "cache", patch)
        made = card_sheet(cards, "D", PrintJob("a4", folder / "d.pdf"))
    return made.path, sorted((folder / "cache").glob("*.jpg"))


@pytest.mark.slow
def test_p10_a_deck_is_no_larger_than_its_pictures(deck: tuple[Path, list[Path]]) -> None:
    pdf, copies = deck
    assert len(copies) == 8
    assert pdf.stat().st_size < 1.05 * sum(copy.stat().st_size for copy in copies)


@pytest.mark.slow
def test_p10_pictures_are_embedded_byte_for_byte_and_once(deck: tuple[Path, list[Path]]) -> None:
    pdf, copies = deck
    with pikepdf.open(pdf) as document:
        inside = [item for item in document.objects if isinstance(item, pikepdf.Stream) and "/Width" in item]
        found = sorted(image.read_raw_bytes() for image in inside)
    assert found == sorted(copy.read_bytes() for copy in copies)


def test_file_that_would_start_a_program_is_not_a_picture_under_any_name(tmp_path: Path) -> None:
    place = tmp_path / "eps.png"
    Image.new("RGB", (8, 8)).save(place, "EPS")
    with pytest.raises(image_transcoding.UnusablePicture, match="cannot be read as a picture"):
        image_transcoding.measure_aspect_ratio(place)


@pytest.mark.parametrize("mode", ["RGBA", "RGB"])
@pytest.mark.parametrize("orientation", range(1, 10))
def test_picture_shrunk_in_strips_equals_one_shrunk_whole(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, orientation: int, mode: str
) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    size = (59, 44)
    data = Random(orientation).randbytes(size[0] * size[1] * len(mode))
    Image.frombytes(mode, size, data).save(tmp_path / "a.png", exif=exif)
    with Image.open(tmp_path / "a.png") as own:
        upright = ImageOps.exif_transpose(own).convert("RGBA")
    whole = Image.alpha_composite(Image.new("RGBA", upright.size, "white"), upright).convert("RGB").reduce(3)
    whole.save(tmp_path / "whole.jpg", quality=JPEG_QUALITY, subsampling=0)
    monkeypatch.setattr(image_fitting, "_STRIP_PIXELS", 500)
    made = image_transcoding.prepare(tmp_path / "a.png", Fit(upright.width // 3, upright.height // 3))
    with Image.open(made.path) as strips, Image.open(tmp_path / "whole.jpg") as expected:
        assert strips.size == expected.size == (whole.width, whole.height)
        assert max(high for _, high in ImageChops.difference(strips, expected).getextrema()) <= 3
