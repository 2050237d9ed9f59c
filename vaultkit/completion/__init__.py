"""Shell completion that needs neither Typer nor reading the vault."""
