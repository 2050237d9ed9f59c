"""All that is shown, as Rich renderables: the table, a question, passages, the log and the end of a game."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.text import Text

from vaultkit.games.messages import Event, Outcome, Seat, Standing, Table, Zone
from vaultkit.scene.bot_rounds import RoundSummary
from vaultkit.scene.knowledge import StepEvent
from vaultkit.scene.scene import Question, Scene, standing_text, title_of
from vaultkit.search.passages import Passage
from vaultkit.session import Step
from vaultkit.terminal.safe_text import strip_controls
from vaultkit.terminal.styles import TerminalStyle
from vaultkit.terminal.terminal_text import ColumnBlocks, Columns, TerminalText, flow
from vaultkit.text import capitalize_first, group

MAX_RECENT_COUNT = 12
"""Events shown without being asked for more."""
_MARGIN_WIDTH = 2
_DISCARD_KIND = "discard"
"""The kind of the events in which cards are discarded, after what a move did."""
_IDLE_KIND = "kept"
"""The kind of the events in which nothing is turned up."""
_DRAW_KIND = "draw"
"""The kind of the events in which cards are drawn, which are no news for those who do not see the cards."""
_ROUND_WIDTH = len("Round 99")


def table(scene: Scene, speaker: TerminalText) -> RenderableType:
    """Return the state of the game and the zones of the table, one card to a line."""
    heading = ", ".join(map(speaker.words, scene.heading))
    lines = [Text(f"{capitalize_first(heading)}.")] if heading else []
    return Text("\n").join([*lines, *(line for zone in scene.zones for line in _zone(zone, scene.you, speaker))])


def question(scene_question: Question, speaker: TerminalText) -> Text:
    """Return the question; if lines are read aloud, with its rule in few words."""
    text = speaker.text(scene_question.text, speaker.look.style("question"))
    if speaker.look.plain and (rule := citation(scene_question, speaker)):
        text.append("\nRule: ").append_text(rule).append(".")
    return text


def citation(scene_question: Question, speaker: TerminalText) -> Text:
    """Return the rule of a question in few words."""
    heading, plain = strip_controls(scene_question.rule.rpartition("#")[2]), speaker.look.plain
    between = ", " if plain else speaker.look.sign(" · ", " - ")
    parts = [part for part in (heading, ", ".join(scene_question.rulings)) if part]
    return Text(between.join(parts), "" if plain else "dim")


def moves(offers: Iterable[tuple[str, Text, Sequence[Text]]]) -> RenderableType:
    """Return the moves line by line: the letters with the label of each, then its consequences."""
    return Text("\n").join(line for offer in offers for line in _plain_move(*offer))


def _plain_move(letters: str, label: Text, facts: Sequence[Text]) -> Iterator[Text]:
    yield Text(f"{letters}: ").append_text(label)
    yield from (Text(f"{letters}, then: ").append_text(fact) for fact in facts)


def standings(scene: Scene, speaker: TerminalText) -> RenderableType:
    """Return how everybody stands, as far as the people at the screen may know."""
    if not scene.standings:
        return Text("Nothing is counted before the end of this game.")
    rows = [
        (speaker.seat(standing.seat), standing_text(standing, scene, lambda sentence: speaker.text(sentence).plain))
        for standing in scene.standings
    ]
    if speaker.look.plain:
        return Text("\n").join(Text(f"{name}: {text}") for name, text in rows)
    return Columns([(Text(name, speaker.look.style("seat")), Text(text)) for name, text in rows])


def standing_words(standing: Standing, speaker: TerminalText) -> Text:
    """Return the words beside the points of a seat."""
    if standing.words:
        return speaker.text(standing.words, speaker.look.style("faint"))
    return Text("out" if standing.out else "", speaker.look.style("faint"))


def story(news: Iterable[StepEvent], speaker: TerminalText) -> Iterator[RenderableType]:
    """Yield the events of each step as one paragraph, or in plain mode one line each."""
    for step, events in _group_by_step(news):
        if speaker.look.plain:
            yield from (event_text(step, event, speaker) for event in events)
        elif text := _step_text(step, events, speaker):
            yield Columns([(text,)], margin=1)
        if step.tale:
            yield tale(step.tale, speaker)


def step_texts(news: Iterable[StepEvent], speaker: TerminalText) -> list[tuple[int, Text]]:
    """Return the number of each step that is news, with its events and its tale; the first deal is none."""
    steps = list(_group_by_step(pair for pair in news if pair[1].kind != _DRAW_KIND or pair[1].sentence.cards))
    first = next((step.n for step, _ in steps if not step.chance), None)
    texts = [(step, _step_text(step, events, speaker)) for step, events in steps if first and step.n >= first]
    style = speaker.look.style("tale")
    return [
        (step.n, text.append(f" {strip_controls(step.tale)}", style) if step.tale else text)
        for step, text in texts
        if text
    ]


def act_texts(news: Sequence[StepEvent], viewer: Seat | None, speaker: TerminalText) -> dict[int, Text]:
    """Return the last act of each seat in `news`, by the number of its step; of a seat without one, its last cards.

    Acts are what moves of others did, and notable events; those of no seat, such as a common reveal, count together.
    """
    acts = dict[Seat | None, tuple[int, int, Text]]()
    for step, event in news:
        weight = _weigh(step, event, viewer)
        if weight and weight >= acts.get(event.seat, (0,))[0]:
            acts[event.seat] = (weight, step.n, speaker.text(event.sentence))
    texts_by_step = group((step_number, text) for _, step_number, text in acts.values())
    return {step_number: Text(" ").join(texts) for step_number, texts in texts_by_step.items()}


def _weigh(step: Step, event: Event, viewer: Seat | None) -> int:
    """Return how much an event matters to the viewer: 2 for an act, 1 for other cards of a seat, else 0."""
    is_own, has_cards = event.seat == viewer, bool(event.cards)
    is_act = event.notable if step.chance else not is_own and (event.notable or has_cards)
    if is_act and event.kind != _DISCARD_KIND:
        return 2
    return int(has_cards and event.seat not in (None, viewer))


def _group_by_step(news: Iterable[StepEvent]) -> Iterator[tuple[Step, list[Event]]]:
    for _, pairs in groupby(news, lambda step_event: step_event[0].n):
        rows = list(pairs)
        yield rows[0][0], [event for _, event in rows]


def _step_text(step: Step, events: Iterable[Event], speaker: TerminalText) -> Text:
    """Return the events of a step in a paragraph, without events in which nothing happens."""
    style = speaker.look.style("notable")
    news = (event for event in events if not is_idle(step, event))
    return Text(" ").join(speaker.text(event.sentence, style if event.notable else "") for event in news)


def is_idle(step: Step, event: Event) -> bool:
    """Return whether an event says only that a seat has done nothing, because it could not or would not."""
    return event.kind == _IDLE_KIND and not (event.notable or event.cards or step.tale)


def bullet_lines(sentences: Iterable[str], speaker: TerminalText) -> Iterator[RenderableType]:
    """Yield sentences from notes or rules, each on a line of its own."""
    for line in sentences:
        yield _bullet_line(Text(strip_controls(line)), speaker)


def latest(news: Sequence[StepEvent], speaker: TerminalText) -> Iterator[RenderableType]:
    """Yield the last events of a story, and before them a line with the number of earlier ones."""
    left = len(news) - MAX_RECENT_COUNT
    if left > 0:
        what = "1 event" if left == 1 else f"{left} events"
        yield Text(f"{what} before that: l all shows everything.", speaker.look.style("faint"))
    yield from story(news[-MAX_RECENT_COUNT:], speaker)


def log(news: Sequence[StepEvent], speaker: TerminalText, *, everything: bool) -> Iterator[RenderableType]:
    """Yield a story, or its last events."""
    return story(news, speaker) if everything else latest(news, speaker)


def round_line(finished_round: RoundSummary, speaker: TerminalText) -> RenderableType:
    """Return the notable events of a round, and the changes of points in it."""
    words = [event_text(step, event, speaker) for step, event in finished_round.news if event.notable]
    gains = [f"{speaker.seat(seat)} {change:+g}, now {points:g}" for seat, change, points in finished_round.changes]
    words += [Text(f"{'; '.join(gains)}.")] if gains else []
    text = Text(" ").join(words or [Text("Nobody gains anything.")])
    title = capitalize_first(speaker.words(finished_round.heading[0])) if finished_round.heading else "Meanwhile"
    if speaker.look.plain:
        return Text(f"{title}: ").append_text(text)
    return Columns([(Text(f"{title:<{_ROUND_WIDTH}}", speaker.look.style("faint")), text)], margin=1)


def _bullet_line(text: Text, speaker: TerminalText) -> RenderableType:
    sign = Text(speaker.look.sign("·", "-"), speaker.look.style("faint"))
    return text if speaker.look.plain else Columns([(sign, text)], gap=1)


def tale(words: str, speaker: TerminalText) -> RenderableType:
    """Return a player's tale of a move."""
    text = Text(strip_controls(words), speaker.look.style("tale"))
    return text if speaker.look.plain else Columns([(text,)], margin=2 * _MARGIN_WIDTH)


def event_text(step: Step, event: Event, speaker: TerminalText) -> Text:
    """Return an event in words; the first sentence of a move without a choice says so (G-6)."""
    text = speaker.text(event.sentence, speaker.look.style("notable") if event.notable else "")
    if step.auto and event is step.events[0]:
        text.append(" (no choice)", speaker.look.style("faint"))
    return text


def passage(content: Passage, look: TerminalStyle) -> RenderableType:
    """Return a rule or a card's text, which comes from notes and is never read as markup of Rich."""
    title = [Text(strip_controls(content.title), look.style("title"))] if content.title else []
    body = Text(strip_controls(content.text, lines=True).strip())
    for suit in look.suits:
        body.highlight_words([suit], look.suit(suit))
    source = [Text(strip_controls(content.source), look.style("faint"))] if content.source else []
    group = Group(*title, body, *source)
    return group if look.plain else Padding(group, (0, 0, 0, _MARGIN_WIDTH))


def help_lines(speaker: TerminalText, words: Sequence[tuple[str, str]]) -> RenderableType:
    """Return the help on what may be typed, with cards of the deck as examples."""
    words = [(speaker.example(keys), speaker.example(meaning)) for keys, meaning in words]
    if speaker.look.plain:
        return Text("\n".join(f"{keys}: {meaning}" for keys, meaning in words))
    return Columns([(Text(keys, speaker.look.style("number")), Text(meaning)) for keys, meaning in words])


def ending(
    outcome: Outcome, tables: Iterable[Table], speaker: TerminalText, tale: Iterable[str] = (), gm: str = ""
) -> Iterator[RenderableType]:
    """Yield the result with its reason, the scores, and the story, or without a story the facts."""
    yield from result(outcome, speaker, gm)
    text = " ".join(tale)
    if speaker.look.plain or not text:
        for title, fact in outcome.facts:
            yield Text(f"{strip_controls(title)}: ").append_text(speaker.text(fact))
    for sheet in tables:
        yield from _gap(speaker)
        yield score_table(sheet, speaker)
    if text:
        yield from _gap(speaker)
        yield Group(Text("In the story:", speaker.look.style("title")), Text(strip_controls(text)))


def result(outcome: Outcome, speaker: TerminalText, gm: str = "") -> Iterator[RenderableType]:
    """Yield who has won, and why; a dealer is named as the GM who plays it, if there is one."""
    alone_and_lost = len(outcome.ranks) == 1 and not outcome.winners
    winners = "No player wins." if gm and not outcome.winners else _winners(outcome, speaker)
    lines = [] if alone_and_lost else [Text(winners, speaker.look.style("title"))]
    reason = outcome.reason
    if gm:
        words = reason.words.replace("the dealer", f"{{v{len(reason.values)}}}, the dealer,")
        reason = replace(reason, words=words, values=(*reason.values, gm))
    lines.append(speaker.text(reason))
    if speaker.look.plain:
        yield from lines
        return
    frame = box.HEAVY if speaker.look.symbols else box.ASCII
    yield Panel(Text("\n").join(lines), frame, expand=False, padding=(0, 3), border_style=speaker.look.style("title"))


def _gap(speaker: TerminalText) -> Iterator[Text]:
    if not speaker.look.plain:
        yield Text()


def _winners(outcome: Outcome, speaker: TerminalText) -> str:
    if not outcome.winners:
        return "Nobody wins."
    verb = "wins" if len(outcome.winners) == 1 else "win"
    return f"{speaker.names(outcome.winners)} {verb}."


def score_table(sheet: Table, speaker: TerminalText) -> RenderableType:
    """Return a table of scores, or one fact to a line if lines are read aloud."""
    columns = [strip_controls(column) for column in sheet.spoken_columns or sheet.columns]
    rows = [list(map(strip_controls, row)) for row in sheet.with_names(speaker.seat).rows]
    title = Text(strip_controls(sheet.title), speaker.look.style("title"))
    if speaker.look.plain:
        cells = ((row[0], column, cell) for row in rows for column, cell in zip(columns[1:], row[1:], strict=False))
        facts = [f"{name}, {column}: {cell or 'none'}" for name, column, cell in cells]
        return Group(title, *map(Text, facts))
    head = [Text(column, speaker.look.style("faint")) for column in columns]
    return Group(title, ColumnBlocks([head, *(list(map(Text, row)) for row in rows)]))


def legend(scene: Scene, speaker: TerminalText, width: int) -> Iterator[RenderableType]:
    """Yield the meanings of the signs of suits, if there are any, after an empty line; then the notes on the table."""
    if speaker.look.legend:
        yield Text()
        yield Columns([(flow([Text(sign) for sign in speaker.look.legend.split("   ")], width - _MARGIN_WIDTH),)])
    notes = [zone for zone in scene.zones if zone.kind == "legend" and zone.short]
    if notes:
        faint = speaker.look.style("faint")
        yield Columns([(speaker.text(zone.title, faint), speaker.text(zone.short)) for zone in notes if zone.short])


def _zone(zone: Zone, you: Seat | None, speaker: TerminalText) -> Iterator[Text]:
    title = speaker.text(title_of(zone, you))
    if zone.short:
        title.append(", " if zone.cards or zone.hidden else ": ").append_text(speaker.text(zone.short))
    contents = [f"  {speaker.title(card)}" for card in zone.cards]
    if zone.hidden:
        contents.append(f"  {zone.hidden} face down")
    if not contents:
        yield title if zone.short else title.append(": nothing")
        return
    yield title.append(":")
    yield from map(Text, contents)


def is_bare_pile(zone: Zone) -> bool:
    """Return whether a pile is no more than a number, or one card, which the title has room for."""
    return zone.kind == "pile" and zone.owner is None and len(zone.cards) < 2 and not zone.short
