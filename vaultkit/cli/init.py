"""The command `vaultkit init`, which prepares a vault."""

import sys
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Annotated, TypeVar

from typer import Option

from vaultkit.cli.context import (
    CampaignOption,
    CommandContext,
    DryRunOption,
    before_writing,
    current_time,
    with_options,
)
from vaultkit.cli.output import print_document, print_error, print_note, print_remarks, print_result, terminal
from vaultkit.errors import UsageError, VaultkitError

if TYPE_CHECKING:
    from vaultkit.campaign.setup_proposals import SetupAnswers
    from vaultkit.vault import Vault

Answer = TypeVar("Answer")
_NONE = "none"
"""The answer for no campaign note or no players."""


@with_options
def init(
    desk: CommandContext,
    with_game: Annotated[str, Option("--with", help="Copy this game's rules, deck and pictures into the vault.")] = "",
    extras: Annotated[
        bool, Option("--extras", help="With --with: also its treasure tables and example items.")
    ] = False,
    folder: Annotated[str, Option("--folder", help="With --with: the folder for the game. Default: Card Games.")] = "",
    campaign: CampaignOption = None,
    paper: Annotated[str | None, Option("--paper", help="Paper size, such as letter. Default: your locale's.")] = None,
    player: Annotated[
        list[str] | None,
        Option("--player", help="A player (repeatable): a note or a guest. Suggested: notes tagged player or pc."),
    ] = None,
    dry_run: DryRunOption = False,
) -> None:
    """Prepare your vault; --with GAME adds a game's rules and deck.

    At a terminal it asks for the log note, paper and players, unless --campaign, --paper and --player answer.

    Never overwrites a file; `undo` reverts it.

    For example: vaultkit init --with dragon-citadel
    """
    from vaultkit.campaign.init import InitRequest, prepare_vault
    from vaultkit.campaign.setup_proposals import SetupAnswers

    if not with_game and (extras or folder):
        option = "--extras" if extras else "--folder"
        raise UsageError(f"{option} needs a game.", hint="Name one: vaultkit init --with dragon-citadel")
    answers = _settle_answers(desk, SetupAnswers(campaign, paper, tuple(player) if player else None))
    request = InitRequest(answers, with_game, folder, extras)
    prepared = prepare_vault(desk.vault, request, now=current_time(), dry_run=dry_run)
    if desk.as_json:
        folder_or_none = prepared.folder or None
        print_document({"config": prepared.config or None, "folder": folder_or_none, "notes": prepared.notes})
    elif dry_run or not sys.stdout.isatty():
        for path in [prepared.config] * bool(prepared.config) + prepared.notes:
            print_result(path)
    verb = "Would make" if dry_run else "Made"
    if prepared.config:
        print_note(f"{verb}: {prepared.config}")
    if prepared.summary:
        print_note(f"{verb}: {prepared.folder}/ ({prepared.summary})")
    print_remarks(*prepared.remarks)


def _settle_answers(desk: CommandContext, options: "SetupAnswers") -> "SetupAnswers":
    """Return valid first settings from the options; a person at a terminal is asked for the rest.

    Raises UsageError if there are options and the vault has a settings file, and errors for invalid answers.
    """
    from vaultkit.campaign.setup_proposals import SetupAnswers
    from vaultkit.settings import VAULT_CONFIG_PATH
    from vaultkit.terminal.confirmations import line_asker

    ask = None if desk.as_json else line_asker(partial(terminal, stderr=True))
    if desk.vault.file(VAULT_CONFIG_PATH).exists():
        if options != SetupAnswers():
            hint = 'Change a setting in it, as in: vaultkit config set campaign.note "Campaign Log"'
            raise UsageError("This vault has settings already.", where=VAULT_CONFIG_PATH, hint=hint)
        return options
    campaign = None if options.campaign is None else _check_campaign(desk.vault, options.campaign)
    paper = None if options.paper is None else _check_paper(desk.vault, options.paper)
    answers = SetupAnswers(campaign, paper, options.players)
    return _ask_answers(desk, answers, ask) if ask and None in (campaign, paper, options.players) else answers


@before_writing()
def _ask_answers(desk: CommandContext, options: "SetupAnswers", ask: Callable[[str], str]) -> "SetupAnswers":
    """Ask for the answers that `options` lack, with proposals. Raises Exit if the person leaves."""
    from vaultkit.campaign.setup_proposals import SetupAnswers, propose_answers

    vault, campaign, paper, players = desk.vault, options.campaign, options.paper, options.players
    proposal = propose_answers(vault, desk.workspace.settings)
    print_note("Enter takes the answer in brackets. To change one later: vaultkit config set")
    if campaign is None:
        question = f"Which note gets a line for each game, or none? [{proposal.campaign or _NONE}]: "
        campaign = _ask_until_valid(ask, question, proposal.campaign or "", partial(_check_campaign, vault))
    if paper is None:
        question = f"Which paper do you print on? [{proposal.paper}]: "
        paper = _ask_until_valid(ask, question, proposal.paper or "", partial(_check_paper, vault))
    if players is None:
        names = ", ".join(proposal.players or ())
        question = f"Who plays? Names with commas between them, or none. [{names or _NONE}]: "
        players = _ask_until_valid(ask, question, names, _split_names)
    return SetupAnswers(campaign, paper, players)


def _ask_until_valid(ask: Callable[[str], str], question: str, default: str, parse: Callable[[str], Answer]) -> Answer:
    """Return a person's answer as `parse` reads it; Enter is the default. An invalid answer is explained."""
    while True:
        try:
            return parse(ask(question).strip() or default)
        except VaultkitError as error:
            print_error(f"{error.message} {error.hint}".strip())


def _check_campaign(vault: "Vault", name: str) -> str:
    """Return the name of a campaign note, "" for none. Raises InvalidError if it cannot be used."""
    from vaultkit.campaign.log_target.line_target import LOG_TO_VALUES, settle_target
    from vaultkit.settings import Settings

    word = name.lower()
    if word in LOG_TO_VALUES and vault.lookup(name) is None:
        return word
    return name if settle_target(vault, Settings(), name, current_time()).path else ""


def _check_paper(vault: "Vault", name: str) -> str:
    """Return the name of a paper. Raises UsageError or InvalidError for an unknown one."""
    from vaultkit.sheets.paper import load_stock

    load_stock(vault.root).paper(name)
    return name


def _split_names(text: str) -> tuple[str, ...]:
    return () if text.lower() == _NONE else tuple(filter(None, map(str.strip, text.split(","))))
