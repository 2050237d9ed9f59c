"""`vaultkit decks`: the decks of a vault."""

from vaultkit.cli.common import JsonOption, NoCacheOption, VaultOption, Workspace, new_app
from vaultkit.cli.deck import told
from vaultkit.cli.output import columns, document, talk


def decks(vault: VaultOption = None, no_cache: NoCacheOption = False, as_json: JsonOption = False) -> None:
    """List the decks of this vault."""
    found = Workspace.open(vault, no_cache=no_cache).compendium.decks
    if as_json:
        document(
            [
                {
                    "name": deck.deck.title,
                    "kind": deck.deck.kind,
                    "note": deck.note.path,
                    "cards": len(deck.deck),
                    "suits": list(deck.deck.suits),
                    "sound": deck.sound,
                    "problems": len(deck.problems),
                }
                for deck in found
            ]
        )
        return
    columns(
        ["deck", "kind", "cards", "suits", "note"],
        ([d.deck.title, d.deck.kind, len(d.deck), ", ".join(d.deck.suits), d.note.path] for d in found),
    )
    for deck in found:
        if deck.first_error is not None:
            problem = deck.first_error
            where = f"{problem.note}:{problem.line}" if problem.line else problem.note
            talk(f"{deck.deck.title} cannot be played with: {problem.message} ({where})")
        for problem in deck.problems:
            if problem.severity == "warning" and problem.code.startswith("deck-"):
                talk(told(problem))
    if not found:
        talk("There is no deck in this vault. Copy one in with: vaultkit init --with dragon-citadel")


app = new_app(decks)
