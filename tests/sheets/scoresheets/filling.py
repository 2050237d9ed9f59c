"""Score sheets filled in by various PDF programs.

`fields` are values by full names; True is a tick. A choice of a radio group is named like a check box: `mode.coop`.
"""

from codecs import BOM_UTF8, BOM_UTF16_BE
from collections.abc import Callable, Mapping
from io import BytesIO
from typing import Any

import pikepdf
import pypdf
from pikepdf import Array, Dictionary, Name, Pdf, String
from pikepdf.form import DefaultAppearanceStreamGenerator, ExtendedAppearanceStreamGenerator, Form, RadioButtonGroup
from pypdf.generic import ByteStringObject, NameObject, StreamObject, TextStringObject

Fields = Mapping[str, str | bool]
_RADIO = 1 << 15


def by_pypdf(sheet: bytes, fields: Fields) -> bytes:
    writer = pypdf.PdfWriter(clone_from=BytesIO(sheet))
    values: dict[str, Any] = {
        n: ("/Yes" if v else "/Off") if isinstance(v, bool) else v for n, v in _chosen(sheet, fields).items()
    }
    for page in writer.pages:
        writer.update_page_form_field_values(page, values, auto_regenerate=False)
    return _bytes(writer)


def by_pypdf_for_the_viewer(sheet: bytes, fields: Fields) -> bytes:
    """Fill in values without appearances, so that the viewer draws them."""
    writer = pypdf.PdfWriter(clone_from=BytesIO(sheet))
    writer.set_need_appearances_writer(True)
    _set(writer, _chosen(sheet, fields), TextStringObject)
    return _bytes(writer)


def by_pikepdf(sheet: bytes, fields: Fields, looks: Any = None) -> bytes:
    with pikepdf.open(BytesIO(sheet)) as pdf:
        form = Form(pdf, looks)
        for name, value in _chosen(sheet, fields).items():
            if isinstance(value, bool):
                form[name].checked = value
            elif isinstance(form[name], RadioButtonGroup):
                form[name].value = Name(value)
            else:
                form[name].value = value
        return saved(pdf)


def by_pikepdf_with_looks(sheet: bytes, fields: Fields) -> bytes:
    return by_pikepdf(sheet, fields, DefaultAppearanceStreamGenerator)


def by_pikepdf_with_more_looks(sheet: bytes, fields: Fields) -> bytes:
    return by_pikepdf(sheet, fields, ExtendedAppearanceStreamGenerator)


def as_acrobat(sheet: bytes, fields: Fields) -> bytes:
    """Fill in a sheet as Acrobat does: UTF-16 texts in an incremental update."""
    writer = pypdf.PdfWriter(BytesIO(sheet), incremental=True)
    _set(writer, _chosen(sheet, fields), lambda text: ByteStringObject(BOM_UTF16_BE + text.encode("utf-16-be")))
    return _bytes(writer)


def as_firefox(sheet: bytes, fields: Fields) -> bytes:
    """Fill in a sheet as Firefox does: plain ASCII or UTF-16 texts with appearances, in an incremental update."""
    writer = pypdf.PdfWriter(BytesIO(sheet), incremental=True)

    def text(words: str) -> Any:
        return ByteStringObject(words.encode() if words.isascii() else BOM_UTF16_BE + words.encode("utf-16-be"))

    _set(writer, _chosen(sheet, fields), text, look=True)
    return _bytes(writer)


def as_preview(sheet: bytes, fields: Fields) -> bytes:
    """Fill in a sheet as Preview does: rewritten without object streams, fields apart from their widgets."""
    with pikepdf.open(BytesIO(sheet)) as pdf:
        flat, fields = Array(), _chosen(sheet, fields)
        for name, field in named(pdf).items():
            value = fields.get(name)
            made = pdf.make_indirect(Dictionary(T=String(name), FT=field.FT, V=field.get("/V", String(""))))
            if isinstance(value, bool):
                made.V = Name.Yes if value else Name.Off
                field.AS = made.V
            elif is_radio(field):
                made.Ff, made.V = field.Ff, Name(value or "/Off")
            elif value is not None:
                made.V = String(value)
            for key in ("/T", "/FT", "/V"):
                if key in field:
                    del field[key]
            made.Kids = field.get("/Kids", Array([field]))
            for widget in made.Kids:
                widget.Parent = made
                if is_radio(made):
                    widget.AS = made.V if made.V in widget.AP.N else Name.Off
            flat.append(made)
        pdf.Root.AcroForm.Fields = flat
        del pdf.Root.StructTreeRoot
        return saved(pdf, object_stream_mode=pikepdf.ObjectStreamMode.disable)


def in_utf_8(sheet: bytes, fields: Fields) -> bytes:
    """Fill in a sheet with UTF-8 texts, as PDF 2.0 allows."""
    writer = pypdf.PdfWriter(clone_from=BytesIO(sheet))
    _set(writer, _chosen(sheet, fields), lambda text: ByteStringObject(BOM_UTF8 + text.encode()))
    return _bytes(writer)


FILLERS: Mapping[str, Callable[[bytes, Fields], bytes]] = {
    "pypdf": by_pypdf,
    "pypdf, values alone": by_pypdf_for_the_viewer,
    "pikepdf, values alone": by_pikepdf,
    "pikepdf with looks": by_pikepdf_with_looks,
    "pikepdf with more looks": by_pikepdf_with_more_looks,
    "Acrobat": as_acrobat,
    "Firefox": as_firefox,
    "Preview": as_preview,
    "UTF-8": in_utf_8,
}


def named(pdf: Pdf) -> dict[str, Any]:
    """Return the fields of a score sheet by their full names."""
    found: dict[str, Any] = {}

    def walk(field: Any, above: str) -> None:
        name = f"{above}.{field.T}".removeprefix(".")
        children = [kid for kid in field.get("/Kids", []) if "/T" in kid]
        if not children:
            found[name] = field
        for kid in children:
            walk(kid, name)

    for field in pdf.Root.AcroForm.Fields:
        walk(field, "")
    return found


def is_radio(field: Any) -> bool:
    return Name.Btn == field.FT and bool(int(field.get("/Ff", 0)) & _RADIO)


def _chosen(sheet: bytes, fields: Fields) -> Fields:
    """Return the fields with one value for each radio group of `sheet`."""
    with pikepdf.open(BytesIO(sheet)) as pdf:
        groups = {name for name, field in named(pdf).items() if is_radio(field)}
    made: dict[str, str | bool] = {}
    for name, value in fields.items():
        group, _, option = name.rpartition(".")
        if group not in groups:
            made[name] = value
        elif value or group not in made:
            made[group] = f"/{option}" if value else "/Off"
    return made


def changed(sheet: bytes, change: Callable[[Pdf, dict[str, Any]], None]) -> bytes:
    """Return the sheet after `change` has changed the file and its fields."""
    with pikepdf.open(BytesIO(sheet)) as pdf:
        change(pdf, named(pdf))
        return saved(pdf)


def saved(pdf: Pdf, **how: Any) -> bytes:
    made = BytesIO()
    pdf.save(made, **how)
    return made.getvalue()


def _bytes(writer: pypdf.PdfWriter) -> bytes:
    made = BytesIO()
    writer.write(made)
    return made.getvalue()


def _set(writer: pypdf.PdfWriter, fields: Fields, text: Callable[[str], Any], *, look: bool = False) -> None:
    for page in writer.pages:
        for reference in page.get("/Annots", []):
            widget = reference.get_object()
            name = _name(widget)
            if name not in fields:
                continue
            value = fields[name]
            if isinstance(value, bool):
                widget[NameObject("/V")] = widget[NameObject("/AS")] = NameObject("/Yes" if value else "/Off")
            elif "/T" not in widget:
                widget["/Parent"][NameObject("/V")] = NameObject(value)
                widget[NameObject("/AS")] = NameObject(value if value in widget["/AP"]["/N"] else "/Off")
            else:
                widget[NameObject("/V")] = text(value)
                if look:
                    drawing = StreamObject()
                    drawing.set_data(b"/Tx BMC q BT 1 1 Td (x) Tj ET Q EMC")
                    drawing[NameObject("/Subtype")] = NameObject("/Form")
                    widget["/AP"][NameObject("/N")] = writer._add_object(drawing)


def _name(field: Any) -> str:
    above = field.get("/Parent")
    own = str(field.get("/T", ""))
    if not own:
        return _name(above.get_object())
    return f"{_name(above.get_object())}.{own}" if above is not None else own
