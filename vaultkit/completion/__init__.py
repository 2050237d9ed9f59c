"""The completion of lines in a shell, answered without Typer and without reading the vault."""
