"""The kinds of files that strangers send, where they lie in a vault, and the commands that read them."""

import io
import json
import re
import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from PIL import Image

REPOSITORY = Path(__file__).resolve().parents[2]
CORPUS = Path(__file__).parent / "corpus"
MAX_SEED_BYTES = 33_000
SESSION, LOGGED_SESSION = "20261103-propheta-k3f9", "20261103-skat-37db"
_DECKS = REPOSITORY / "vault-example/3-Mechanics/CLI/decks"

BASE = {
    ".obsidian/app.json": "{}",
    ".vaultkit/config.toml": '[campaign]\nnote = "Log"\n',
    "Log.md": "# Log\n\n- [[Note]] [[Ada]]\n",
    "Ada.md": "---\naliases: [Ada B.]\ntags: [pc]\nimage: art.png\n---\n# Ada\n\n## Loot\n\n![[Note]] ![[art.png]]\n",
    "Hall.md": "# Hall\n\n[[Note#Rooms|rooms]] [[Note#^a1]] ![[Board.canvas]] ![[Games.base#Table]] [[deck]]\n",
}
"""The other files of each vault."""


_SCORES = ("Ada: points=18/0/-48", "Bo: points=0/24/0", "Cy: points=0/0/0")


@dataclass(frozen=True)
class Surface:
    """A kind of file, as `surfaces.toml` says; `extras` are the other files of its vault by path."""

    path: str
    commands: tuple[str, ...]
    shipped: tuple[str, ...]
    make: Callable[[], Iterator[bytes]]
    extras: Mapping[str, str | bytes]

    def seeds(self, name: str) -> list[bytes]:
        """Return the corpus of the surface: its folder, files that the program ships, and files made by programs."""
        globs = (file for glob in self.shipped for file in sorted(REPOSITORY.glob(glob)))
        files = [*sorted((CORPUS / name).glob("*")), *globs]
        return [file.read_bytes()[:MAX_SEED_BYTES] for file in files] + list(self.make())


@cache
def surfaces() -> dict[str, Surface]:
    """Return all surfaces by name, which is also that of a folder in the corpus."""
    tables = tomllib.loads((Path(__file__).with_suffix(".toml")).read_text(encoding="utf-8"))
    return {name: _surface(name, **table) for name, table in tables.items()}


def _surface(name: str, commands: list[str], path: str = "", shipped: Sequence[str] = ()) -> Surface:
    scores = "".join(f" --score '{score}'" for score in _SCORES)
    whole = tuple(re.sub(r"^LOG (\w+)", rf"log \1{scores}", command) for command in commands)
    makers = {"picture": _pictures, "pdf": _forms}
    journal = f".vaultkit/journals/{LOGGED_SESSION}.journal"
    extras: Mapping[str, str | bytes] = {"deck.md": (_DECKS / "tarokka-deck-cos.md").read_bytes()}
    if name in {"journal", "rule-note", "aid"}:
        extras |= {"astromancy.md": (_DECKS / "astromancy-deck.md").read_bytes()}
    if name == "drawing":
        extras |= {"Map.md": "# Map\n\n![[map.svg]] ![[map.svg|40]] | ![[map.svg|300]]\n"}
    if name == "history":
        extras |= _logged_game()
    if name == "note":
        text = (CORPUS / "journal" / "skat.journal").read_text(encoding="utf-8")
        extras |= {journal: text.replace(SESSION, LOGGED_SESSION)}
    return Surface(path, whole, tuple(shipped), makers.get(name, lambda: iter(())), extras)


def _pictures() -> Iterator[bytes]:
    for kind in ("PNG", "JPEG", "WEBP", "GIF", "BMP", "TIFF"):
        data = io.BytesIO()
        Image.new("RGB", (9, 7), "red").save(data, kind)
        yield data.getvalue()


def _forms() -> Iterator[bytes]:
    """Yield a small form with the boxes of a score sheet, and a foreign one."""
    import pikepdf
    from pikepdf import Array, Dictionary, Name

    sheet = {"session": "", "date": "2026-11-03", "played": "Uno", "p1.player": "Ada", "p2.player": "Bo"}
    marks = {"vaultkit.game": "who-won", "vaultkit.fields": "2", "vaultkit.sheet": "63d3c5tf"}
    ticks = {"p1.won": Name("/Yes"), "p2.won": Name("/Off")}
    for boxes in (sheet | marks | ticks, {"a": "x"}):
        with pikepdf.new() as pdf:
            page, data = pdf.add_blank_page(), io.BytesIO()
            fields = [
                pdf.make_indirect(
                    Dictionary(
                        T=name,
                        FT=Name.Btn if name in ticks else Name.Tx,
                        Subtype=Name.Widget,
                        V=value,
                        Rect=Array([10, 10, 90, 20]),
                        P=page.obj,
                    )
                )
                for name, value in boxes.items()
            ]
            page.Annots, pdf.Root.AcroForm = Array(fields), Dictionary(Fields=Array(fields))
            pdf.save(data, compress_streams=False)
        yield data.getvalue()


def _logged_game() -> dict[str, str | bytes]:
    """Return the files of a logged game, as the entry of the history in the corpus has written them."""
    game, line = json.loads((CORPUS / "history" / "entry.json").read_bytes())["writes"]
    return {
        game["path"]: game["inserted"],
        "Log.md": f"# Log{line['inserted']}\n",
        ".vaultkit/history/000001-log/1.before": "# Log\n",
    }
