"""`%copilot cost`: tokens and characters of a conversation, by question and by part of the prompt, as Markdown; and
`%copilot sent N`: exactly what went out to the model in a turn, foldable.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from html import escape
from typing import Any

from qdash_jupyter.agent.ledger import PartSize, SentRequest, token_breakdown
from qdash_jupyter.domain.chart_bundle import Bundle
from qdash_jupyter.domain.safe_text import harmless_words, printable
from qdash_jupyter.domain.wire import panel
from qdash_jupyter.errors import PersonError
from qdash_jupyter.llm.client import ModelRequest
from qdash_jupyter.messages.languages import reader
from qdash_jupyter.messages.message import Message, Text, lines
from qdash_jupyter.session.turn import Turn
from qdash_jupyter.ui.display import markdown, paragraphs, table

_LONGEST = 60


def conversation_cost(turns: Sequence[Turn]) -> str:
    """Each question with its requests, tokens and money, then the parts of all prompts together."""
    if not turns:
        return paragraphs(Message("nothing-asked"))
    requests = sum(turn.usage.requests for turn in turns)
    inputs, outputs = sum(turn.usage.input_tokens for turn in turns), sum(turn.usage.output_tokens for turn in turns)
    rough = not all(turn.ledger.is_counted for turn in turns)
    sums: list[Text] = [_tokens(inputs, rough=rough), _tokens(outputs, rough=rough), _total_money(turns)]
    total: list[Text] = [Message("heading", name="all"), "", Message("request-count", count=requests), *sums]
    rows = [_turn_row(number, turn) for number, turn in enumerate(turns, start=1)]
    return paragraphs(
        Message("cost-of-conversation"),
        table(("", "question", "requests", "input", "output", "cost"), [*rows, total], left=2),
        *_parts_table(Message("cost-of-parts"), [s for t in turns for s in t.ledger.requests]),
        _notes(turns),
    )


def turn_cost(turn: Turn, number: int) -> str:
    """The parts of each request of one question."""
    if turn.requests is None:
        return paragraphs(Message("requests-not-kept", number=number))
    parts: list[Text] = [Message("cost-of-question", number=number, question=_short(turn.question))]
    for place, sent in enumerate(turn.ledger.requests, start=1):
        input_, output = (_tokens(n, rough=not sent.is_counted) for n in (sent.input_tokens, sent.output_tokens))
        parts += _parts_table(Message("cost-of-request", number=place, input=input_, output=output), [sent])
    return paragraphs(*parts, _notes([turn]))


def spent_on(turn: Turn) -> panel.Spent | None:
    """What a turn took, for the panel; None where no language model was asked."""
    ledger = turn.ledger
    if not ledger.requests or not ledger.is_language_model:
        return None
    last = ledger.requests[-1]
    return {
        "input_tokens": ledger.input_tokens,
        "output_tokens": ledger.output_tokens,
        "filled": last.input_tokens + last.output_tokens,
        "window": ledger.window,
        "estimated": not ledger.is_counted,
        "cost": _money(ledger.money, turn),
    }


def _turn_row(number: int, turn: Turn) -> list[Text]:
    usage, rough = turn.usage, not turn.ledger.is_counted
    return [
        str(number),
        _short(turn.question),
        Message("request-count", count=usage.requests),
        _tokens(usage.input_tokens, rough=rough),
        _tokens(usage.output_tokens, rough=rough),
        _money(turn.ledger.money, turn),
    ]


def _parts_table(title: Message, requests: Iterable[SentRequest]) -> list[Text]:
    sizes = token_breakdown(requests)
    if not sizes:
        return []
    whole, tokens = sum(size.characters for size in sizes), sum(size.tokens for size in sizes)
    rows = [_part_row(_name(size), size.characters, _tokens(size.tokens, rough=True), whole) for size in sizes]
    rows.append([*_part_row(Message("heading", name="all"), whole, _tokens(tokens, rough=False), whole)[:-1], "100 %"])
    return [title, table(("part", "characters", "input", "share"), rows, left=1)]


def _name(size: PartSize) -> Message:
    group = Message("cost-group", name=size.group.replace(" ", "-"))
    return Message("cost-part", group=group, name=size.name) if size.name else group


def _part_row(name: Message, characters: int, tokens: Message, whole: int) -> list[Text]:
    return [name, Message("panel-format-characters", n=characters), tokens, f"{100 * characters / whole:.1f} %"]


def _tokens(count: int, *, rough: bool) -> Message:
    amount = Message("panel-gauge-tokens", n=count)
    return Message("cost-about", amount=amount) if rough and count else amount


def _money(amount: float | None, turn: Turn) -> str:
    return "" if amount is None or turn.ledger.price is None else f"{amount:,.4f} {turn.ledger.price.currency}"


def _total_money(turns: Sequence[Turn]) -> str:
    """By currency: the model, and with it the price, may have changed."""
    sums: dict[str, float] = {}
    for turn in turns:
        if turn.ledger.price is not None and turn.ledger.money is not None:
            sums[turn.ledger.price.currency] = sums.get(turn.ledger.price.currency, 0.0) + turn.ledger.money
    return " + ".join(f"{amount:,.4f} {currency}" for currency, amount in sums.items())


def _notes(turns: Sequence[Turn]) -> Text:
    said = {
        Message("cost-by-size"): True,
        Message("cost-estimated"): not all(turn.ledger.is_counted for turn in turns),
        Message("cost-offline"): any(turn.ledger.requests and not turn.ledger.is_language_model for turn in turns),
        Message("cost-earlier"): any(turn.requests is None for turn in turns),
        Message("cost-priced"): any(turn.ledger.price is not None for turn in turns),
    }
    return lines(*(Message("list-item", mark="-", text=note) for note, holds in said.items() if holds))


def _short(question: str) -> str:
    line = " ".join(question.split())
    return harmless_words(line if len(line) <= _LONGEST else f"{line[:_LONGEST]}…").replace("|", "\\|")


def turn_meant(turns: Sequence[Turn], words: str) -> tuple[int, Turn]:
    """The turn of that number (1 is the first) and its number; the last one where there is none.

    Raises:
        PersonError: there is no such turn.
    """
    number = int(words) if words.isascii() and words.isdigit() else (len(turns) if not words else 0)
    if not turns:
        raise PersonError.with_hint("nothing-asked")
    if not 1 <= number <= len(turns):
        raise PersonError.with_hint("no-question", text=words, most=len(turns))
    return number, turns[number - 1]


def sent_bundle(turn: Turn, number: int) -> Bundle:
    """Each request of the turn with its instructions, items, tools and answer schema. Headers, and with them keys, are
    no part of a request here.
    """
    if turn.requests is None:
        return markdown(Message("requests-not-kept", number=number))
    if not turn.requests:
        return markdown(Message("sent-nothing", number=number))
    count = Message("request-count", count=len(turn.requests))
    model = turn.ledger.model if turn.ledger.is_language_model else Message("offline-planner")
    title = Message("sent-title", number=number, requests=count, model=model).of(reader())
    html, plain = [f"<p><b>{escape(title)}</b></p>"], [title]
    for place, request in enumerate(turn.requests, start=1):
        parts = [(_sized(name, text), _block(text), text) for name, text in _parts(request)]
        head = _sized(Message("sent-request", number=place), "".join(text for *_, text in parts))
        html.append(_folded(head, "".join(_folded(name, block) for name, block, _ in parts)))
        plain.extend([f"--- {head}", *(f"{name}\n{text}" for name, _, text in parts)])
    return {"text/html": "\n".join(html), "text/plain": printable("\n\n".join(plain))}


def _sized(what: Message, text: str) -> str:
    """A part with its size, in the reader's language."""
    return Message("sent-size", what=what, size=Message("panel-format-characters", n=len(text))).of(reader())


def _parts(request: ModelRequest) -> list[tuple[Message, str]]:
    items, tools = list(request.items), list(request.tools)
    return [
        (Message("sent-part", part="instructions", count=1), request.instructions),
        (Message("sent-part", part="items", count=len(items)), _pretty(items)),
        (Message("sent-part", part="tools", count=len(tools)), _pretty(tools)),
        (Message("sent-part", part="schema", count=1), _pretty(request.answer_schema)),
    ]


def _pretty(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=2).encode("utf-8", "replace").decode()


def _folded(summary: str, inner: str) -> str:
    return f'<details style="margin-left: 1em"><summary>{escape(summary)}</summary>{inner}</details>'


def _block(text: str) -> str:
    return f'<pre style="white-space: pre-wrap">{escape(text)}</pre>'
