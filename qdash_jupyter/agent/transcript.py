"""What the model has seen: input items of the Responses API, append-only, opaque where they came from the model."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import pairwise

from qdash_jupyter.agent.as_read import AsRead
from qdash_jupyter.agent.digest import TurnMemory
from qdash_jupyter.agent.situation import news, situation_text
from qdash_jupyter.agent.window import ContextWindow, json_bytes
from qdash_jupyter.domain.analysis import HEADING, WITHHELD, is_context, situation_in, text_of, user_message
from qdash_jupyter.domain.answer import Answer, JsonObject
from qdash_jupyter.domain.compact import to_json
from qdash_jupyter.domain.context import AVAILABLE, NOT_SENT, READS_CONTENT, is_attached
from qdash_jupyter.domain.tool_call import ToolResult
from qdash_jupyter.llm.client import ModelRequest
from qdash_jupyter.llm.openai_server.items import CHAT_REASONING
from qdash_jupyter.tools.describe import DESCRIBE, names_in

_UNSENT = "(Not sent any more: the settings withhold more since.)"
_REPLACED = f"({HEADING.lstrip('# ')}: it was replaced by that of a later analysis.)"
_ONE_MODELS_OWN = {"reasoning", CHAT_REASONING}
_ONE_SERVERS_OWN = {"id", "status"}
_FILES = {"input_image", "input_file"}
_LOOKED_FOR = READS_CONTENT | {AVAILABLE}
"""Tools whose outputs are looked for later."""
_READ_AGAIN = "to save room; call the tool again"
_LATER = timedelta(minutes=2)
"""A result that came so much later than the time that was told last says when."""


@dataclass(frozen=True, slots=True)
class MadeCall:
    """A call that the program makes for the model, as if it had asked, with what it gave."""

    name: str
    arguments: JsonObject
    output: JsonObject
    messages: Sequence[JsonObject] = ()


@dataclass(slots=True)
class _Turn(TurnMemory):
    """With its place: the index of its first item, and the bytes of JSON of its items."""

    start: int = 0
    size: int = 0


class Transcript:
    """The conversation. Every call in it has an output: otherwise the model's server refuses the next question.

    `items` are all of it and only grow. `sent_items` go out with a request: there a digest may stand in place of the
    oldest turns, and what only another model can read is left out.
    """

    def __init__(
        self, items: Iterable[JsonObject] = (), memories: Mapping[int, TurnMemory] | None = None, model: str = ""
    ) -> None:
        """`items` are those of a conversation that goes on with `model`, `memories` its turns by the index of their
        first item. Outputs whose call is missing are left out.
        """
        self.model = model
        """Whose items the last ones are."""
        self.in_log = 0
        """So many items are in the log."""
        self.window = ContextWindow()
        self.as_read = AsRead()
        self.last_request: ModelRequest | None = None
        """With what it shares with those after it."""
        self.tools: tuple[JsonObject, ...] = ()
        """Likewise: turns with the same tools share them."""
        self._items: list[JsonObject] = []
        self._turns: list[_Turn] = []
        self.replaced = 0
        """So many turns the digest stands for."""
        self._digest: tuple[JsonObject, ...] = ()
        self._unsent = 0  # so many turns, of which not even a digest goes out
        self._of_others = 0  # so many items
        self._told: JsonObject = {}  # the situation of the last question that the model reads
        self._sent_as: dict[int, JsonObject] = {}  # what goes out otherwise than it is kept, by the index of the item
        self._time: datetime | None = None  # that the model was told last
        self._open_calls: list[JsonObject] = []  # one by one: some servers use the same id in each of their replies
        self._tool_of: dict[int, object] = {}  # that gave an output, by the index of the item
        for index, item in enumerate(items):
            if memories and index in memories:
                known = memories[index]
                turn = _Turn(known.question, known.asked_at, known.results, known.answer, len(self._items))
                self._turns.append(turn)
            if item.get("type") != "function_call_output" or self.waits_for(item.get("call_id")):
                self._add(item)
        self._forget_contexts(but=1)

    @property
    def items(self) -> tuple[JsonObject, ...]:
        """All items so far."""
        return tuple(self._items)

    @property
    def sent_items(self) -> tuple[JsonObject, ...]:
        """The items for a request: the digest, if there is one, and the turns behind it, whole."""
        start = self._start
        others = self._outgoing(start, self._of_others)
        return (*self._digest, *portable(others), *self._outgoing(max(start, self._of_others), len(self._items)))

    @property
    def described(self) -> frozenset[str]:
        """What the model has had described, as far as it still reads that."""
        calls = (item for item in self._items[self._start :] if item.get("name") == DESCRIBE)
        return frozenset(name for call in calls for name in names_in(call.get("arguments", "")))

    @property
    def question_at(self) -> int:
        """Where among `sent_items` the last question stands."""
        start = self._turns[-1].start
        # Before it may stand calls of ours, what these attached, and the context of an analysis.
        behind = next((place for place, item in enumerate(self._items[start:]) if _is_question(item)), 0)
        others = self._items[self._start : self._of_others]
        left_out = len(others) - sum(1 for _ in portable(others))
        return len(self._digest) + start - self._start - left_out + behind

    @property
    def memories(self) -> tuple[TurnMemory, ...]:
        """What may be told of each turn, oldest first."""
        return (*(TurnMemory(_UNSENT, None) for _ in range(self._unsent)), *self._turns[self._unsent :])

    def __len__(self) -> int:
        return len(self._items)

    def since(self, count: int) -> tuple[JsonObject, ...]:
        """The items after the first `count`."""
        return tuple(self._items[count:])

    def size_without(self, turns: int) -> int:
        """Bytes of JSON of the items behind the first so many turns; with 0 of all."""
        return sum(turn.size for turn in self._turns[turns:])

    @property
    def sent_size(self) -> int:
        """Bytes of JSON of `sent_items`."""
        return sum(map(json_bytes, self._digest)) + self.size_without(self.replaced)

    def speaks_with(self, model: str) -> None:
        """The next reply is that of this model, to which what another one counted or hid in its items says nothing."""
        if model != self.model:
            self.model, self.window, self._of_others = model, ContextWindow(), len(self._items)

    def ask(
        self,
        question: str,
        context: JsonObject | None = None,
        asked_at: datetime | None = None,
        situation: JsonObject | None = None,
        *,
        calls: Iterable[MadeCall] = (),
        attachments: str = "",
    ) -> None:
        """Add the user's question: a turn begins. The context of an analysis goes before it, and takes the place of
        an earlier one; before that, calls that the program makes. Behind the question stand what is new of the
        situation, and what is attached to it.
        """
        self._turns.append(_Turn(question, asked_at or datetime.now(UTC), start=len(self._items)))
        for call in calls:
            for item in _items_of(call, len(self._items)):
                self._add(item)
        if context is not None:
            self._forget_contexts(but=0)
            self._add(context)
        self._leave_out_what_is_withheld((situation or {}).get(WITHHELD))
        new = news(situation or {}, self._told)
        self._told = situation or {}
        behind = [*([situation_text(new)] if new else []), *([attachments] if attachments else [])]
        self._add(user_message(question, *behind))

    def _leave_out_what_is_withheld(self, withheld: object) -> None:
        """Turns in which less was withheld go out no more, nor does a digest of them: they may tell it."""
        if withheld is None:
            return
        last, counts = 0, None
        for number, (turn, following) in enumerate(pairwise(self._turns), start=1):
            for item in self._items[turn.start : following.start]:
                counts = situation_in(item).get(WITHHELD, counts)
            last = last if counts == withheld else number
        if last > self._unsent:
            self._unsent, self._told = last, {}
            self.replace_first(max(last, self.replaced), _UNSENT)

    def note(self, words: str) -> None:
        """Add what the loop itself tells the model within a turn."""
        self._add(user_message(words))

    def _forget_contexts(self, *, but: int) -> None:
        """What was analysed before is no longer in view: its data would be taken for those of the present result."""
        contexts = [place for place, item in enumerate(self._items) if is_context(item)]
        for place in contexts[: len(contexts) - but]:
            before, after = self._items[place], user_message(_REPLACED)
            self._items[place] = after
            turn = next(turn for turn in reversed(self._turns) if turn.start <= place)
            turn.size += json_bytes(after) - json_bytes(before)

    def add_reply(self, items: Iterable[JsonObject]) -> None:
        """Add the model's own items, unchanged and in order."""
        for item in items:
            self._add(item)

    def add_results(self, results: Iterable[ToolResult]) -> None:
        """Add the outputs of calls, in the order of the calls, then the files that they attach."""
        attached: list[JsonObject] = []
        for result in results:
            turn = self._turns[-1]
            if not any(result is one for one in turn.results):  # those of an earlier kernel's last turn are
                turn.results += (result,)
            self._add({"type": "function_call_output", "call_id": result.call.call_id, "output": result.content})
            attached += result.for_model
        for message in attached:
            self._add(message)

    def answered(self, answer: Answer) -> None:
        """The turn has its answer."""
        self._turns[-1].answer = answer

    def replace_first(self, turns: int, digest: str) -> None:
        """Send this digest in place of the first so many turns from now on, with the situation that they told."""
        self.replaced = turns
        self._digest = (user_message(digest, *([situation_text(self._told)] if self._told else [])),)
        if (listed := self.last_output(AVAILABLE, before=self._turns[turns].start)) is not None:
            self._digest += tuple(_items_of(MadeCall(AVAILABLE, {}, listed), 0))

    def last_output(self, tool: str, before: int | None = None) -> JsonObject | None:
        """What the last call of this tool gave, among the first so many items; None where none was answered."""
        for place in reversed(range(len(self._items) if before is None else before)):
            if self._tool_of.get(place) == tool:
                with suppress(TypeError, ValueError):
                    output = json.loads(self._items[place]["output"])
                    if isinstance(output, dict) and "error" not in output:
                        return output
        return None

    def leave_out_contents(self) -> bool:
        """Send no more what files and tables gave in the turns before this one; says whether there was any."""
        left_out = False
        for turn, following in pairwise(self._turns[self.replaced :]):
            for place in range(turn.start, following.start):
                item = self._items[place]
                if self._tool_of.get(place) in READS_CONTENT:
                    left_out |= self._leave_out(turn, place, {**item, "output": to_json({"left_out": _READ_AGAIN})})
                elif is_attached(item):
                    left_out |= self._leave_out(turn, place, user_message(text_of(item), NOT_SENT))
        return left_out

    def _leave_out(self, turn: _Turn, place: int, item: JsonObject) -> bool:
        if self._sent_as.get(place) == item:
            return False
        self._sent_as[place] = item
        turn.size += json_bytes(item) - json_bytes(self._items[place])
        return True

    def _outgoing(self, start: int, end: int) -> Iterator[JsonObject]:
        """The items of these places as they go out. What differs is a copy: the conversation itself stays."""
        return (self._sent_as.get(place) or self._items[place] for place in range(start, end))

    def close_open_calls(self, reason: str) -> None:
        """Give every call without an output one that says why: a stop or failure must not break the conversation."""
        for call_id in [call.get("call_id", "") for call in self._open_calls]:
            self._add({"type": "function_call_output", "call_id": call_id, "output": to_json({"error": reason})})

    def waits_for(self, call_id: object) -> bool:
        """Whether a call of this id has no output yet."""
        return any(call.get("call_id", "") == call_id for call in self._open_calls)

    @property
    def _start(self) -> int:
        """Index of the first item that is sent as it is."""
        return self._turns[self.replaced].start if self.replaced else 0

    def _add(self, item: JsonObject) -> None:
        if not self._turns:  # a log that does not say whose these items are
            self._turns.append(_Turn("(not recorded)", None, start=len(self._items)))
        place = len(self._items)
        self._items.append(item)
        self._turns[-1].size += json_bytes(item)
        if item.get("type") == "function_call":
            self._open_calls.append(item)
        if item.get("role") == "user" and (now := situation_in(item).get("now")):
            self._time = _moment(now)
        elif item.get("type") == "function_call_output":
            self._close(item, place)

    def _close(self, output: JsonObject, place: int) -> None:
        """A call has its output, at this index."""
        call_id = output["call_id"]
        if (call := next((one for one in self._open_calls if one.get("call_id", "") == call_id), None)) is not None:
            self._open_calls.remove(call)
            if (name := call.get("name")) in _LOOKED_FOR:
                self._tool_of[place] = name
        results = self._turns[-1].results
        produced = next((one.produced_at for one in results if one.call.call_id == call_id), None)
        if self._time is not None and produced is not None and produced - self._time >= _LATER:
            self._time = produced
            self._sent_as[place] = _with_time(output, produced)


def portable(items: Iterable[JsonObject]) -> Iterator[JsonObject]:
    """Items as any model reads them: without reasoning, which is encrypted for one, without a server's own ids, and
    without pictures, which not all can see.
    """
    for item in items:
        if item.get("type") in _ONE_MODELS_OWN:
            continue
        plain = {name: value for name, value in item.items() if name not in _ONE_SERVERS_OWN}
        if isinstance(content := item.get("content"), list):
            plain["content"] = [part for part in content if part.get("type") not in _FILES]
        yield plain


def _items_of(call: MadeCall, place: int) -> Iterator[JsonObject]:
    """A call and its output. Servers that are strict about ids want nine letters and digits."""
    call_id = f"made{place:05d}"
    yield {"type": "function_call", "call_id": call_id, "name": call.name, "arguments": to_json(call.arguments)}
    yield {"type": "function_call_output", "call_id": call_id, "output": to_json(call.output)}
    yield from call.messages


def _is_question(item: JsonObject) -> bool:
    return item.get("role") == "user" and not is_context(item) and not is_attached(item)


def _with_time(item: JsonObject, produced: datetime) -> JsonObject:
    """The output with the time at which it came; one that is no object stays as it is."""
    output = item["output"]
    if not (isinstance(output, str) and output.startswith("{") and output.endswith("}")):
        return item
    comma = "," if output != "{}" else ""
    return {**item, "output": f'{output[:-1]}{comma}"produced_at":"{produced:%Y-%m-%d %H:%M} UTC"}}'}


def _moment(now: object) -> datetime | None:
    try:
        return datetime.strptime(f"{str(now)[:16]}+0000", "%Y-%m-%d %H:%M%z")
    except ValueError:
        return None
