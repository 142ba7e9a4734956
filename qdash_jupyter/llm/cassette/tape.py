"""The file of a cassette: YAML documents, one a request, in the order in which they were made.

Read from top to bottom it is the conversation: a question, the calls of the reply, their results, the next reply. What
a request repeats is not written again: `after` names the request which it continues (its items, then its reply), and
long texts that many requests share (instructions, tools) stand once, as a `part`. The hash of a request is not in the
file but made of it, so that one may change a reply by hand, and what follows still fits.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from qdash_jupyter.config.bounded_yaml import bounded
from qdash_jupyter.config.disk import write_whole
from qdash_jupyter.domain.answer import JsonObject, Usage
from qdash_jupyter.domain.tool_call import ToolCall
from qdash_jupyter.errors import CassetteError
from qdash_jupyter.llm.cassette.canonical import canonical_items, key_of, question_of
from qdash_jupyter.llm.cassette.spelling import spelled_out, spread
from qdash_jupyter.llm.client import Reply
from qdash_jupyter.messages.message import Message, Text

_HEAD = (
    "# A recorded conversation of QDash Copilot with a language model. QDASH_CASSETTE=replay plays it, without the\n"
    "# model; QDASH_CASSETTE=record records it anew. Replies may be changed by hand.\n"
)
_RARE_BREAK = re.compile("[\r\x85\u2028\u2029]")
"""Breaks of lines that YAML knows besides the usual one: readers make another one of them, if they are not escaped."""
_SHORT_CHARS = 200
_MOST_VALUES = 5_000_000
_ID_CHARS = 8


class _Document(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Head(_Document):
    cassette: Literal[1]
    model: str


class _Part(_Document):
    part: str
    value: Any


class _Played(_Document):
    reasoning: str = ""
    streamed: str | None = None
    text: str | None = None
    calls: tuple[ToolCall, ...] | None = None
    items: list[JsonObject] = Field(default_factory=list)
    usage: Usage = Usage()
    cut_short: str = ""


class _Entry(_Document):
    question: str = ""
    round: int = 1
    id: str
    request: JsonObject
    reply: _Played


@dataclass(frozen=True)
class Recording:
    """A canonical request and what came: the summary of the reasoning and the text as they streamed, and the reply."""

    id: str
    request: JsonObject
    reply: Reply
    streamed: str = ""
    reasoning: str = ""

    @cached_property
    def key(self) -> str:
        """The request's hash."""
        return key_of(self.request)

    @cached_property
    def continued(self) -> list[JsonObject]:
        """The canonical items with which a request begins that follows on this reply."""
        return canonical_items([*self.request.get("items", ()), *self.reply.items])

    @property
    def head(self) -> tuple[str, int]:
        """The question, and the round of replies to it."""
        return question_of(self.request.get("items", ()))


@dataclass
class Tape:
    """What a cassette holds: the name of the `model` that spoke, and the recordings in order."""

    path: Path
    model: str = ""
    recordings: list[Recording] = field(default_factory=list)
    _parts: dict[str, Any] = field(default_factory=dict)
    _text: str = ""

    @classmethod
    def load(cls, path: Path) -> Tape:
        """Read the file; an empty one is an empty tape.

        Raises:
            CassetteError: it is missing, cannot be read, or is no cassette. The message says where.
        """
        try:
            text = path.read_text(encoding="utf-8")
        except FileNotFoundError:
            raise CassetteError.with_hint("cassette-missing", path=str(path)) from None
        except (OSError, UnicodeDecodeError) as error:
            why = str(error.strerror) if isinstance(error, OSError) else Message("cassette-not-utf8")
            raise CassetteError.with_hint("cassette-unreadable", path=str(path), why=why) from None
        tape = cls(path, _text=text)
        for place, document in enumerate(_documents(path, text), start=1):
            tape._take(document, place)
        return tape

    def add(self, request: JsonObject, reply: Reply, *, streamed: str = "", reasoning: str = "") -> None:
        """Append a recording and save.

        Raises:
            CassetteError: the file cannot be written.
        """
        name = key_of(request)[:_ID_CHARS]
        taken = {recording.id for recording in self.recordings}
        name = next(each for each in (name, *(f"{name}-{n}" for n in range(2, len(taken) + 3))) if each not in taken)
        recording = Recording(name, request, reply, streamed, reasoning)
        text = self._text or _HEAD + _yaml({"cassette": 1, "model": self.model})
        text = text if text.endswith("\n") else f"{text}\n"
        shared: dict[str, Any] = {}
        written = self._request(recording, shared)
        for part, value in shared.items():
            text += _yaml({"part": part, "value": value})
        question, number = recording.head
        entry = {"question": question, "round": number, "id": name, "request": written, "reply": _reply(recording)}
        text += _yaml(entry)
        self._save(text)
        self._text = text
        self._parts |= shared
        self.recordings.append(recording)

    def _request(self, recording: Recording, shared: dict[str, Any]) -> JsonObject:
        """The request with references to what stands in the file already; new parts are put into `shared`."""
        written: JsonObject = {}
        for name, value in recording.request.items():
            if name == "items":
                continue
            if len(str(value)) > _SHORT_CHARS:
                known = {key_of({"": part}): label for label, part in (self._parts | shared).items()}
                label = known.get(key_of({"": value})) or f"{name} {key_of({'': value})[:_ID_CHARS]}"
                if label not in self._parts:
                    shared[label] = value
                written[name] = {"part": label}
            else:
                written[name] = value
        items = recording.request.get("items", [])
        begun = [one for one in self.recordings if items[: len(one.continued)] == one.continued]
        if begun:
            before = max(begun, key=lambda one: len(one.continued))
            written["after"] = before.id
            items = items[len(before.continued) :]
        return written | {"items": items}

    def _save(self, text: str) -> None:
        try:
            write_whole(self.path, text)
        except OSError as error:
            raise CassetteError.with_hint("cassette-unwritable", path=str(self.path), why=str(error.strerror)) from None

    def _take(self, document: object, place: int) -> None:
        """Take in one document of the file."""
        if not isinstance(document, dict):
            raise self._broken(place, Message("cassette-no-mapping"))
        try:
            if "cassette" in document:
                self.model = _Head.model_validate(document).model
            elif "part" in document:
                part = _Part.model_validate(document)
                self._parts[part.part] = part.value
            else:
                entry = _Entry.model_validate(document | {"reply": spelled_out(document.get("reply"))})
                self.recordings.append(Recording(entry.id, self._whole(entry.request, place), *_played(entry.reply)))
        except ValidationError as error:
            wrong = error.errors(include_url=False)[:3]
            raise self._broken(place, tuple(f"{'.'.join(map(str, e['loc']))}: {e['msg']}" for e in wrong)) from None

    def _whole(self, written: JsonObject, place: int) -> JsonObject:
        """The request with all that it refers to."""
        request = {name: self._part(value, place) for name, value in written.items() if name not in {"after", "items"}}
        items = written.get("items") or []
        if not (isinstance(items, list) and all(isinstance(item, dict) for item in items)):
            raise self._broken(place, Message("cassette-no-items"))
        if (after := written.get("after")) is not None:
            before = next((one for one in self.recordings if one.id == after), None)
            if before is None:
                raise self._broken(place, Message("cassette-no-such-request", after=str(after)))
            items = canonical_items([*before.continued, *items])
        return request | {"items": items}

    def _part(self, value: Any, place: int) -> Any:
        if not (isinstance(value, dict) and value.keys() == {"part"}):
            return value
        if value["part"] not in self._parts:
            raise self._broken(place, Message("cassette-no-such-part", part=str(value["part"])))
        return self._parts[value["part"]]

    def _broken(self, place: int, why: Text | tuple[str, ...]) -> CassetteError:
        return CassetteError.with_hint("cassette-broken-document", path=str(self.path), number=str(place), why=why)


def _reply(recording: Recording) -> JsonObject:
    """The reply as it is written: what follows from its items is left out."""
    reply, derived = recording.reply, _derived(recording.reply.items)
    written = {
        "reasoning": recording.reasoning or None,
        "streamed": recording.streamed if recording.streamed != reply.text else None,
        "text": reply.text if reply.text != derived.text else None,
        "calls": [asdict(call) for call in reply.calls] if reply.calls != derived.calls else None,
        "items": list(reply.items),
        "usage": {name: value for name, value in asdict(reply.usage).items() if value} or None,
        "cut_short": reply.cut_short or None,
    }
    known = {name: value for name, value in written.items() if value is not None}
    return spread(known)  # pyrefly: ignore[no-any-return-explicit]


def _played(written: _Played) -> tuple[Reply, str, str]:
    derived = _derived(written.items)
    calls = derived.calls if written.calls is None else written.calls
    text = derived.text if written.text is None else written.text
    streamed = text if written.streamed is None else written.streamed
    return Reply(text, calls, tuple(written.items), written.usage, written.cut_short), streamed, written.reasoning


def _derived(items: Sequence[JsonObject]) -> Reply:
    """Text and calls as they mostly follow from the items."""
    parts = [part for item in items if item.get("type") == "message" for part in item.get("content") or ()]
    calls = tuple(
        ToolCall(str(item.get("call_id", "")), str(item.get("name", "")), str(item.get("arguments", "")))
        for item in items
        if item.get("type") == "function_call"
    )
    texts = (part.get("text") or part.get("refusal") or "" for part in parts if isinstance(part, Mapping))
    return Reply("".join(map(str, texts)), calls)


def _yaml(document: JsonObject) -> str:
    import yaml

    class Dumper(yaml.SafeDumper):
        def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 - the base class's signature
            return True

    def text(dumper: yaml.SafeDumper, value: str) -> yaml.Node:
        style = '"' if _RARE_BREAK.search(value) else "|" if "\n" in value else None
        return dumper.represent_scalar("tag:yaml.org,2002:str", value, style=style)

    Dumper.add_representer(str, text)
    written: str = yaml.dump(
        document, Dumper=Dumper, sort_keys=False, allow_unicode=True, width=120, explicit_start=True
    )
    return written


def _documents(path: Path, text: str) -> list[Any]:
    import yaml

    base: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    # What a user writes without quotes stays what JSON knows: a date is a text.
    resolvers = {
        first: [(tag, pattern) for tag, pattern in each if tag != "tag:yaml.org,2002:timestamp"]
        for first, each in base.yaml_implicit_resolvers.items()
    }
    loader = type("Loader", (bounded(base, _MOST_VALUES),), {"yaml_implicit_resolvers": resolvers})
    try:
        return [document for document in yaml.load_all(text, Loader=loader) if document is not None]
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        why = getattr(error, "problem", None) or Message("cassette-no-yaml")
        message = Message("cassette-broken", path=str(path), why=why)
        if mark is not None:
            message = Message("cassette-broken-line", path=str(path), line=str(mark.line + 1), why=why)
    raise CassetteError(message, Message("cassette-broken-hint"))
