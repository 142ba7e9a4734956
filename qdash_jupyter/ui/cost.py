"""`%copilot cost`: tokens and characters of a conversation, by question and by part of the prompt, as Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

from qdash_jupyter.agent.ledger import PartSize, token_breakdown
from qdash_jupyter.domain.safe_text import harmless_words
from qdash_jupyter.domain.short_text import compact_text

if TYPE_CHECKING:
    from qdash_jupyter.agent.ledger import SentRequest
    from qdash_jupyter.domain.wire import panel
    from qdash_jupyter.session.turn import Turn

_QUESTION_CHARS = 60

_ESTIMATED = "≈: estimated, because the server did not count."
_OFFLINE = "The offline planner is no language model: its questions take 0 tokens."
_EARLIER = (
    "Questions before the kernel's restart: tokens as far as the server counted them; prices and parts are not kept."
)
_PRICED = "Money is tokens times the prices of the settings; a discount for cached input is not taken into account."


def conversation_cost(turns: Sequence[Turn]) -> str:
    """Each question with its requests, tokens and money, then the parts of all prompts together."""
    if not turns:
        return "Nothing has been asked yet: 0 tokens."
    requests = sum(turn.usage.requests for turn in turns)
    inputs, outputs = sum(turn.usage.input_tokens for turn in turns), sum(turn.usage.output_tokens for turn in turns)
    rough = not all(turn.ledger.is_counted for turn in turns)
    total = ["all", "", _counted(requests, "request"), _tokens(inputs, rough=rough), _tokens(outputs, rough=rough)]
    rows = [_turn_row(number, turn) for number, turn in enumerate(turns, start=1)]
    head = ["", "question", "requests", "input", "output", "cost"]
    parts = [
        "**What this conversation took**",
        _table(head, [*rows, [*total, _total_money(turns)]]),
        *_parts_table("**Parts of the prompts, all requests together**", [s for t in turns for s in t.ledger.requests]),
    ]
    return "\n\n".join([*parts, *_notes(turns)])


def turn_cost(turn: Turn, number: int) -> str:
    """The parts of each request of one question."""
    if turn.requests is None:
        return f"Question {number} was asked before the kernel's restart: its requests are not kept."
    parts = [
        f"**What question {number} took**: {harmless_words(compact_text(_one_line(turn.question), _QUESTION_CHARS))}"
    ]
    for place, sent in enumerate(turn.ledger.requests, start=1):
        rough = not sent.is_counted
        tokens = f"input {_tokens(sent.input_tokens, rough=rough)}, output {_tokens(sent.output_tokens, rough=rough)}"
        parts.extend(_parts_table(f"**Request {place}**: {tokens}", [sent]))
    return "\n\n".join([*parts, *_notes([turn])])


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


def _turn_row(number: int, turn: Turn) -> list[str]:
    usage, rough = turn.usage, not turn.ledger.is_counted
    return [
        str(number),
        harmless_words(compact_text(_one_line(turn.question), _QUESTION_CHARS)),
        _counted(usage.requests, "request"),
        _tokens(usage.input_tokens, rough=rough),
        _tokens(usage.output_tokens, rough=rough),
        _money(turn.ledger.money, turn),
    ]


def _parts_table(title: str, requests: Iterable[SentRequest]) -> list[str]:
    sizes = token_breakdown(requests)
    if not sizes:
        return []
    whole = sum(size.characters for size in sizes)
    rows = [
        [
            _name(size),
            f"{size.characters:,} characters",
            _tokens(size.tokens, rough=True),
            f"{100 * size.characters / whole:.1f} %",
        ]
        for size in sizes
    ]
    total = sum(size.tokens for size in sizes)
    rows.append(["all", f"{whole:,} characters", _tokens(total, rough=False), "100 %"])
    return [title, _table(["part", "characters", "input", "share"], rows)]


def _name(size: PartSize) -> str:
    return f"{size.group}: {harmless_words(size.name)}" if size.name else size.group


def _tokens(count: int, *, rough: bool) -> str:
    return f"{'≈ ' if rough and count else ''}{_counted(count, 'token')}"


def _counted(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _money(amount: float | None, turn: Turn) -> str:
    return "" if amount is None or turn.ledger.price is None else f"{amount:,.4f} {turn.ledger.price.currency}"


def _total_money(turns: Sequence[Turn]) -> str:
    """By currency: the model, and with it the price, may have changed."""
    sums: dict[str, float] = {}
    for turn in turns:
        if turn.ledger.price is not None and turn.ledger.money is not None:
            sums[turn.ledger.price.currency] = sums.get(turn.ledger.price.currency, 0.0) + turn.ledger.money
    return " + ".join(f"{amount:,.4f} {currency}" for currency, amount in sums.items())


def _notes(turns: Sequence[Turn]) -> list[str]:
    notes = ["The tokens of a part are its share of the request's tokens by size."]
    if not all(turn.ledger.is_counted for turn in turns):
        notes.append(_ESTIMATED)
    if any(turn.ledger.requests and not turn.ledger.is_language_model for turn in turns):
        notes.append(_OFFLINE)
    if any(turn.requests is None for turn in turns):
        notes.append(_EARLIER)
    if any(turn.ledger.price is not None for turn in turns):
        notes.append(_PRICED)
    return ["\n".join(f"- {note}" for note in notes)]


def _one_line(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---"] * 2 + ["---:"] * (len(head) - 2) if head[0] == "" else ["---"] + ["---:"] * (len(head) - 1)]
    return "\n".join(f"| {' | '.join(cells)} |" for cells in [*lines, *rows])
