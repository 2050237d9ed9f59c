"""Generator of docs/json.md from the JSON Schemas of the commands."""

import json
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

SCHEMAS = Path(__file__).parents[1] / "vaultkit" / "cli" / "schemas"
MAX_LINE_CHARACTERS = 100
INTRODUCTION = """# What `--json` prints

Generated from the JSON Schemas by `make docs`. With `--json` each command prints one JSON object on stdout.

- `schema` is the version of the format, now 1. It changes if a field changes its meaning or is removed; new fields may
  be added at any time.
- Lists are in the field `items`.
- Messages go to stderr. If a command fails, stdout is empty, stderr holds an object with `error` (and nothing else,
  unless it is a terminal), and the [exit code](cli.md#exit-codes) is the usual one.

```text
$ vaultkit links Nowhere --json
{"schema": 1, "error": {"code": 4, "message": "There is no note 'Nowhere'.", "where": "/home/you/Vault",
 "hint": "Give its name or its path in the vault."}}
$ vaultkit notes --tag npc --json | jq -r '.items[].note'
2-World/People/Captain Wenzel Ruske.md
```

The schemas describe every field, nested ones too. They are in the package, one file for each command, in this folder:

```text
python -c "import vaultkit.cli as cli; print(cli.__path__[0] + '/schemas')"
```

## Fields by command

`[...]` is a list in `items`; `?` marks a field that may be missing. `schema` is always there.
"""


def json_page() -> str:
    """Return the text of docs/json.md."""
    names = sorted(path.stem for path in SCHEMAS.glob("*.json") if path.stem != "error")
    return f"{INTRODUCTION}\n```text\n" + "\n".join(map(_section, names)) + "\n```\n"


def _section(name: str) -> str:
    """Return the command with the fields of each form of its output, wrapped."""
    schema = json.loads((SCHEMAS / f"{name}.json").read_text(encoding="utf-8"))
    lines = [schema["title"].removesuffix(" --json").removeprefix("vaultkit ")]
    for form in sorted(schema.get("anyOf", [schema]), key=lambda form: "title" not in form):
        title = f"({form.get('title', 'else')}) " if "anyOf" in schema else ""
        fields = f"  {title}{', '.join(_fields(form))}"
        lines += textwrap.wrap(fields, MAX_LINE_CHARACTERS, subsequent_indent="    ", break_on_hyphens=False)
    return "\n".join(lines)


def _fields(schema: dict[str, Any]) -> Iterator[str]:
    """Yield the names of the fields of an object; those of the objects in `items` are in brackets."""
    for name, field in schema.get("properties", {}).items():
        mark = "" if name in schema.get("required", ()) else "?"
        if name == "items":
            yield f"[{', '.join(_fields(field['items']))}]"
        elif name != "schema":
            yield f"{name}{mark}"
