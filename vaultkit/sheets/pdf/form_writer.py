"""Postprocessing of PDF files with pikepdf, for what ReportLab cannot write: form fields and rare letters.

A file with fields still conforms to PDF/A: each field has an embedded font to type in, an appearance for every value,
and no scripts.
"""

import re
from collections.abc import Collection, Sequence
from io import BytesIO
from typing import Any

import pikepdf
from pikepdf import Array, Dictionary, Name, ObjectStreamMode, Pdf, Stream, String

from vaultkit import files
from vaultkit.errors import InvalidError
from vaultkit.sheets.pdf.forms import PlacedField
from vaultkit.sheets.pdf.output_file import Metadata, seal

TICKED_STATE = "Yes"

_NON_SYMBOLIC_FLAG = 1 << 5
_PRINT_FLAG = 4
_READ_ONLY_FLAG, _MULTILINE_FLAG, _NO_SPELL_CHECK_FLAG, _DROP_DOWN_FLAG = 1 << 0, 1 << 12, 1 << 22, 1 << 17
_RADIO_FLAG = 1 << 15
_SIGN_FACE, _SIGNS = "ZaDb", {"radio": "l", "check": "8"}
"""The standard font, and in it the signs with which viewers tick a box: a dot and a cross."""
_ALIGNMENT_CODES = {"left": 0, "center": 1, "right": 2}
_LARGE_CODE_POINT = re.compile(rb"(?<=> <)[0-9A-F]{5,6}(?=>)")


def finish_pdf(data: bytes | bytearray, metadata: Metadata, fields: Sequence[PlacedField] = ()) -> bytearray:
    """Return a sealed PDF with metadata and form fields added; the same input gives the same bytes.

    `data` is the PDF as ReportLab wrote it, with an empty widget for each of `fields`.
    """
    with pikepdf.open(BytesIO(data)) as pdf:
        fix_surrogate_pairs(pdf)
        add_fields(pdf, fields)
        _add_metadata(pdf, metadata)
        output = BytesIO()
        pdf.save(
            output, min_version="1.7", deterministic_id=True, object_stream_mode=ObjectStreamMode.generate,
            fix_metadata_version=False,
        )  # fmt: skip
    return seal(bytearray(output.getvalue()))


def _add_metadata(pdf: Pdf, metadata: Metadata) -> None:
    info = {f"/{key}": String(value) for key, value in metadata.info.items()}
    pdf.trailer.Info = pdf.make_indirect(Dictionary(info))
    packet = pdf.make_stream(metadata.packet())
    packet.Type, packet.Subtype = Name.Metadata, Name.XML
    pdf.Root.Metadata = packet
    pdf.Root.Lang = String(metadata.language)


def fix_surrogate_pairs(pdf: Pdf) -> None:
    """Write letters beyond U+FFFF in the fonts' Unicode maps as UTF-16 surrogate pairs, as PDF requires."""
    for font in _fonts_with_unicode_maps(pdf).values():
        unicode_map = font.ToUnicode.read_bytes()
        fixed_map = _LARGE_CODE_POINT.sub(_encode_surrogates, unicode_map)
        if fixed_map != unicode_map:
            font.ToUnicode.write(fixed_map)


def _fonts_with_unicode_maps(pdf: Pdf) -> dict[tuple[int, int], Any]:
    fonts_by_id: dict[tuple[int, int], Any] = {}
    for page in pdf.pages:
        fonts = page.obj.get("/Resources", Dictionary()).get("/Font", Dictionary())
        fonts_by_id |= {font.objgen: font for _, font in fonts.items() if "/ToUnicode" in font}
    return fonts_by_id


def _encode_surrogates(code: "re.Match[bytes]") -> bytes:
    return chr(int(code[0], 16)).encode("utf-16-be").hex().upper().encode()


def add_fields(pdf: Pdf, placed_fields: Sequence[PlacedField]) -> None:
    """Turn the empty widgets on the pages into form fields; without fields nothing changes.

    Raises InvalidError if two fields share a name, if a name is also the beginning of another, or if part of a name is
    empty.
    """
    if not placed_fields:
        return
    form = pdf.make_indirect(Dictionary(Fields=Array(), DR=Dictionary(Font=Dictionary())))
    pdf.Root.AcroForm = form
    for face in dict.fromkeys(item.face for item in placed_fields):
        form.DR.Font[f"/{face}"] = _embed_font(pdf, face)
    if any(item.field.kind in _SIGNS for item in placed_fields):
        sign_font = Dictionary(Type=Name.Font, Subtype=Name.Type1, BaseFont=Name.ZapfDingbats)
        form.DR.Font[f"/{_SIGN_FACE}"] = pdf.make_indirect(sign_font)
    form.DA = String(f"/{placed_fields[0].face} 0 Tf {placed_fields[0].ink}")
    groups: dict[str, Any] = {}
    fields: dict[str, Any] = {}
    for item in placed_fields:
        name, is_radio = item.field.name, item.field.kind == "radio"
        if not (is_radio and _is_radio_group(fields.get(name))):
            _check_name(name, fields, groups)
            fields[name] = _make_radio_group(pdf, item) if is_radio else pdf.pages[item.page].Annots[item.place]
            _attach_field(form, _find_or_add_group(pdf, form, name, groups), fields[name])
        _fill_widget(pdf, item, fields[name])


def _is_radio_group(field: Any) -> bool:
    return field is not None and field.get("/FT") == Name.Btn and bool(int(field.Ff) & _RADIO_FLAG)


def _check_name(name: str, names: Collection[str], groups: dict[str, Any]) -> None:
    parts = name.split(".")
    group_names = {".".join(parts[:count]) for count in range(1, len(parts))}
    if name in names or name in groups or not group_names.isdisjoint(names):
        raise InvalidError(f"The sheet has two boxes named '{name}'.", hint="Give each box of the design its own id.")
    if not all(parts):
        raise InvalidError(f"A box of the sheet is named '{name}'.", hint="Give every row and column an id.")


def _find_or_add_group(pdf: Pdf, form: Any, name: str, groups: dict[str, Any]) -> Any:
    """Return the group field that contains the field `name`, after creating it if necessary.

    None means that the name has only one part.
    """
    group, _, _ = name.rpartition(".")
    if not group:
        return None
    if group not in groups:
        outer_group = _find_or_add_group(pdf, form, group, groups)
        group_field = pdf.make_indirect(Dictionary(T=String(group.rpartition(".")[2]), Kids=Array()))
        _attach_field(form, outer_group, group_field)
        groups[group] = group_field
    return groups[group]


def _attach_field(form: Any, parent: Any, field: Any) -> None:
    if parent is None:
        form.Fields.append(field)
    else:
        field.Parent = parent
        parent.Kids.append(field)


def _make_radio_group(pdf: Pdf, item: PlacedField) -> Any:
    """Return a new, still empty field for a group of radio boxes with the same name."""
    flags = _RADIO_FLAG | (_READ_ONLY_FLAG if item.field.fixed else 0)
    group = Dictionary(FT=Name.Btn, Ff=flags, TU=String(item.field.group), V=Name.Off, Kids=Array())
    group.T = String(item.field.name.rpartition(".")[2])
    return pdf.make_indirect(group)


def _fill_widget(pdf: Pdf, item: PlacedField, field: Any) -> None:
    """Set the entries of a widget; except for a radio box, the widget is the field itself."""
    page = pdf.pages[item.page]
    x, y, width, height = item.field.box
    widget = page.Annots[item.place]
    widget.Rect = Array([_round_number(n) for n in (x, y, x + width, y + height)])
    widget.F, widget.P = _PRINT_FLAG, page.obj
    widget.TU = String(item.field.tip)
    if item.field.kind == "radio":
        _fill_radio_widget(pdf, item, widget, field)
        return
    widget.T = String(item.field.name.rpartition(".")[2])
    fill = {"text": _fill_text_widget, "choice": _fill_choice_widget, "check": _fill_check_widget}[item.field.kind]
    fill(pdf, item, widget)


def _fill_text_widget(pdf: Pdf, item: PlacedField, widget: Any) -> None:
    widget.FT = Name.Tx
    lines_flag, fixed_flag = _MULTILINE_FLAG * bool(item.field.lines), _READ_ONLY_FLAG * item.field.fixed
    widget.Ff = _NO_SPELL_CHECK_FLAG | lines_flag | fixed_flag
    _set_text(pdf, item, widget)


def _fill_choice_widget(pdf: Pdf, item: PlacedField, widget: Any) -> None:
    widget.FT = Name.Ch
    widget.Ff = _DROP_DOWN_FLAG | _NO_SPELL_CHECK_FLAG | (_READ_ONLY_FLAG if item.field.fixed else 0)
    widget.Opt = Array([String(option) for option in item.field.options])
    if item.field.value in item.field.options:
        widget.I = Array([item.field.options.index(item.field.value)])
    _set_text(pdf, item, widget)


def _set_text(pdf: Pdf, item: PlacedField, widget: Any) -> None:
    widget.Q = _ALIGNMENT_CODES[item.field.align]
    widget.DA = String(f"/{item.face} 0 Tf {item.ink}")
    widget.V = String(item.field.value)
    _, _, width, height = item.field.box
    clipped_look = f"q 0 0 {_round_number(width)} {_round_number(height)} re W n {item.look} Q" if item.look else ""
    widget.AP = Dictionary(N=_make_appearance(pdf, item, f"/Tx BMC {clipped_look} EMC"))


def _fill_check_widget(pdf: Pdf, item: PlacedField, widget: Any) -> None:
    widget.FT = Name.Btn
    widget.Ff = _READ_ONLY_FLAG if item.field.fixed else 0
    widget.V = _set_tick_appearances(pdf, item, widget, TICKED_STATE)


def _fill_radio_widget(pdf: Pdf, item: PlacedField, widget: Any, group: Any) -> None:
    widget.Parent = group
    group.Kids.append(widget)
    state = _set_tick_appearances(pdf, item, widget, item.field.options[0])
    if item.field.value:
        group.V = state


def _set_tick_appearances(pdf: Pdf, item: PlacedField, widget: Any, state_name: str) -> Any:
    """Set both appearances of a check or radio box; return the PDF name of the current one.

    `state_name` names the appearance of the ticked box.
    """
    widget.MK, widget.DA = Dictionary(CA=String(_SIGNS[item.field.kind])), String(f"/{_SIGN_FACE} 0 Tf {item.ink}")
    states = Dictionary(Off=_make_appearance(pdf, item, "q Q"))
    states[f"/{state_name}"] = _make_appearance(pdf, item, item.look)
    widget.AP = Dictionary(N=states)
    widget.AS = Name(f"/{state_name}") if item.field.value else Name.Off
    return widget.AS


def _make_appearance(pdf: Pdf, item: PlacedField, code: str) -> Stream:
    """Return an appearance of a box, drawn by the operators in `code`.

    It uses the font resources of the page, which ReportLab shares between all pages.
    """
    _, _, width, height = item.field.box
    drawing = pdf.make_stream(code.encode("latin-1"))
    drawing.Type, drawing.Subtype, drawing.FormType = Name.XObject, Name.Form, 1
    drawing.BBox = Array([0, 0, _round_number(width), _round_number(height)])
    fonts = pdf.pages[item.page].obj.get("/Resources", Dictionary()).get("/Font")
    drawing.Resources = Dictionary(Font=fonts) if "Tf" in code and fonts is not None else Dictionary()
    return drawing


def _embed_font(pdf: Pdf, name: str) -> Any:
    """Return a completely embedded font to type in; its codes are the numbers of its glyphs, as all programs expect."""
    from reportlab.pdfbase.pdfmetrics import getFont

    face = getFont(name).face
    letters = {glyph: code for code, glyph in sorted(face.charToGlyph.items(), reverse=True) if code <= _LAST_CODE}
    widths, lines = Array(), list[str]()
    for glyph, code in sorted(letters.items()):
        widths.extend([glyph, Array([round(face.charWidths.get(code, face.defaultWidth))])])
        lines.append(f"<{glyph:04X}> <{code:04X}>\n")
    groups = [lines[at : at + _MAX_CHAR_COUNT] for at in range(0, len(lines), _MAX_CHAR_COUNT)]
    unicode_map = "".join(f"{len(part)} beginbfchar\n{''.join(part)}endbfchar\n" for part in groups)
    font_file = pdf.make_stream(files.read(face.filename, files.PICTURE_BYTES, allow_links=True))
    descriptor = Dictionary(
        Type=Name.FontDescriptor, FontName=Name(f"/{name}"), Flags=_NON_SYMBOLIC_FLAG,
        FontBBox=Array([round(n) for n in face.bbox]), ItalicAngle=round(face.italicAngle), Ascent=round(face.ascent),
        Descent=round(face.descent), CapHeight=round(face.capHeight), StemV=round(face.stemV), FontFile2=font_file,
    )  # fmt: skip
    cid_font = Dictionary(
        Type=Name.Font, Subtype=Name.CIDFontType2, BaseFont=Name(f"/{name}"), W=widths, DW=round(face.defaultWidth),
        CIDSystemInfo=Dictionary(Registry=String("Adobe"), Ordering=String("Identity"), Supplement=0),
        CIDToGIDMap=Name.Identity, FontDescriptor=pdf.make_indirect(descriptor),
    )  # fmt: skip
    font = Dictionary(
        Type=Name.Font, Subtype=Name.Type0, BaseFont=Name(f"/{name}"), Encoding=Name("/Identity-H"),
        DescendantFonts=Array([pdf.make_indirect(cid_font)]),
        ToUnicode=pdf.make_stream((_UNICODE_MAP % unicode_map).encode()),
    )  # fmt: skip
    return pdf.make_indirect(font)


_LAST_CODE, _MAX_CHAR_COUNT = 0xFFFF, 100
_UNICODE_MAP = """/CIDInit /ProcSet findresource begin
12 dict begin
begincmap
/CIDSystemInfo << /Registry (Adobe) /Ordering (UCS) /Supplement 0 >> def
/CMapName /Adobe-Identity-UCS def
/CMapType 2 def
1 begincodespacerange
<0000> <FFFF>
endcodespacerange
%sendcmap
CMapName currentdict /CMap defineresource pop
end
end
"""


def _round_number(value: float) -> float | int:
    rounded = round(value, 3)
    return int(rounded) if rounded == int(rounded) else rounded
