"""The command `vaultkit completion SHELL`, which prints the completion script for a shell."""

from pathlib import Path
from typing import Annotated, Literal

from typer import Argument

from vaultkit.cli.context import OutputOptions, with_options
from vaultkit.cli.output import print_document, print_lines

Shell = Literal["bash", "zsh", "fish", "powershell"]


@with_options
def completion(voice: OutputOptions, shell: Annotated[Shell, Argument(help="Your shell.")]) -> None:
    """Print the shell completion script.

    Its first lines say how to install it. Tab then completes commands, options and the notes, decks, players and games
    of the current vault, as of vaultkit's last run there.

    For bash, add this line to ~/.bashrc: eval "$(vaultkit completion bash)"

    For example: vaultkit completion bash
    """
    from vaultkit import completion as scripts
    from vaultkit.resources import read_text

    folder = Path(scripts.__file__).with_name("scripts")
    script = read_text(folder / f"vaultkit.{shell}").rstrip("\n")
    if voice.as_json:
        print_document({"shell": shell, "script": script})
    else:
        print_lines(script)
