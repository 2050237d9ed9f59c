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

Below are the fields of each object, and those of the objects in its list `items`; one in *italics* may be missing. What
a field means and holds, objects within it too, stands in the schema, as its `description` and `type`.
"""


def json_page() -> str:
    """Return the text of docs/json.md."""
    names = sorted(path.stem for path in SCHEMAS.glob("*.json"))
    names = ["error", "vaultkit", *(name for name in names if name not in ("error", "vaultkit"))]
    return INTRODUCTION + "".join(map(_section, names))


def _section(name: str) -> str:
    schema = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
    title = "An error" if name == "error" else f"`{schema['title'].removesuffix(' --json')}`"
    forms = sorted(schema.get("anyOf", [schema]), key=lambda form: "title" not in form)
    lists = [", ".join(_fields(form, "")) for form in forms]
    if len(forms) > 1:
        titles = [form.get("title", "else") for form in forms]
        lists = [f"- {text[:1].upper()}{text[1:]}: {fields}" for text, fields in zip(titles, lists, strict=True)]
    return f"\n## {title}\n\n{schema['description']}\n\n" + "\n".join(lists) + "\n"


def _fields(schema: dict[str, Any], prefix: str) -> Iterator[str]:
    """Yield the name of each field of an object, marked if it may be missing, and those of the objects in `items`."""
    for name, field in schema.get("properties", {}).items():
        mark = "" if name in schema.get("required", ()) else "*"
        if name == "items":
            yield from _fields(field["items"], "items[].")
        elif name != "schema":
            yield f"{mark}`{prefix}{name}`{mark}"
