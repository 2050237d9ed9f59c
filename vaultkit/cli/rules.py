"""The command `vaultkit rules GAME`, which shows the rule note and the options of a game, or a ruling."""

from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from vaultkit.cli.context import CommandContext, with_options
from vaultkit.cli.output import print_document, print_markdown, print_note, print_result
from vaultkit.errors import InvalidError

if TYPE_CHECKING:
    from vaultkit.campaign.workspace import Workspace
    from vaultkit.compendium import RuleNote
    from vaultkit.games.registry import GameInfo
    from vaultkit.session.options import OptionInForce
    from vaultkit.session.rulings import Ruling


@with_options
def rules(
    desk: CommandContext,
    game: Annotated[str, Argument(help="A game by id or title.")],
    ruling: Annotated[str | None, Option("--ruling", help="A ruling, such as DC-12, or 12 for the game's own.")] = None,
    only_options: Annotated[
        bool, Option("--options", help="Only the game's options and their current values.")
    ] = False,
) -> None:
    """Read a game's rule note, or one numbered ruling.

    Then lists the game's options (house rules), their values, and where each was set.

    For example: vaultkit rules dragon-citadel --ruling 12
    """
    from vaultkit.campaign import house_rules
    from vaultkit.campaign.shipped_notes import way_to_rule_note
    from vaultkit.session.rulings import ruling_of
    from vaultkit.session.scoresheets import ScoreSheets

    if ruling is not None:
        _print_ruling(ruling_of(ScoreSheets(None).find_playable(game).id, ruling), desk.as_json)
        return
    workspace = desk.workspace
    info = workspace.score_sheets.find_playable(game)
    note = workspace.rule_note(info)
    if note is None and not only_options:
        house_rules.refuse_evicted_rules(workspace, info)
        hint = f"Its options: vaultkit rules {info.id} --options. {way_to_rule_note(info)}"
        raise InvalidError(f"This vault has no rule note for {info.title}.", where=str(workspace.root), hint=hint)
    if desk.as_json:
        print_document(_rules_document(workspace, info, note))
        return
    if note and not only_options:
        print_markdown(note.note.body)
        print_result()
    _print_options(workspace, info)


def _print_ruling(ruling: "Ruling", as_json: bool) -> None:
    if as_json:
        print_document({"ruling": ruling.id, "title": ruling.title, "text": ruling.text})
    else:
        print_markdown(f"# {ruling.id}: {ruling.title}\n\n{ruling.text}")


def _print_options(workspace: "Workspace", info: "GameInfo") -> None:
    from vaultkit.campaign import house_rules
    from vaultkit.compendium.rule_note import OPTIONS_PROPERTY
    from vaultkit.session.options import faults, find_options_in_force

    layers = house_rules.find_layers(workspace, info)
    print_result(f"Options of {info.title}, as they are in force here")
    for rule in find_options_in_force(info.rules(), layers):
        origin = f", set in {house_rules.settings_path(workspace.root, rule.where)}" if rule.where else ""
        print_result(f"  {rule.option.key} = {rule.value}{origin} ({rule.option.ruling})")
        print_result(f"      {rule.option.summary}")
        print_result(f"      Accepted: {rule.option.accepted}")
    for layer in layers:
        for _, error in faults(info.rules(), layer.options):
            print_note(f"Note: {house_rules.settings_path(workspace.root, layer.where)}: {error.message_with_hint}")
    print_note(
        f"For one game: --set option=value. For all: vaultkit config set games.{info.id}.option value, or in the rule "
        f'note: {OPTIONS_PROPERTY}: ["option=value"]. What a ruling says: vaultkit rules {info.id} --ruling NUMBER'
    )


def _rules_document(workspace: "Workspace", info: "GameInfo", note: "RuleNote | None") -> dict[str, Any]:
    """Return the rule note and the options of a game as a JSON document.

    `note` and `text` are null without a rule note.
    """
    from vaultkit.campaign import house_rules
    from vaultkit.session.options import find_options_in_force

    options = find_options_in_force(info.rules(), house_rules.find_layers(workspace, info))
    return {
        "game": info.id,
        "note": note.note.path if note else None,
        "options": [_option_document(workspace, rule) for rule in options],
        "text": note.note.body if note else None,
    }


def _option_document(workspace: "Workspace", rule: "OptionInForce") -> dict[str, Any]:
    """Return an option as a JSON document.

    `values` contains the default first. If the option accepts any number, `values` contains only examples, and
    `accepted` describes the range.
    """
    from vaultkit.campaign import house_rules

    option = rule.option
    return {
        "option": option.key,
        "value": rule.value,
        "set_in": house_rules.settings_path(workspace.root, rule.where) or None,
        "default": option.default,
        "values": option.values,
        "accepted": option.accepted,
        "ruling": option.ruling,
        "summary": option.summary,
    }
