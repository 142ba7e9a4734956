"""What went out to the model in a turn, and what each part of it took. Requests are kept by reference, not copied."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Literal, TypeAlias, get_args

from qdash_jupyter.agent.as_read import begins_with
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


@dataclass(frozen=True, slots=True, eq=False)
class SharedItems(Sequence[JsonObject]):
    """The first so many of items behind which others came since: a hundred requests take the room of the last one."""

    whole: list[JsonObject]
    stop: int

    @classmethod
    def of(cls, items: Sequence[JsonObject], before: SharedItems | None) -> SharedItems:
        """Return the items, in the room of those of the request `before` where they go on behind these."""
        if before is None or len(before.whole) != before.stop or not begins_with(items, before.whole):
            return cls([*items], len(items))
        before.whole.extend(items[before.stop :])
        return cls(before.whole, len(items))

    def __len__(self) -> int:
        return self.stop

    def __getitem__(self, place: Any) -> Any:
        places = range(self.stop)[place]
        return self.whole[places] if isinstance(places, int) else tuple(map(self.whole.__getitem__, places))

    def __iter__(self) -> Iterator[JsonObject]:
        """Return one after the other, as fast as those of a list."""
        return islice(self.whole, self.stop)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and [*self] == [*other]

    __hash__ = None  # pyrefly: ignore[implicit-any-attribute]


@dataclass(slots=True)
class SentRequest:
    """A request and what came of it. `estimate` are its input tokens as we count them; `question_at` is the place of
    the turn's question among its items, `digested` whether their first one is a digest.
    """

    request: ModelRequest
    question_at: int
    digested: bool
    estimate: int
    begun: bool = False
    """Whether the model began to reply: then the input was read, and is paid for."""
    usage: Usage = NO_USAGE
    output_estimate: int = 0

    @property
    def is_counted(self) -> bool:
        """Whether the server counted the tokens; otherwise they are estimated."""
        return self.usage.input_tokens > 0 or not self.estimate

    @property
    def input_tokens(self) -> int:
        """Tokens that went out; 0 for a request that was refused."""
        return self.usage.input_tokens or (self.estimate if self.begun else 0)

    @property
    def output_tokens(self) -> int:
        """Tokens that came back."""
        return self.usage.output_tokens or self.output_estimate


@dataclass(slots=True)
class TurnLedger:
    """The requests of one turn. `spent_before` are the tokens of the conversation's turns before it."""

    spent_before: int = 0
    model: str = ""
    is_language_model: bool = True
    price: PriceSection | None = None
    window: int | None = None
    """Tokens that one request may hold; None where nobody says."""
    requests: list[SentRequest] = field(default_factory=list)
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
