"""`OfflinePlanner`: fixed plans behind the door of a language model, through the same loop and tools."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncGenerator, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import reduce
from typing import Any, TypeAlias

from qdash_jupyter.domain.analysis import (
    ERROR,
    NAMED,
    NOTE,
    RESULT,
    data_of,
    is_context,
    is_ours,
    situation_in,
    text_of,
)
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.context import is_attached
from qdash_jupyter.domain.events import TextDelta
from qdash_jupyter.domain.language import language_of
from qdash_jupyter.domain.metrics import MetricTable
from qdash_jupyter.domain.tool_call import ToolCall, ToolFailure
from qdash_jupyter.llm.client import ModelCard, ModelRequest, Reply, ReplyPart
from qdash_jupyter.llm.offline.grammar.assembling import queries
from qdash_jupyter.llm.offline.grammar.forms import examples
from qdash_jupyter.llm.offline.grammar.offers import offers
from qdash_jupyter.llm.offline.grammar.parts import MOST_CHARACTERS, asks_for_help
from qdash_jupyter.llm.offline.operations import Ask, meant_of, plan_of
from qdash_jupyter.llm.offline.operations.values import flag_words
from qdash_jupyter.llm.offline.phrases import WHY, Say
from qdash_jupyter.llm.offline.plan import CODE, CallOutcome, Finding, Plan, PlanFailed, PlannedCall
from qdash_jupyter.llm.offline.query import Asked, Query
from qdash_jupyter.llm.offline.reading import of_failed_cell, of_named, reading
from qdash_jupyter.llm.offline.wording import sentence_of
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.messages.message import Message, one_of, sentences, with_minus_signs

_METHOD = Message("plan-whole-method")
_AT_QUBIT = re.compile(r"(?<![\w@./`])@(?=q(?:ubit)?[\s_]?\d)", re.IGNORECASE)
"""The sign by which the panel names a qubit: `@Q07` is Q07."""
_MOST_BEFORE = 4
"""Earlier questions that a follow-up may lean on, one on the other."""


@dataclass(frozen=True, slots=True)
class _Exchange:
    """A question of the user, what the calls since then gave, and the data of the analysis that it asks for: none of
    a cell; None where it is another question.
    """

    question: str
    tools: Sequence[str]
    outcomes: Sequence[CallOutcome]
    analysed: dict[str, Any] | None
    answer: str
    now: datetime
    """When it was asked, as the database counts."""
    cooldown: datetime | None
    """When the chip's current cool-down began."""
    named: dict[str, Any] | None = None
    """What the user's variables are that the question names."""
    current: str | None = None
    """The current qubit or coupling."""
    in_page: bool = False


class OfflinePlanner:
    """Answers the common questions without a language model. The same conversation gives the same reply."""

    def __init__(self, metrics: MetricTable | None = None) -> None:
        """`metrics` hold the lab's thresholds."""
        self._metrics = metrics or MetricTable()

    @property
    def card(self) -> ModelCard:
        """Says that this is no language model."""
        title = Message("offline-planner")
        return ModelCard(
            "offline planner (no language model)", Message("this-kernel"), is_language_model=False, title=title
        )

    async def reply(self, request: ModelRequest) -> AsyncGenerator[ReplyPart]:
        """The next calls of the plan, or its answer."""
        await asyncio.sleep(0)  # a place to cancel at, as every model's reply has
        *earlier, exchange = _exchanges(request.items, request.failures)
        exchange = replace(exchange, in_page=request.in_page)
        # Earlier questions are read, too: this one may refer to the one before.
        say, past = Say(_language(exchange, request.language)), reduce(_Past.then, earlier, _Past())
        step, tools = self._step(exchange, say, past), {tool.get("name") for tool in request.tools}
        if not tools and exchange.analysed is None:
            # Without tools the loop wants an answer now; the plan is not at its end, and half a plan answers nothing.
            step = Finding(say(Message("plan-out-of-rounds")))
        elif not isinstance(step, Finding) and any(call.tool == CODE for call in step) and CODE not in tools:
            step = Finding(say(Message("plan-no-code")))
        if isinstance(step, Finding):
            said = (_text(item) for item in request.items if item.get("role") == "assistant")
            text = _answer_json(step, _note(exchange, said, step, say))
            yield TextDelta(text)
            content = [{"type": "output_text", "text": text}]
            yield Reply(text=text, items=({"type": "message", "role": "assistant", "content": content},))
            return
        calls_before = sum(item.get("type") == "function_call" for item in request.items)
        calls = tuple(
            ToolCall(f"call_{calls_before + index}", call.tool, json.dumps(call.arguments, ensure_ascii=False))
            for index, call in enumerate(step, start=1)
        )
        items = tuple(
            {"type": "function_call", "call_id": call.call_id, "name": call.name, "arguments": call.arguments}
            for call in calls
        )
        yield Reply(text="", calls=calls, items=items)

    async def close(self) -> None:
        """Nothing to give back."""

    def _step(self, exchange: _Exchange, say: Say, past: _Past) -> _Step:
        """The next step towards the answer, or what can be asked in its place."""
        question, language = _plain(exchange.question), say.language
        if (words := _beside_cells(exchange, say)) is not None:
            return Finding(words)
        if exchange.analysed is not None:
            return reading(exchange.analysed, language, own_question=not is_ours(exchange.question))
        if asks_for_help(question):
            return _all_that_can_be_asked(exchange.now, say)
        if not (found := past.read(question, exchange)):
            return _offered(question, exchange, past, language)
        asks = [Ask(query, language, self._metrics, exchange.now, exchange.cooldown) for query in found]
        return _next(_answer(asks, question, exchange, past), exchange, asks[0])


def _note(exchange: _Exchange, said: Iterable[str], step: Finding, say: Say) -> str:
    """What the planner says of itself, once a conversation; and that the cells of an answer are its method."""
    analysed, answered_by = exchange.analysed, say(Message("plan-answered-by"))
    if (
        isinstance(step, Offer)
        or (analysed is not None and ERROR in analysed)
        or any(answered_by in one for one in said)
    ):
        return ""
    return f"\n\n*{say(sentences(answered_by, _METHOD if CODE in exchange.tools else ''))}*"


def _answer(asks: Sequence[Ask], question: str, exchange: _Exchange, past: _Past) -> Plan:
    """The answer to the query that is meant, below how it was read; of several it is looked up, where it can be."""
    ask, say = asks[0], asks[0].say
    if len(asks) > 1:
        query = yield from meant_of([one.query for one in asks])
        if query is None:
            return _offered(question, exchange, past, ask.language)
        ask = replace(ask, query=query)
    try:
        found = yield from plan_of(ask, question)
    except PlanFailed as failure:
        found = Finding(say(failure.why))
    query = ask.query
    parts = [say(Message("plan-read-as", asked=sentence_of(query, ask.language))), found.text]
    if query.asked not in _SAYS_FLAGS and (query.metrics or query.qids or query.conditions):
        flags = flag_words(exchange.outcomes, ask)
        parts.append(flags)
        found = replace(found, assessment=None) if flags and found.assessment == "good" else found
    if query.why and query.asked not in {Asked.CHANGE, Asked.EXCLUDED, Asked.RESULTS}:
        parts.append(say(WHY))
    return replace(found, text="\n\n".join(filter(None, parts)))


@dataclass(frozen=True, slots=True)
class _Past:
    """The last question that was run; where some came behind that were not, the last of these and what it may mean."""

    before: Query | None = None
    asked: tuple[Query, ...] | None = None
    question: str = ""
    earlier: _Past | None = None

    def read(self, question: str, exchange: _Exchange) -> tuple[Query, ...]:
        """What a question asks for. Behind one that was not run it may say which of its meanings is meant; what an
        earlier one would complete is not run, as it may go on with the one that was not.
        """
        now = exchange.now
        found = queries(question, now, self.before, exchange.current)
        if self.asked is None:
            return found
        chosen = {query for one in self.asked for query in queries(question, now, one)}
        if chosen and chosen <= {*self.asked}:  # 「先週は?」 behind "this week" is no choice
            return tuple(chosen)
        alone = queries(question, now, None, exchange.current)
        is_own = alone == found == queries(question, now, _ANY) and {*self.goes_on(question, now)} <= {*found}
        return found if is_own else ()

    def then(self, exchange: _Exchange) -> _Past:
        """What is past behind this."""
        question = _plain(exchange.question)
        found = self.read(question, exchange)
        if len(found) == 1:
            return _Past(found[0])
        if exchange.analysed is not None or asks_for_help(question):
            return _Past(self.before)
        return _Past(self.before, found, question, self)

    def goes_on(self, question: str, now: datetime) -> tuple[Query, ...]:
        """What a question asks for behind each of what the one that was not run may mean."""
        read = (queries(question, now, one) for one in self._meant(now))
        return tuple(dict.fromkeys(query for some in read for query in some))

    def _meant(self, now: datetime) -> tuple[Query, ...]:
        if self.asked or self.earlier is None:
            return self.asked or ()
        before = (self.before,) if self.before else ()
        return self.earlier.goes_on(self.question, now) or (*before, *offers(self.question, now, self.before).nearest)


_ANY = Query(Asked.HISTORY, metrics=("t1",), qids=("0",))
_SAYS_FLAGS = frozenset({Asked.VERDICT, Asked.RECALIBRATE, Asked.VALUES})
"""Whose tables have flags in them."""


def _next(plan: Plan, exchange: _Exchange, ask: Ask) -> _Step:
    """The plan's next calls, or its answer."""
    tools, left = list(exchange.tools), list(exchange.outcomes)
    try:
        calls = next(plan)
        # Calls that the plan did not ask for were made by a model that answered this question.
        while len(left) >= len(calls) and tools[: len(calls)] == [call.tool for call in calls]:
            some, left, tools = left[: len(calls)], left[len(calls) :], tools[len(calls) :]
            if (asking := _chip_asked(some, ask.language)) is not None:
                return asking
            calls = plan.send(some)
    except StopIteration as end:
        finding: Finding = end.value
        return finding
    return [_about_chip(call, ask.query) for call in calls]


_Step: TypeAlias = "Sequence[PlannedCall] | Finding"


@dataclass(frozen=True, slots=True)
class Offer(Finding):
    """What can be asked in place of what was, each as a sentence to send."""

    choices: tuple[str, ...] = ()
    headings: tuple[str, ...] = ()
    """What each stands under; empty where they have no headings."""


def _offered(question: str, exchange: _Exchange, past: _Past, language: Language) -> Offer:
    """The nearest questions, and which words were not understood."""
    say, place = Say(language), "page" if exchange.in_page else "terminal"
    if len(question) > MOST_CHARACTERS:
        return Offer(say(Message("offer-too-long", most=MOST_CHARACTERS)))
    found = offers(question, exchange.now, past.before, exchange.current, past.goes_on(question, exchange.now))
    unknown = tuple(Message("plan-quoted", word=word) for word in found.unknown if word not in found.corrected)
    corrected = tuple(Message("offer-corrected", word=word, better=better) for word, better in found.corrected.items())
    lines = [
        say(Message("offer-not-understood", words=unknown)) if unknown else "",
        say(Message("offer-read-as", words=corrected)) if corrected else "",
        say(Message("offer-model", place=place)) if found.is_blank else "",
        say(Message("offer-meanings") if found.is_read else Message("offer-nearest")),
    ]
    choices = (*dict.fromkeys(sentence_of(query, language) for query in found.queries), say(Message("ask-help")))
    return Offer("\n\n".join(filter(None, lines)), choices=choices)


def _all_that_can_be_asked(now: datetime, say: Say) -> Offer:
    """A question of each kind, by group."""
    listed = [(sentence_of(query, say.language), say(group)) for group, some in examples(now).items() for query in some]
    choices, headings = zip(*listed, strict=True)
    return Offer(say(Message("offer-all")), choices=choices, headings=headings)


def _chip_asked(outcomes: Sequence[CallOutcome], language: Language) -> Offer | None:
    """The question for the chip, where a tool found that several could be meant."""
    for outcome in outcomes:
        if outcome.content.get("kind") == "ambiguous":
            chips = [found[0] for found in _CHIP.finditer(outcome.content["error"])]
            asking = Message("plan-which-chip", names=one_of(chips))
            choices = tuple(Message("ask-chip", name=chip).of(language) for chip in chips)
            return Offer(asking.of(language), choices=choices)
    return None


_CHIP = re.compile(r"([^\s/,]+)/([^\s/,]+?)(?=,|\.?(?:\s|$))")
"""A chip with its project before it, as a tool lists them."""


def _plain(question: str) -> str:
    """The question without the sign by which the panel names a qubit."""
    return _AT_QUBIT.sub("", question)


def _beside_cells(exchange: _Exchange, say: Say) -> str | None:
    """What is said of the user's own cells and variables; None where the question is of neither."""
    analysed = exchange.analysed
    if analysed is not None and ERROR in analysed:
        return of_failed_cell(analysed[ERROR], say)
    if exchange.named:
        return of_named(exchange.question, exchange.named, say)
    return say(Message("plan-not-for-cells")) if analysed is not None and RESULT not in analysed else None


def _about_chip(call: PlannedCall, query: Query) -> PlannedCall:
    """The call about the chip that the question names."""
    if call.tool == CODE or query.chip is None:
        return call
    project, _, chip = query.chip.rpartition("/")
    return PlannedCall(call.tool, call.arguments | {"chip_id": chip} | ({"project_id": project} if project else {}))


def _exchanges(items: Sequence[JsonObject], failures: Mapping[str, ToolFailure]) -> list[_Exchange]:
    """The last questions of the user with what came of each, oldest first; earlier ones say nothing to a new one."""
    starts = [index for index, item in enumerate(items) if item.get("role") == "user" and not _is_said_by_us(item)]
    times = (_moment(situation_in(items[start]).get("now")) for start in starts)
    # Questions of another client's history were told no time: they are read with the first one that was.
    now = next(filter(None, times), datetime.now(UTC))
    found, cooldown, named = [], None, None
    current: JsonObject = {"current_qubit": None, "current_coupling": None}
    for start, end in zip(starts, [*starts[1:], len(items)], strict=True):
        told = situation_in(items[start])  # only what is new is told again
        now = _moment(told.get("now")) or now
        cooldown = _moment(told["cooldown"]) if "cooldown" in told else cooldown
        named = told.get(NAMED, named)
        current |= {name: told[name] for name in current if name in told}
        if start < starts[-_MOST_BEFORE:][0]:
            continue
        between = items[start:end]
        # What came of earlier questions is text for a model, and never read again.
        given = [item for item in between if item.get("type") == "function_call_output" and end == len(items)]
        found.append(
            _Exchange(
                text_of(items[start]),
                [item["name"] for item in between if item.get("type") == "function_call"],
                [_outcome(item, failures) for item in given],
                data_of(items[start - 1]) if start and is_context(items[start - 1]) else None,
                "".join(_text(item) for item in between if item.get("role") == "assistant"),
                now,
                cooldown,
                named,
                next(filter(None, current.values()), None),
            )
        )
    return found


def _moment(told: Any) -> datetime | None:
    """The first moment in what the situation says."""
    found = re.search(r"\d{4}-\d\d-\d\d \d\d:\d\d", str(told))
    return None if found is None else datetime.strptime(f"{found[0]}+0000", "%Y-%m-%d %H:%M%z")


def _language(exchange: _Exchange, now: str | None) -> Language:
    """The language of an answer that was given; for the question that is open, that of the request."""
    if now is not None and not exchange.answer:
        return "ja" if now == "ja" else "en"
    return language_of(exchange.answer or exchange.question)


def _outcome(item: JsonObject, failures: Mapping[str, ToolFailure]) -> CallOutcome:
    try:
        content = json.loads(item["output"])
    except (TypeError, ValueError):  # not ours: what another model was told
        content = None
    content = content if isinstance(content, dict) else {"error": str(item["output"])}
    return CallOutcome(content, failures.get(item.get("call_id", "")))


def _is_said_by_us(item: JsonObject) -> bool:
    """Whether a user message is the context of an analysis, or the loop's own note that it is time to answer."""
    return is_context(item) or is_attached(item) or text_of(item).startswith(NOTE)


def _text(item: JsonObject) -> str:
    content = item.get("content")
    if isinstance(content, str):
        return content
    return "".join(str(part.get("text", "")) for part in content or ())


def _answer_json(finding: Finding, note: str) -> str:
    blocks = [{"type": "text", "content": with_minus_signs(finding.text) + note, "chart": None}]
    said = {"choices": finding.choices, "headings": finding.headings} if isinstance(finding, Offer) else {}
    offered = {name: list(texts) for name, texts in said.items() if texts}
    return json.dumps({"blocks": blocks, "assessment": finding.assessment, **offered}, ensure_ascii=False)
