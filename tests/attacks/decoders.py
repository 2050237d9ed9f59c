"""Pictures and PDF forms that start programs, never end, or decode to gigabytes."""

import struct
import zlib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import pikepdf
from pikepdf import Array, Dictionary, Name
from PIL import Image

from tests.attacks.attack import Attack

LOG = ("log", "dragon-citadel", "--from", "sheet.pdf", "--dry-run")
REFUSED = "not a score sheet"


def form(vault: Path, fields: Callable[[pikepdf.Pdf], list[object]]) -> None:
    """Write sheet.pdf with one page that shows the form fields made by `fields`."""
    with pikepdf.new() as pdf:
        page, made = pdf.add_blank_page(), fields(pdf)
        for field in made:
            field.Rect = Array([10, 10, 90, 20])  # type: ignore[attr-defined]
        page.Annots, pdf.Root.AcroForm = Array(made), Dictionary(Fields=Array(made))
        data = BytesIO()
        pdf.save(data, compress_streams=False)
    (vault / "sheet.pdf").write_bytes(data.getvalue())


def zeros(pdf: pikepdf.Pdf, size: int) -> pikepdf.Stream:
    """Return a stream of `size` bytes that is compressed to a thousandth of that."""
    packer = zlib.compressobj(9)
    data = b"".join([*(packer.compress(b" " * 1_000_000) for _ in range(size // 1_000_000)), packer.flush()])
    stream = pdf.make_stream(data)
    stream.Filter = Name.FlateDecode
    return stream


def shared_kids(vault: Path) -> None:
    def fields(pdf: pikepdf.Pdf) -> list[object]:
        kid = pdf.make_indirect(Dictionary(T="end", FT=Name.Tx, Subtype=Name.Widget))
        for depth in range(11):
            kid = pdf.make_indirect(Dictionary(T=f"a{depth}", Kids=Array([kid] * 1_000)))
        return [kid]

    form(vault, fields)


def shared_values(vault: Path) -> None:
    def fields(pdf: pikepdf.Pdf) -> list[object]:
        value = pdf.make_indirect(Array(["x"]))
        for _ in range(40):
            value = pdf.make_indirect(Array([value, value]))
        return [pdf.make_indirect(Dictionary(T="a", FT=Name.Tx, Subtype=Name.Widget, V=value))]

    form(vault, fields)


def large_value(vault: Path) -> None:
    form(
        vault,
        lambda pdf: [
            pdf.make_indirect(Dictionary(T="a", FT=Name.Tx, Subtype=Name.Widget, V=zeros(pdf, 1_000_000_000)))
        ],
    )


def shared_texts(vault: Path) -> None:
    def fields(pdf: pikepdf.Pdf) -> list[object]:
        text = pdf.make_indirect(pikepdf.String("x" * 20_000_000))
        return [pdf.make_indirect(Dictionary(T=f"a{n}", FT=Name.Tx, Subtype=Name.Widget, V=text)) for n in range(5_000)]

    form(vault, fields)


def large_looks(vault: Path) -> None:
    def fields(pdf: pikepdf.Pdf) -> list[object]:
        look = zeros(pdf, 1_000_000_000)
        return [pdf.make_indirect(Dictionary(T="a", FT=Name.Tx, Subtype=Name.Widget, AP=Dictionary(N=look)))]

    form(vault, fields)


def many_looks(vault: Path) -> None:
    def fields(pdf: pikepdf.Pdf) -> list[object]:
        look = Dictionary(N=zeros(pdf, 0))
        return [
            pdf.make_indirect(Dictionary(T=f"a{n}", FT=Name.Tx, Subtype=Name.Widget, AP=look)) for n in range(20_000)
        ]

    form(vault, fields)


def large_picture(kind: str) -> Callable[[Path], None]:
    """Return a function that writes a note with a picture of 64 megapixels in a small file."""

    def prepare(vault: Path) -> None:
        Image.new(kind, (8000, 8000)).save(vault / "large.png")
        (vault / "Picture.md").write_text("![[large.png]]\n", encoding="utf-8")

    return prepare


def costly_picture(name: str, **options: object) -> Callable[[Path], None]:
    """Return a function that writes a note with a picture of 63 megapixels that takes much memory to decode."""

    def prepare(vault: Path) -> None:
        Image.new("RGB", (8000, 7900), (90, 60, 30)).save(vault / name, **options)
        (vault / "Picture.md").write_text(f"![[{name}]]\n", encoding="utf-8")

    return prepare


def parted_picture(name: str, data: bytes) -> Callable[[Path], None]:
    """Return a function that writes a note with a picture, which is refused and named in its place."""

    def prepare(vault: Path) -> None:
        (vault / name).write_bytes(data)
        (vault / "Picture.md").write_text(f"# Note\n\n![[{name}]]\n\n![[{name}|50]]\n")

    return prepare


def png_of_chunks(count: int) -> bytes:
    data = BytesIO()
    Image.new("L", (9, 9)).save(data, "PNG")
    start, end = data.getvalue()[:33], data.getvalue()[33:]
    return start + (bytes(4) + b"teXt" + zlib.crc32(b"teXt").to_bytes(4)) * count + end


def tiff_of_strips(count: int) -> bytes:
    numbers = {256: 9_000, 257: 9_000, 258: 8, 259: 1, 262: 1, 277: 1, 278: 1}
    tags = [struct.pack("<HHII", tag, 4, 1, number) for tag, number in numbers.items()]
    tags += [struct.pack("<HHII", tag, 4, count, 200) for tag in (273, 279)]
    return b"II*\0\x08\0\0\0" + struct.pack("<H", len(tags)) + b"".join(tags) + bytes(4 * count + 200)


def png_of_pixels(width: int, height: int) -> bytes:
    """Return a PNG of black pixels."""
    size = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    chunks = (b"IHDR" + size, b"IDAT" + zlib.compress(bytes((width // 8 + 2) * height), 1), b"IEND")
    parts = (struct.pack(">I", len(chunk) - 4) + chunk + struct.pack(">I", zlib.crc32(chunk)) for chunk in chunks)
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def large_cards(vault: Path) -> None:
    """Write a deck with two cards whose pictures of 63 megapixels are decoded at the same time."""
    for name in ("a", "b"):
        picture = Image.new("RGB", (8000, 7900), (90, 60, 30))
        picture.save(vault / f"{name}.jpg", progressive=True, comment=name)
    cards = "".join(f"### Card {name}\n\n![[{name}.jpg]]\n\ntext\n\n" for name in ("a", "b"))
    (vault / "Deck.md").write_text(f"---\nvaultkit-deck: big\n---\n# Big\n\n{cards}", encoding="utf-8")


PARTED_PICTURES = {
    "wide.png": png_of_pixels(60_000_000, 1),
    "high.png": png_of_pixels(1, 8_000_000),
    "a.png": png_of_chunks(2_000_000),
    "a.gif": b"GIF89a\x09\0\x09\0\x80\0\0\0\0\0\xff\xff\xff" + b"!\xfe\1a\0" * 5_000_000 + b";",
    "a.jpg": b"\xff\xd8" + b"\xff\xe0\0\2" * 1_000_000,
    "a.tif": tiff_of_strips(8_000_000),
}


def long_names(depth: int, size: int) -> Callable[[Path], None]:
    """Return a function that writes a box below `depth` fields that share one name of `size` letters."""

    def prepare(vault: Path) -> None:
        with pikepdf.new() as pdf:
            name = pdf.make_indirect(pikepdf.String("x" * size))
            box = field = pdf.make_indirect(Dictionary(T=name, FT=Name.Tx, Subtype=Name.Widget))
            box.Rect = Array([10, 10, 90, 20])
            for _ in range(depth):
                field.Parent = pdf.make_indirect(Dictionary(T=name, Kids=Array([field])))
                field = field.Parent
            pdf.add_blank_page().Annots, pdf.Root.AcroForm = Array([box]), Dictionary(Fields=Array([field]))
            pdf.save(vault / "sheet.pdf")

    return prepare


def drawn_page(content: Callable[[pikepdf.Pdf], object]) -> Callable[[Path], None]:
    """Return a function that writes a box on a page with this content."""

    def prepare(vault: Path) -> None:
        with pikepdf.new() as pdf:
            page = pdf.add_blank_page()
            box = pdf.make_indirect(Dictionary(T="a", FT=Name.Tx, Subtype=Name.Widget, Rect=Array([10, 10, 90, 20])))
            page.Contents, page.Annots = content(pdf), Array([box])
            pdf.Root.AcroForm = Dictionary(Fields=Array([box]))
            pdf.save(vault / "sheet.pdf")

    return prepare


def ink(vault: Path) -> None:
    """Write a page with 2,000 boxes below 200 drawings, each a line of 20,000 points over the whole page."""

    def fields(pdf: pikepdf.Pdf) -> list[object]:
        points = pdf.make_indirect(Array([number % 500 for number in range(40_000)]))
        drawings = [pdf.make_indirect(Dictionary(Subtype=Name.Ink, InkList=Array([points]))) for _ in range(200)]
        boxes = [pdf.make_indirect(Dictionary(T=f"a{n}", FT=Name.Tx, Subtype=Name.Widget)) for n in range(2_000)]
        return [*boxes, *drawings]

    form(vault, fields)


def repeated_page(vault: Path) -> None:
    """Write a page that the list of pages has sixty thousand times."""
    drawn_page(lambda pdf: pdf.make_stream(b"q Q"))(vault)
    with pikepdf.open(vault / "sheet.pdf", allow_overwriting_input=True) as pdf:
        pdf.Root.Pages.Kids = Array([pdf.pages[0].obj] * 60_000)
        pdf.Root.Pages.Count = 60_000
        pdf.save()


def repeated_boxes(vault: Path) -> None:
    """Write a page with 262 boxes that the list of pages has sixty thousand times."""

    def fields(pdf: pikepdf.Pdf) -> list[object]:
        boxes = (Dictionary(T=f"a{number}", FT=Name.Tx, Subtype=Name.Widget) for number in range(262))
        return [pdf.make_indirect(box) for box in boxes]

    form(vault, fields)
    with pikepdf.open(vault / "sheet.pdf", allow_overwriting_input=True) as pdf:
        pdf.Root.Pages.Kids = Array([pdf.pages[0].obj] * 60_000)
        pdf.Root.Pages.Count = 60_000
        pdf.save()


def packed_numbers(vault: Path) -> None:
    """Write ink whose numbers are packed to a thousandth of their size, in many streams."""
    drawn_page(lambda pdf: pdf.make_stream(b"q Q"))(vault)
    with pikepdf.open(vault / "sheet.pdf", allow_overwriting_input=True) as pdf:
        for _ in range(2_000):
            ink = Dictionary(Subtype=Name.Ink, Rect=Array([10, 10, 90, 20]), InkList=Array([Array([1] * 3_000)]))
            pdf.pages[0].Annots.append(pdf.make_indirect(ink))
        pdf.save(object_stream_mode=pikepdf.ObjectStreamMode.generate)


def shared_looks(vault: Path) -> None:
    def fields(pdf: pikepdf.Pdf) -> list[object]:
        look = Dictionary(N=zeros(pdf, 300_000_000))
        return [pdf.make_indirect(Dictionary(T=f"a{n}", FT=Name.Tx, Subtype=Name.Widget, AP=look)) for n in range(900)]

    form(vault, fields)


DRAWINGS = {
    "lines": (b"0 0 m 1 1 l S ", 120_000, "more than 1 MB"),
    "words": (b"BT /F1 12 Tf (x) Tj ET ", 60_000, "more than 1 MB"),
    "shapes that are none": (b"0 0 1e308 1e308 re f ", 80_000, "more than 1 MB"),
    "strokes of nothing": (b"S ", 300_000, "more than 250,000 steps"),
    "words beside the boxes": (b"BT 9 0 0 9 500 500 Tm (x) Tj ET ", 30_000, REFUSED),
    "lines around the boxes": (b"0 0 m 0 500 l 500 500 l 500 0 l 0 0 l S ", 20_000, REFUSED),
}
PICTURE = ("print", "rules", "Picture", "--out", "picture.pdf")
ATTACKS = [
    Attack("a picture of sixty-four clear megapixels", large_picture("RGBA"), PICTURE, words="Printed"),
    Attack("a picture of sixty-four megapixels of 16 bits", large_picture("I;16"), PICTURE, words="Printed"),
    *(
        Attack(f"a picture has parts without end: {name}", parted_picture(name, data), PICTURE, words="Printed")
        for name, data in PARTED_PICTURES.items()
    ),
    Attack("a WebP picture takes a gigabyte", costly_picture("a.webp", lossless=True, method=0), PICTURE),
    Attack("a progressive JPEG keeps all coefficients", costly_picture("a.jpg", progressive=True), PICTURE),
    Attack("two progressive JPEGs on cards", large_cards, ("print", "cards", "big", "--out", "cards.pdf")),
    Attack("one without subsampling", costly_picture("a.jpg", progressive=True, subsampling=0), PICTURE),
    Attack("an AVIF picture takes half a gigabyte", costly_picture("a.avif", speed=10), PICTURE),
    Attack("ninety fields share a long name", long_names(90, 200_000), LOG, 3, "more than 1,000 bytes"),
    Attack("a hundred fields are in each other", long_names(100, 3), LOG, 3, "within more than 32"),
    Attack("one field has a name of 30 MB", long_names(1, 30_000_000), LOG, 3, "more than 1,000 bytes"),
    Attack("a page has six million operators", drawn_page(lambda pdf: pdf.make_stream(b"q Q " * 6_000_000)), LOG, 3),
    Attack("a page becomes a gigabyte", drawn_page(lambda pdf: zeros(pdf, 1_000_000_000)), LOG, 3, REFUSED),
    *(
        Attack(
            f"others add {name} to a page",
            drawn_page(lambda pdf, part=part, count=count: pdf.make_stream(b"/Artifact BMC EMC " + part * count)),
            LOG,
            3,
            words,
        )
        for name, (part, count, words) in DRAWINGS.items()
    ),
    Attack("a page is there sixty thousand times", repeated_page, LOG, 3, "more than 1,000 pages"),
    Attack("a page of boxes is there sixty thousand times", repeated_boxes, LOG, 3, "more than 1,000 pages"),
    Attack("ink of six million packed numbers", packed_numbers, LOG, 3, "more than 1,500,000 numbers"),
    Attack("boxes share a look that becomes a gigabyte", shared_looks, LOG, 3, "more than 8 MB"),
    Attack("drawings cover all boxes", ink, LOG, 3, "more than 300,000 points"),
    Attack("a form shares its fields", shared_kids, LOG, 3, REFUSED),
    Attack("a form shares its values", shared_values, LOG, 3, REFUSED),
    Attack("boxes share a text of twenty megabytes", shared_texts, LOG, 3, "more than 20,000 bytes"),
    Attack("a value becomes a gigabyte", large_value, LOG, 3, "more than 20,000 bytes"),
    Attack("the look of a box becomes a gigabyte", large_looks, LOG, 3, REFUSED),
    Attack("a form has twenty thousand looks", many_looks, LOG, 3, "more than 12,000 boxes"),
]
