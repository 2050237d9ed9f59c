"""Generator of docs/json.md from the JSON Schemas of the commands."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SCHEMAS = Path(__file__).parents[1] / "vaultkit" / "cli" / "schemas"
INTRODUCTION = """# What `--json` prints

Made from the JSON Schemas by `make docs`. With `--json` each command prints one JSON object on stdout:

- `schema` is the version of the format, now 1. It rises when a field changes its meaning or goes; new fields may come
  at any time.
- A list stands in the field `items`.
- Everything for people goes to stderr. If a command cannot do its work, stdout is empty, and stderr holds one object
  with `error`; the exit code is [the same as without `--json`](cli.md#exit-codes). Where stderr is no terminal, nothing
  else stands there.

```text
$ vaultkit links Nowhere --json
{"schema": 1, "error": {"code": 4, "message": "There is no note 'Nowhere'.", "where": "/home/you/Vault",
 "hint": "Give its name or its path in the vault."}}
$ vaultkit notes --tag npc --json | jq -r '.items[].note'
2-World/People/Captain Wenzel Ruske.md
```

The schemas ship inside the package, in `vaultkit/cli/schemas`, one file for each command. To find them:

```text
python -c "import vaultkit.cli as cli; print(cli.__path__[0] + '/schemas')"
```

In the tables, `a[].b` is the field `b` of each object in the list `a`, and `a.*` stands for any name. A field in
*italics* may be missing.
"""


def json_page() -> str:
    """Return the text of docs/json.md."""
    names = sorted(path.stem for path in SCHEMAS.glob("*.json"))
    names = ["error", "vaultkit", *(name for name in names if name not in ("error", "vaultkit"))]
    return INTRODUCTION + "".join(map(_section, names))


def _section(name: str) -> str:
    schema = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
    title = "An error" if name == "error" else f"`{schema['title'].removesuffix(' --json')}`"
    tables = (
        f"{form['title'].capitalize()}:\n\n{_table(form)}" if schema.get("anyOf") and "title" in form else _table(form)
        for form in schema.get("anyOf", [schema])
    )
    return f"\n## {title}\n\n{schema['description']}\n\n" + "\n".join(tables)


def _table(form: dict[str, Any]) -> str:
    rows = "".join(f"| {field} | {kind} | {text} |\n" for field, kind, text in _rows(form, "") if field != "`schema`")
    return f"| field | type | meaning |\n|---|---|---|\n{rows}"


def _rows(schema: dict[str, Any], prefix: str) -> Iterator[tuple[str, str, str]]:
    """Yield the name, the type and the meaning of each field of an object, and of the objects in it."""
    for name, field in schema.get("properties", {}).items():
        path = f"{prefix}{name}"
        mark = "" if name in schema.get("required", ()) else "*"
        yield f"{mark}`{path}`{mark}", _type_text(field), field["description"].replace("|", "\\|")
        yield from _rows(field, f"{path}.")
        yield from _rows(field.get("items", {}), f"{path}[].")
        values = field.get("additionalProperties")
        yield from _rows(values if isinstance(values, dict) else {}, f"{path}.*.")


def _type_text(field: dict[str, Any]) -> str:
    types = field.get("type", "any")
    types = [types] if isinstance(types, str) else types
    item_types = _type_text(field["items"]).replace(" or ", "s or ") if "items" in field else ""
    return " or ".join(f"list of {item_types}s" if kind == "array" else kind for kind in types)
