"""The command `vaultkit completion SHELL`, which prints the completion script for a shell."""

from pathlib import Path
from typing import Annotated, Literal

from typer import Argument

from vaultkit.cli.context import OutputOptions, with_options
from vaultkit.cli.output import print_document, print_lines

Shell = Literal["bash", "zsh", "fish", "powershell"]


@with_options
def completion(voice: OutputOptions, shell: Annotated[Shell, Argument(help="The shell that you use.")]) -> None:
    """Print what makes Tab complete commands, options and the names of your vault.

    The first lines of the script say where it goes. Then Tab knows the notes, decks, players and games of the vault
    around you, as they were when vaultkit last read it. A vault that was never read completes nothing.

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
