"""A turn's requests: made so that they fit the model's window, sent, and noted in the ledger."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import AsyncGenerator
from contextlib import aclosing
from dataclasses import replace

from qdash_jupyter.agent.digest import digest_of
from qdash_jupyter.agent.ledger import SentRequest, TurnLedger
from qdash_jupyter.agent.parse import ANSWER_SCHEMA
from qdash_jupyter.agent.setting import TurnSetting
from qdash_jupyter.agent.transcript import Transcript
from qdash_jupyter.agent.window import DIGEST, FULL, SHORTENED, json_bytes
from qdash_jupyter.config.mask import MaskedStream, masked
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.events import ReasoningDelta, TextDelta
from qdash_jupyter.domain.tool_call import ToolFailure
from qdash_jupyter.errors import ModelBroken, ModelContextExceeded
from qdash_jupyter.llm.client import ModelRequest, Reply
from qdash_jupyter.messages.message import Message

_STILL_TOO_LONG = Message("still-too-long")


class ModelCaller:
    """Asks the model, round by round."""

    def __init__(self, transcript: Transcript, setting: TurnSetting, ledger: TurnLedger) -> None:
        """For one turn, whose question stands in the transcript."""
        self._transcript = transcript
        self._setting = setting
        self._ledger = ledger
        self._rest_size = json_bytes([setting.instructions, ANSWER_SCHEMA])
        self._offered: dict[frozenset[str], tuple[JsonObject, ...]] = {}
        self._retried = False
        self._reply: Reply | None = None
        self.failures: dict[str, ToolFailure] = {}
        """Why tools of the turn failed, by the id of the call."""

    @property
    def _tools(self) -> tuple[JsonObject, ...]:
        """One tuple for all requests between which the model has nothing described."""
        described = self._transcript.described
        if described not in self._offered:
            tools = (*self._setting.toolbox.schemas(described), *self._setting.static_tools)
            if tools != self._transcript.tools:
                self._transcript.tools = tools
            self._offered = {described: self._transcript.tools}
        return self._offered[described]

    @property
    def reply(self) -> Reply:
        """The last reply.

        Raises:
            ModelBroken: there is none.
        """
        if self._reply is None:
            raise ModelBroken(Message("stream-without-reply"), Message("ask-again"))
        return self._reply

    async def ask(self, *, with_tools: bool) -> AsyncGenerator[TextDelta | ReasoningDelta]:
        """Stream deltas; `reply` is then what they ended in.

        Where the server finds the conversation too long before it has said a word, old turns are replaced by a digest
        and it is asked once more; once in a turn.

        Raises:
            ModelError: there is no reply.
        """
        self._reply, window = None, self._transcript.window
        if self._setting.window is not None:
            tokens = window.tokens(self._size(with_tools=True))
            most = FULL * window.limit(self._setting.window)
            if tokens > most and self._transcript.leave_out_contents():
                tokens = window.tokens(self._size(with_tools=True))
            if tokens > most:
                self._shorten(self._setting.window)
        while True:
            try:
                async with aclosing(self._sent(with_tools=with_tools)) as deltas:
                    async for delta in deltas:
                        yield delta
            except ModelContextExceeded as error:
                refusal = error
            else:
                return
            window.refuses(self._size(with_tools=with_tools))
            began = self._ledger.requests[-1].begun
            is_shorter = not began and not self._retried and self._transcript.leave_out_contents()
            if began or self._retried or not (self._shorten(self._setting.window or window.refused or 0) or is_shorter):
                raise ModelContextExceeded(refusal.message, _STILL_TOO_LONG)
            self._retried = True

    async def _sent(self, *, with_tools: bool) -> AsyncGenerator[TextDelta | ReasoningDelta]:
        setting, transcript, ledger = self._setting, self._transcript, self._ledger
        tools = self._tools if with_tools else ()
        items = transcript.as_read(transcript.sent_items, is_language_model=ledger.is_language_model)
        shared = ModelRequest(setting.instructions, items, tools, ANSWER_SCHEMA, setting.language)
        if (before := transcript.last_request) is not None and before.items is items and before == shared:
            shared = before
        transcript.last_request = shared
        size = self._size(with_tools=with_tools)
        estimate = transcript.window.tokens(size) if ledger.is_language_model else 0
        sent = SentRequest(
            shared, len(items), transcript.question_at, transcript.replaced > 0, estimate, is_counted=not estimate
        )
        request = replace(sent.request, failures=self.failures, in_page=setting.in_page)
        ledger.requests += (sent,)
        received = 0
        shown: defaultdict[type[TextDelta | ReasoningDelta], MaskedStream] = defaultdict(MaskedStream)
        async with aclosing(setting.llm.reply(request)) as parts:
            async for part in parts:
                sent.begun = True
                if isinstance(part, Reply):
                    self._reply = replace(part, text=masked(part.text))
                    transcript.window.counted(size, part.usage.input_tokens)
                    received = json_bytes(part.items)
                else:
                    received += json_bytes(part.text)
                if ledger.is_language_model:
                    sent.output_tokens = transcript.window.tokens(received)
                if isinstance(part, Reply):
                    sent.replied(part.usage)
                elif text := shown[type(part)].add(part.text):
                    yield replace(part, text=text)
        for kind, stream in shown.items():
            if rest := stream.rest():
                yield kind(rest)

    def _size(self, *, with_tools: bool) -> int:
        """Bytes of JSON of the request that would go out now."""
        return self._rest_size + self._transcript.sent_size + (json_bytes(self._tools) if with_tools else 0)

    def _shorten(self, configured: int) -> bool:
        """Replace old turns, as many as it takes; says whether there were any. The turn of now always stays whole."""
        transcript, window = self._transcript, self._transcript.window
        old = len(transcript.memories) - 1
        if old <= transcript.replaced:
            return False
        limit = window.limit(configured)
        most = window.size(DIGEST * limit)
        room = window.size(SHORTENED * limit) - self._rest_size - json_bytes(self._tools) - most
        fitting = (turns for turns in range(transcript.replaced + 1, old) if transcript.size_without(turns) <= room)
        turns = next(fitting, old)
        text = digest_of(transcript.memories[:turns], self._setting.toolbox.context.store, most)
        transcript.replace_first(turns, text)
        return True
