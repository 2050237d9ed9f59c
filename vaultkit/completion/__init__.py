"""What completes a line in a shell: answered without Typer and without reading the vault."""
