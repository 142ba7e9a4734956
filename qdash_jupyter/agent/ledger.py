"""What went out to the model in a turn, and what each part of it took. Requests are kept by reference, not copied."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, get_args

from qdash_jupyter.config.manifest import PriceSection
from qdash_jupyter.domain.analysis import is_context
from qdash_jupyter.domain.answer import NO_USAGE, JsonObject, Usage
from qdash_jupyter.llm.client import ModelCard, ModelRequest

Group: TypeAlias = Literal[
    "instructions",
    "tool schemas",
    "answer schema",
    "digest",
    "earlier turns",
    "analysis",
    "question",
    "model items",
    "tool results",
    "notes of the loop",
]

_HEADING = re.compile(r"# (.+)$", re.MULTILINE)
_BEFORE_HEADING = re.compile(r"^(?=# .)", re.MULTILINE)


@dataclass(slots=True)
class SentRequest:
    """A request and what came of it: it is `shared`, with the first `stop` of its items. `question_at` is the place of
    the turn's question among them, `digested` whether the first one is a digest. `estimate` are its input tokens as we
    count them, until the server has.
    """

    shared: ModelRequest
    """Of all requests that differ in nothing but how many items they have."""
    stop: int
    question_at: int
    digested: bool
    estimate: int
    begun: bool = False
    """Whether the model began to reply: then the input was read, and is paid for."""
    is_counted: bool = False
    """Whether the server counted the tokens; otherwise they are estimated."""
    output_tokens: int = 0
    """Tokens that came back."""
    tries: int = 0

    @property
    def request(self) -> ModelRequest:
        """What went out."""
        return replace(self.shared, items=tuple(self.shared.items[: self.stop]))

    def replied(self, usage: Usage) -> None:
        """This is what the server counted."""
        self.estimate = usage.input_tokens or self.estimate
        self.output_tokens = usage.output_tokens or self.output_tokens
        self.is_counted = self.is_counted or usage.input_tokens > 0
        self.tries = usage.requests

    @property
    def input_tokens(self) -> int:
        """Tokens that went out; 0 for a request that was refused."""
        return self.estimate if self.begun else 0

    @property
    def usage(self) -> Usage:
        """As the server counted it."""
        counts = (self.input_tokens, self.output_tokens) if self.is_counted else (0, 0)
        return Usage(*counts, self.tries)


@dataclass(slots=True)
class TurnLedger:
    """The requests of one turn. `spent_before` are the tokens of the conversation's turns before it."""

    spent_before: int = 0
    model: str = ""
    is_language_model: bool = True
    price: PriceSection | None = None
    window: int | None = None
    """Tokens that one request may hold; None where nobody says."""
    requests: tuple[SentRequest, ...] = ()
    others: Usage = NO_USAGE
    """What other models took that tools have asked. The price is not theirs."""

    def begin(self, card: ModelCard, price: PriceSection | None, window: int | None = None) -> None:
        """This model is asked, at this price."""
        self.model, self.is_language_model, self.price = card.name, card.is_language_model, price
        self.window = window

    @property
    def input_tokens(self) -> int:
        """Of all requests."""
        return sum(sent.input_tokens for sent in self.requests) + self.others.input_tokens

    @property
    def output_tokens(self) -> int:
        """Of all replies."""
        return sum(sent.output_tokens for sent in self.requests) + self.others.output_tokens

    @property
    def tokens(self) -> int:
        """Both."""
        return self.input_tokens + self.output_tokens

    @property
    def is_counted(self) -> bool:
        """Whether the server counted all of them."""
        return all(sent.is_counted for sent in self.requests)

    @property
    def usage(self) -> Usage:
        """As the server counted it."""
        return sum((sent.usage for sent in self.requests), self.others)

    @property
    def money(self) -> float | None:
        """In the currency of the price; None without one."""
        if self.price is None:
            return None
        inputs, outputs = self.input_tokens - self.others.input_tokens, self.output_tokens - self.others.output_tokens
        return (inputs * self.price.input + outputs * self.price.output) / 1e6


@dataclass(frozen=True, slots=True)
class PartSize:
    """What one part of a request takes. Parts of one group and name of several requests are added up."""

    group: Group
    name: str
    characters: int
    tokens: int


def token_breakdown(requests: Iterable[SentRequest]) -> list[PartSize]:
    """The parts of the prompts, in their order. Tokens are the request's, shared out by bytes: their sum is exact."""
    characters: Counter[tuple[Group, str]] = Counter()
    tokens: Counter[tuple[Group, str]] = Counter()
    for sent in requests:
        sizes: Counter[tuple[Group, str]] = Counter()
        for group, name, text in _texts(sent):
            characters[group, name] += len(text)
            sizes[group, name] += len(text.encode("utf-8", "replace"))
        for part, share in _shared_out(sent.input_tokens, sizes).items():
            tokens[part] += share
    order: Mapping[Group, int] = {group: place for place, group in enumerate(get_args(Group))}
    return [
        PartSize(*part, characters[part], tokens[part]) for part in sorted(characters, key=lambda part: order[part[0]])
    ]


def _texts(sent: SentRequest) -> Iterable[tuple[Group, str, str]]:
    """Each piece of a request: what part it belongs to, and its text."""
    request = sent.request
    yield from (("instructions", name, text) for name, text in _by_heading(request.instructions))
    yield from (("tool schemas", "", _json(tool)) for tool in request.tools)
    if request.answer_schema is not None:
        yield "answer schema", "", _json(request.answer_schema)
    tools: dict[str, str] = {}
    for place, item in enumerate(request.items):
        if item.get("type") == "function_call":
            tools[str(item.get("call_id"))] = str(item.get("name"))
        yield *_part(sent, place, item, tools), _json(item)


def _part(sent: SentRequest, place: int, item: JsonObject, tools: Mapping[str, str]) -> tuple[Group, str]:
    if is_context(item):
        return "analysis", ""
    if place < sent.question_at:
        return ("digest", "") if sent.digested and place == 0 else ("earlier turns", "")
    if place == sent.question_at:
        return "question", ""
    if item.get("type") == "function_call_output":
        return "tool results", tools.get(str(item.get("call_id")), "unknown")
    return ("notes of the loop", "") if item.get("role") == "user" else ("model items", "")


def _by_heading(instructions: str) -> Iterable[tuple[str, str]]:
    """The instructions at their headings. A heading within what the lab knows is a part of its own."""
    for text in filter(None, _BEFORE_HEADING.split(instructions)):
        found = _HEADING.match(text)
        yield found[1] if found else "(without a heading)", text


def _shared_out(total: int, sizes: Counter[Any]) -> dict[Any, int]:
    """The total in whole numbers, by size; the largest remainders get what rounding leaves."""
    whole = sum(sizes.values())
    exact = {part: total * size / whole for part, size in sizes.items()}
    shares = {part: int(share) for part, share in exact.items()}
    for part in sorted(exact, key=lambda part: shares[part] - exact[part])[: total - sum(shares.values())]:
        shares[part] += 1
    return shares


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
