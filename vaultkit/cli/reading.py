"""The commands `vaultkit reading SPREAD`, which lays and logs a spread, and `vaultkit draw DECK`, which draws cards."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

from typer import Argument, Option

from vaultkit.cli import play_modes
from vaultkit.cli.context import (
    CampaignOption,
    DryRunOption,
    IndexedContext,
    choose_seed,
    current_time,
    log_fields,
    print_logged,
    with_options,
)
from vaultkit.cli.output import print_document, print_note, print_problem, print_table
from vaultkit.errors import UsageError
from vaultkit.text import format_count, parse_count

if TYPE_CHECKING:
    from vaultkit.campaign.reading import Reading
    from vaultkit.compendium import DeckNote
    from vaultkit.compendium.spreads import Spread, Spreads


@dataclass(frozen=True)
class CardsContext(IndexedContext):
    """The options that a reading and a draw share."""

    question: Annotated[str, Option("--question", help="Your question, for the note.")] = ""
    seed: Annotated[int | None, Option("--seed", help="Random seed.")] = None
    campaign: CampaignOption = None
    dry_run: DryRunOption = False


@dataclass(frozen=True)
class ReadingContext(CardsContext):
    """The options of a reading, which is logged by default."""

    no_log: Annotated[bool, Option("--no-log", help="Don't log.")] = False
    table: play_modes.TableOption = False


@dataclass(frozen=True)
class DrawContext(CardsContext):
    """The options of a draw, which is logged only on request."""

    log: Annotated[bool, Option("--log/--no-log", help="Log the cards.")] = False


@with_options
def reading(
    desk: ReadingContext,
    spread: Annotated[str, Argument(help="A spread by title, note or file. Default: list all.")] = "",
    deck: Annotated[str, Option("--deck", help="A deck other than the spread's.")] = "",
) -> None:
    """Lay a spread of cards and log it.

    A spread ships with vaultkit or is a note with the property vaultkit-spread.

    With --table the cards lie face down and are turned one by one.

    For example: vaultkit reading omen --question "Who rang the bell?"
    """
    from vaultkit.campaign.reading import deck_for, lay_reading
    from vaultkit.compendium.spreads import Spreads

    spreads = Spreads(desk.vault)
    if not spread.strip():
        options = {"--deck": deck, "--question": desk.question, "--seed": desk.seed, "--campaign": desk.campaign}
        if option := next((name for name, value in options.items() if value not in ("", None)), ""):
            raise UsageError(f"{option} needs a spread.", hint="Name one of those that `vaultkit reading` lists.")
        _print_spreads(spreads, desk.as_json)
        return
    chosen_spread = spreads.find(spread)
    deck_note = deck_for(desk.workspace, chosen_spread, deck)
    lay_cards = partial(lay_reading, chosen_spread, deck_note, question=desk.question, now=current_time())
    _lay_show_and_log(desk, deck_note, lay_cards, is_logged=not desk.no_log, table=desk.table)


def _lay_show_and_log(
    desk: CardsContext, deck: "DeckNote", lay_cards: Callable[..., "Reading"], *, is_logged: bool, table: bool = False
) -> None:
    """Lay cards, show them, and log them if `is_logged`.

    `lay_cards` returns the reading for a `seed`. With `table` the cards are shown in the browser. Raises an
    error before any card is laid if they cannot be logged.
    """
    from vaultkit.campaign.log import check_target
    from vaultkit.campaign.record_reading import record_reading
    from vaultkit.host.orders import Order, TurnCard, Viewer
    from vaultkit.host.reading_host import ReadingHost

    vault, settings = desk.vault, desk.workspace.settings
    if is_logged:
        check_target(vault, settings, desk.campaign, current_time().date())
    result = lay_cards(seed=choose_seed(desk.seed))
    record = partial(
        record_reading, vault=vault, settings=settings, campaign=desk.campaign, dry_run=desk.dry_run, now=current_time()
    )
    host = ReadingHost(result, vault.root, record if is_logged else None)
    repeat_hint = result.repeat_hint(desk.campaign, is_logged=is_logged, is_at_table=table)
    if table:
        from vaultkit.web.browser_game import show_reading

        launcher = play_modes.table_launcher(desk.workspace, deck)
        show_reading(host, launcher, repeat_hint)
    else:
        viewer = Viewer("terminal", is_operator=True)
        for _ in result.cards:
            host.handle(viewer, Order(host.view(viewer).question, TurnCard()))
    result = host.open_reading
    if not desk.as_json:
        _print_cards(result)
    _print_deck_errors(deck)
    print_note(f"{result.spread.title}, seed {result.seed}.")
    if log_result := host.finish():
        rerun_note = f"No note was written. {repeat_hint}" if desk.dry_run else ""
        print_logged(desk.workspace, log_result, rerun_note, as_json=desk.as_json, after_rows=True)
    if desk.as_json:
        fields = log_fields(log_result, dry_run=desk.dry_run) if log_result else {"note": None}
        print_document(_reading_document(result) | fields)


def _print_spreads(spreads: "Spreads", as_json: bool) -> None:
    if as_json:
        print_document([_spread_document(spread) for spread in spreads.all])
    else:
        rows = ([spread.title, len(spread.positions), spread.deck, spread.source] for spread in spreads.all)
        print_table(["spread", "cards", "deck", "from"], rows)
    for problem in spreads.problems:
        print_problem(problem)


def _spread_document(spread: "Spread") -> dict[str, Any]:
    fields = {"spread": spread.title, "id": spread.id, "deck": spread.deck or None, "from": spread.source}
    positions = ({"name": each.name, "meaning": each.meaning, "part": dict(each.part)} for each in spread.positions)
    return fields | {"positions": list(positions)}


def _print_cards(result: "Reading") -> None:
    from vaultkit.campaign.reading import text_lines

    has_names = any(position.name for position in result.spread.positions)
    cards = result.positions_with_cards
    texts = ((position, entry.card.title, " ".join(text_lines(entry.text))) for position, entry in cards)
    rows = ([*([position.name] if has_names else []), title, text] for position, title, text in texts)
    print_table([*(["position"] if has_names else []), "card", "text"], rows)


def _print_deck_errors(deck: "DeckNote") -> None:
    """Print a remark if the deck has errors, since some of its cards may be missing."""
    errors = sum(problem.severity == "error" for problem in deck.problems)
    if errors:
        print_note(f"Note: {deck.deck.title} has {format_count(errors, 'problem')}; see: vaultkit check")


def _reading_document(result: "Reading") -> dict[str, Any]:
    from vaultkit.cli.deck import card_document

    return {
        "id": result.id,
        "title": result.spread.title,
        "deck": result.deck.note.path,
        "seed": result.seed,
        "question": result.question or None,
        "cards": [
            {"position": position.name or None, "meaning": position.meaning or None, **card_document(entry)}
            for position, entry in result.positions_with_cards
        ],
    }


@with_options
def draw(
    desk: DrawContext,
    deck: Annotated[
        list[str], Argument(metavar="DECK [NUMBER]", help="A deck by title, kind or note, and the number of cards.")
    ],
    number: Annotated[int | None, Option("--number", "-n", help="Number of cards.", min=1)] = None,
) -> None:
    """Draw cards from a shuffled deck; --log logs them.

    The same --seed draws the same cards, so you can log a draw later.

    For example: vaultkit draw tarokka 3
    """
    from vaultkit.campaign.reading import draw_cards

    name, count = _split_number(deck) if number is None else (" ".join(deck), number)
    deck_note = desk.workspace.deck(name)
    lay_cards = partial(draw_cards, deck_note, count, question=desk.question, now=current_time())
    if desk.campaign is not None and not desk.log:
        raise UsageError("--campaign says where a draw is logged, and this one is not.", hint="Add --log.")
    _lay_show_and_log(desk, deck_note, lay_cards, is_logged=desk.log)


def _split_number(words: list[str]) -> tuple[str, int]:
    """Return the name of a deck and the number of cards from words such as `tarokka 3`, `3 cards from tarokka`."""
    names = [word for word in words if word.casefold() not in _FILLERS] or words
    for index in (-1, 0):
        count = parse_count(names[index]) if len(names) > 1 else None
        if count:
            return " ".join(names[1:] if index == 0 else names[:-1]), count
    return " ".join(names if len(names) == 1 else words), 1


_FILLERS = frozenset({"a", "card", "cards", "from", "of"})
"""Words between a number of cards and the name of a deck, which mean nothing by themselves."""
