"""`CassetteLLM`: plays recorded replies, or has another model reply and records it."""

from __future__ import annotations

import asyncio
import json
from collections import Counter
from collections.abc import AsyncGenerator, Callable
from contextlib import aclosing
from dataclasses import replace
from itertools import takewhile
from pathlib import Path
from threading import Lock
from typing import Any, Literal, get_args

from qdash_jupyter.config.disk import expanded
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.events import ReasoningDelta, TextDelta
from qdash_jupyter.errors import CassetteError, ConfigurationError
from qdash_jupyter.llm.cassette.canonical import canonical, key_of, question_of
from qdash_jupyter.llm.cassette.tape import Recording, Tape
from qdash_jupyter.llm.client import LLM, ModelCard, ModelRequest, Reply, ReplyPart
from qdash_jupyter.messages.message import Message, one_of, sentences

Mode = Literal["record", "replay", "auto"]
_PIECE_CHARS = 60
_QUESTION_CHARS = 60
_SHOWN_BEFORE, _SHOWN_AFTER = 60, 40
"""Characters about a difference."""

_begun: set[Path] = set()
"""Cassettes that this process has begun to record: a second conversation adds to them."""


class CassetteLLM:
    """Replays what the file holds (`replay`), has the model reply and records it anew (`record`), or both (`auto`)."""

    def __init__(
        self, mode: str, file: str, model: Callable[[], LLM], mask: Callable[[bytes], bytes] = lambda line: line
    ) -> None:
        """Read the file, where there has to be one.

        Args:
            mode: `record`, `replay` or `auto`.
            file: the cassette's path.
            model: makes the configured model; not called in `replay`.
            mask: takes secrets out of a line of JSON.

        Raises:
            ConfigurationError: the mode or the path is wrong, or the cassette is of another model.
            CassetteError: the cassette cannot be read.
        """
        self._mode = _mode_of(mode)
        path = _path_of(file)
        self._mask = mask
        self._played: Counter[str] = Counter()
        self._recording = Lock()
        self._inner = None if self._mode == "replay" else model()
        absolute = path.absolute()
        fresh = (self._mode == "record" and absolute not in _begun) or (self._mode == "auto" and not path.exists())
        self._tape = Tape(path) if fresh else Tape.load(path)
        if self._inner is not None:
            self._check_model(self._inner.card)
            _begun.add(absolute)

    @property
    def card(self) -> ModelCard:
        """Says that this is a cassette, and whose."""
        tape = self._tape
        if self._inner is None:
            recorded = tape.model or Message("no-recorded-model")
            return ModelCard(f"cassette of {recorded}", str(tape.path), title=Message("cassette-of", model=recorded))
        inner = self._inner.card
        played = "cassette of" if self._mode == "auto" and tape.recordings else "recording of"
        return replace(inner, name=f"{played} {inner.name}", endpoint=f"{inner.endpoint}, {tape.path}")

    async def reply(self, request: ModelRequest) -> AsyncGenerator[ReplyPart]:
        """The recorded parts, without waiting; else those of the model, which are recorded when they are complete.

        Raises:
            CassetteError: there is no such recording; or it cannot be written.
            ModelError: the model gave no answer. Nothing is recorded then.
        """
        await asyncio.sleep(0)  # a place to cancel at, as every model's reply has
        asked: JsonObject = self._masked(canonical(request))
        found = None if self._mode == "record" else self._next(key_of(asked))
        if found is not None:
            for part in _parts_of(found):
                yield part
            return
        if self._inner is None:
            raise self._missing(asked)
        streamed = {TextDelta: "", ReasoningDelta: ""}
        async with aclosing(self._inner.reply(request)) as parts:
            async for part in parts:
                if isinstance(part, Reply):
                    await asyncio.to_thread(self._record, asked, part, streamed[TextDelta], streamed[ReasoningDelta])
                else:
                    streamed[type(part)] += part.text
                yield part

    async def close(self) -> None:
        """Give back the model's connections."""
        if self._inner is not None:
            await self._inner.close()

    def _check_model(self, card: ModelCard) -> None:
        tape = self._tape
        if not tape.model:
            tape.model = card.name
        elif tape.model != card.name:
            raise ConfigurationError.with_hint(
                "cassette-other-model", path=str(tape.path), recorded=tape.model, model=card.name
            )

    def _next(self, key: str) -> Recording | None:
        """The recording of this request; equal requests get theirs in order, and then from the first on again."""
        equal = [one for one in self._tape.recordings if one.key == key]
        if not equal:
            return None
        self._played[key] += 1
        return equal[(self._played[key] - 1) % len(equal)]

    def _record(self, asked: JsonObject, reply: Reply, streamed: str, reasoning: str) -> None:
        text, thought = self._masked([streamed, reasoning])
        items = tuple(self._masked(list(reply.items)))
        calls = tuple(replace(call, arguments=self._masked(call.arguments)) for call in reply.calls)
        masked = replace(reply, text=self._masked(reply.text), calls=calls, items=items)
        with self._recording:  # a question that was stopped may still be writing
            self._tape.add(asked, masked, streamed=text, reasoning=thought)
            self._played[key_of(asked)] += 1  # what was heard just now is not played as the next

    def _masked(self, value: Any) -> Any:
        line = json.dumps(value, ensure_ascii=False).encode("utf-8", "replace")
        return json.loads(self._mask(line))

    def _missing(self, asked: JsonObject) -> CassetteError:
        tape = self._tape
        message = Message("cassette-no-reply", path=str(tape.path), question=_named(*question_of(asked["items"])))
        hint = Message("cassette-no-reply-hint")
        near = max(tape.recordings, key=lambda one: _shared_chars(asked, one.request), default=None)
        if near is None:
            return CassetteError(sentences(message, Message("cassette-empty")), hint)
        question = _named(*near.head)
        if asked["items"][: len(near.continued)] == near.continued:
            return CassetteError(sentences(message, Message("cassette-ends", question=question)), hint)
        start = _shared_chars(asked, near.request)
        here, recorded = (_around(_in_one_line(each), start) for each in (asked, near.request))
        differs = Message("cassette-differs", here=here, recorded=recorded)
        return CassetteError(sentences(message, Message("cassette-nearest", question=question), differs), hint)


def _in_one_line(request: JsonObject) -> str:
    """A canonical request as JSON, what was said before the settings."""
    return json.dumps([request["items"], request], sort_keys=True, ensure_ascii=False)


def _shared_chars(one: JsonObject, other: JsonObject) -> int:
    pairs = zip(_in_one_line(one), _in_one_line(other), strict=False)
    return sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], pairs))


def _around(text: str, place: int) -> str:
    """The text about the place where it differs."""
    return f"…{text[max(0, place - _SHOWN_BEFORE) : place + _SHOWN_AFTER]}…"


def _named(question: str, number: int) -> Message:
    short = question if len(question) <= _QUESTION_CHARS else f"{question[:_QUESTION_CHARS]}…"
    return Message("cassette-question", question=" ".join(short.split()), round=number)


def _parts_of(recording: Recording) -> list[ReplyPart]:
    text = recording.streamed
    return [
        *([ReasoningDelta(recording.reasoning)] if recording.reasoning else []),
        *(TextDelta(text[start : start + _PIECE_CHARS]) for start in range(0, len(text), _PIECE_CHARS)),
        recording.reply,
    ]


def _mode_of(mode: str) -> Mode:
    known: tuple[Mode, ...] = get_args(Mode)
    for one in known:
        if mode.strip().lower() == one:
            return one
    raise ConfigurationError.with_hint("cassette-wrong-mode", mode=mode, modes=one_of(known))


def _path_of(file: str) -> Path:
    if not file.strip():
        raise ConfigurationError.with_hint("cassette-no-file")
    path = expanded(file)
    if not path.parent.is_dir():
        raise ConfigurationError.with_hint("cassette-no-folder", file=file, folder=str(path.parent))
    return path
