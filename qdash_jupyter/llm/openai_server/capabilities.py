"""What one server turned out not to take for one model: learned once, remembered for a week, shown to the user."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from threading import Lock
from typing import Any, Literal, TypeAlias

from qdash_jupyter.config.disk import go_on_without, keep_json, kept_json, user_folder
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.llm.openai_server.endpoint import endpoint_of
from qdash_jupyter.llm.openai_server.failures import API_NAMES, ApiStyle
from qdash_jupyter.messages.message import Message, Text, all_of

AnswerFormat: TypeAlias = Literal["json_schema", "json_object", "none"]
"""How a Chat Completions server can be held to the schema of an answer, from the strictest on."""

REMEMBERED_FOR = timedelta(days=7)
"""After that a server is asked for everything again: it may have been mended."""

_ABOUT = "What model servers turned out not to take. Written by qdash_jupyter; deleting it makes it ask them again."
_WRITING = Lock()


@dataclass(frozen=True, slots=True)
class Learned:
    """What is known of a server and model; the defaults are those of a server that takes everything."""

    api_style: ApiStyle = "responses"
    left_out: tuple[str, ...] = ()
    """Parameters that it refused."""
    answer_format: AnswerFormat = "json_schema"
    tools: bool = True
    streaming: bool = True
    structured_calls: bool = False
    """Whether it ever sent a tool call as one."""
    written_calls: bool = False
    """Whether it wrote a tool call as JSON in its text."""
    reasons: bool = False
    """Whether the model ever sent reasoning: then a summary of it is asked for."""
    since: datetime | None = None
    """When the first of this was learned."""

    def without(self, parameter: str) -> JsonObject:
        """What changes when the server has refused a parameter."""
        return {"left_out": tuple(sorted({*self.left_out, parameter}))}


class Capabilities:
    """What is known of one model at one base URL. Writing to disk may fail: then it is known to this kernel alone."""

    def __init__(
        self,
        base_url: str | None,
        model: str,
        file: Path | None = None,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        """Read what `file` knows; without a file nothing is kept.

        Raises:
            ConfigurationError: `base_url` is no URL.
        """
        endpoint = endpoint_of(base_url)
        # The path of a base URL may hold a key, so the file has a digest of it.
        digest = hashlib.sha256(endpoint.url.encode()).hexdigest()[:8]
        self._name = f"{endpoint.shown} {digest} {model}"
        self._file = file
        self._now = now
        self._known = _learned(_read(file).get(self._name)) if file is not None else Learned()

    @property
    def known(self) -> Learned:
        """What is known, if it is no older than a week."""
        if self._known.since is not None and not self._is_fresh(self._known.since):
            self._known = Learned()
        return self._known

    @property
    def in_words(self) -> Text:
        """What the screen says of it; empty where the server takes everything so far."""
        known = self.known
        said: tuple[Text, ...] = (
            *((API_NAMES[known.api_style],) if known.api_style != "responses" else ()),
            *((Message("server-without", names=all_of(known.left_out)),) if known.left_out else ()),
            *(() if known.tools else (Message("server-no-tools"),)),
            *(() if known.answer_format == "json_schema" else (_FORMATS[known.answer_format],)),
            *(() if known.streaming else (Message("server-no-streaming"),)),
            *((Message("server-writes-calls"),) if known.written_calls else ()),
        )
        return Message("server-learned", said=said, day=f"{known.since:%Y-%m-%d}") if said and known.since else ""

    async def learn(self, **changes: Any) -> None:
        """Take in values of `Learned`, and write them down where they are new."""
        known = self.known
        learned = replace(known, **changes)
        if learned != known:
            self._known = replace(learned, since=known.since or self._now())
            await asyncio.to_thread(self._write)

    def _is_fresh(self, since: datetime) -> bool:
        return abs(self._now() - since) < REMEMBERED_FOR

    def _write(self) -> None:
        """Put our entry beside those of others, which may have been written meanwhile; those out of date go."""
        if self._file is None:
            return
        with _WRITING:
            servers = {
                name: entry
                for name, entry in _read(self._file).items()
                if (since := _learned(entry).since) is not None and self._is_fresh(since)
            }
            usual, known = asdict(Learned()), asdict(self._known)
            own = {name: value for name, value in known.items() if value != usual[name]}
            servers[self._name] = own | {"since": (self._known.since or self._now()).isoformat()}
            try:
                keep_json(self._file, {"about": _ABOUT, "servers": servers})
            except OSError as error:
                go_on_without(Message("known-of-model-server"), self._file, error)


_FORMATS: dict[AnswerFormat, Message] = {
    "json_object": Message("server-no-schema"),
    "none": Message("server-no-format"),
}


def capabilities_file() -> Path:
    """Where it is remembered: in the user's cache folder."""
    return user_folder("cache") / "model-servers.json"


def _read(file: Path) -> Mapping[str, Any]:
    """The entries of the file; none where it is missing or is no such file."""
    read = kept_json(file)
    servers = read.get("servers") if isinstance(read, dict) else None
    return servers if isinstance(servers, dict) else {}


def _learned(entry: Any) -> Learned:
    """The entry of a file that somebody may have edited: one that does not fit, or does not say how old it is, counts
    as nothing known.
    """
    from pydantic import TypeAdapter, ValidationError

    try:
        learned = TypeAdapter(Learned).validate_json(json.dumps(entry), strict=True)
    except ValidationError:
        return Learned()
    return learned if learned.since is not None and learned.since.tzinfo is not None else Learned()
