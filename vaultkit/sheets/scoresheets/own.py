"""A sheet's own title, rows and columns as text, so that the filled sheet says what it asked for."""

import json

from vaultkit.sheets.scoresheets.design import Own

_MOST = 1000


def own_as_json(own: Own | None) -> str:
    """`own` as JSON, nothing for None."""
    if own is None:
        return ""
    parts = {"title": own.title, "rows": own.rows, "columns": own.columns}
    return json.dumps({key: value for key, value in parts.items() if value}, ensure_ascii=False)


def own_from_json(text: str) -> Own | None:
    """The wishes in JSON that `own_as_json` made, None for nothing. Anything else is a ValueError."""
    if not text:
        return None
    try:
        table = json.loads(text)
    except RecursionError as error:
        raise ValueError(text) from error
    if not isinstance(table, dict) or not table.keys() <= {"title", "rows", "columns"}:
        raise ValueError(text)
    title = table.get("title", "")
    if not isinstance(title, str):
        raise ValueError(text)
    return Own(title, _names(table.get("rows", [])), _names(table.get("columns", [])))


def _names(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or len(value) > _MOST or not all(isinstance(name, str) for name in value):
        raise ValueError(value)
    return tuple(value)
