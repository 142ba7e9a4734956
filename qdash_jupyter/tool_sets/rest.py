"""Tools that are calls of a REST API, as the settings declare them."""

from __future__ import annotations

import json
import keyword
import math
import re
import socket
import threading
from collections.abc import Mapping
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Literal
from urllib.parse import quote, urlsplit

from pydantic import Field, create_model

from qdash_jupyter.config.tool_sets import RestParameterSection, RestToolSection, RestToolSetSection
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.mime import bare_type, is_of
from qdash_jupyter.domain.sizes import size_words
from qdash_jupyter.domain.work import is_abandoned, runs_elsewhere, seconds_left
from qdash_jupyter.errors import BrokenAnswer, InvalidArguments, Refused, Unauthorized, Unreachable
from qdash_jupyter.messages.message import Message, Text, sentences
from qdash_jupyter.tool_sets.authentication import authentication_headers, missing_for
from qdash_jupyter.tool_sets.built import BuiltTools, hard_issue
from qdash_jupyter.tool_sets.declared import declared_spec
from qdash_jupyter.tools.spec import Attachment, ToolArguments, ToolContext, ToolOutput, ToolSpec

if TYPE_CHECKING:
    import httpx2

READING = ("GET", "HEAD", "OPTIONS")
MOST_BYTES = 20_000_000
"""Of an answer."""
_MOST_REDIRECTS = 5
_SAID_CHARS = 300
"""Of a server's own words about an error."""
_TYPES: Mapping[str, Any] = {
    "string": str,
    "number": float,
    "integer": int,
    "boolean": bool,
    "array": list[Any],
    "object": dict[str, Any],
}
_TELL = Message("tell-the-user-hint")
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_TEXT = re.compile(r"text/.*|application/(.+\+)?(json|xml|yaml)|application/(javascript|x-yaml)")


def rest_tools(section: RestToolSetSection, *, write_methods: bool = False) -> BuiltTools:
    """The tools of one API. Nothing is sent, and the client is made at the first call."""
    parts = urlsplit(section.base_url)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment:
        return BuiltTools(issues=(hard_issue(section.name, Message("rest-base-url")),))
    if missing := missing_for(section.authentication):
        return BuiltTools(issues=(hard_issue(section.name, missing),))
    api = _Api(section)
    specs, issues = [], []
    for tool in section.tools:
        if problem := _problem(tool, write_methods=write_methods):
            issues.append(hard_issue(tool.name, problem))
        else:
            specs.append(_spec(api, tool))
    return BuiltTools(tuple(specs), tuple(issues), api.close)


def _problem(tool: RestToolSection, *, write_methods: bool) -> Text:
    """Return why the tool cannot be made; empty where it can."""
    if tool.method not in READING and not write_methods:
        return Message("rest-write-method", method=tool.method)
    for name in tool.parameters:
        if not name.isidentifier() or name.startswith("_") or keyword.iskeyword(name) or hasattr(ToolArguments, name):
            return Message("rest-argument-name", name=name)
    in_path = {name for name, each in tool.parameters.items() if each.place == "path"}
    if in_path != set(_PLACEHOLDER.findall(tool.path)):
        names = tuple(sorted(in_path)) or Message("nothing-at-all")
        return Message("rest-path-arguments", path=tool.path, names=names)
    return ""


def _spec(api: _Api, tool: RestToolSection) -> ToolSpec:
    fields: dict[str, Any] = {
        name: _field(each, is_path=each.place == "path") for name, each in tool.parameters.items()
    }

    def run(arguments: ToolArguments, _: ToolContext) -> ToolOutput:
        return api.call(tool, arguments)

    args = create_model(f"{tool.name}_arguments", __base__=ToolArguments, **fields)
    acts_on = "" if tool.method in READING else f"{tool.method} {api.where}{tool.path}"
    return declared_spec(tool, api.section, args, run, acts_on=acts_on)


def _field(parameter: RestParameterSection, *, is_path: bool) -> tuple[Any, Any]:
    kind = Literal[parameter.enum] if parameter.enum else _TYPES[parameter.type]  # pyrefly: ignore[invalid-literal]
    if parameter.required or (is_path and parameter.default is None):
        return kind, Field(..., description=parameter.description or None)
    if parameter.default is None:
        kind |= None
    return kind, Field(parameter.default, description=parameter.description or None)


class _Api:
    """One server, whose client is made at the first call. Each call has a connection of its own, so that Stop can break
    it off.
    """

    def __init__(self, section: RestToolSetSection) -> None:
        self.section = section
        parts = urlsplit(section.base_url)
        self.where = f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path.rstrip('/')}"
        """Its address without a password."""
        self._client: httpx2.Client | None = None
        self._making = threading.Lock()

    def close(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.close()

    def call(self, tool: RestToolSection, arguments: ToolArguments) -> ToolOutput:
        """Make the call; blocks.

        Raises:
            ToolError: the server is not there, refuses, or answers with something that cannot be used.
            httpx2.TimeoutException: it is too slow.
        """
        import httpx2

        path, query, body = _placed(tool, arguments)
        url = httpx2.URL(self.section.base_url.rstrip("/") + path)
        url = url.copy_merge_params(query)
        secret = authentication_headers(self.section.authentication)
        headers = {**self.section.headers, **tool.headers, **secret}
        failure: Unreachable | Refused
        try:
            client = self._opened()
            left = seconds_left()
            timeout = client.timeout if math.isinf(left) else httpx2.Timeout(max(left, 0.001))
            request = client.build_request(tool.method, url, headers=headers, json=body, timeout=timeout)
            response, body = self._answer(client, request)
        except httpx2.TimeoutException:
            raise
        except (httpx2.TransportError, httpx2.DecodingError) as error:
            message = Message("rest-no-answer", server=self.where, why=str(error) or type(error).__name__)
            failure = Unreachable(message, Message("try-later-or-tell-hint"))
        except (httpx2.HTTPError, httpx2.InvalidURL, ValueError) as error:  # a header that cannot be sent
            failure = Refused(Message("rest-request", server=self.where, why=str(error)), _TELL)
        else:
            self._check(response, body)
            return _output(tool, response, body)
        raise failure

    def _opened(self) -> httpx2.Client:
        import httpx2

        with self._making:
            if self._client is None:
                self._client = httpx2.Client(limits=httpx2.Limits(max_keepalive_connections=0))
            return self._client

    def _answer(self, client: httpx2.Client, request: httpx2.Request) -> tuple[httpx2.Response, bytes]:
        """What the server says, after redirects: to another origin nothing of ours goes along."""
        origin = _origin(request.url)
        connection = _Connection()
        with runs_elsewhere(self.where, connection.break_off):
            for _ in range(_MOST_REDIRECTS + 1):
                request.extensions = {**request.extensions, "trace": connection.trace}
                response = client.send(request, stream=True)
                try:
                    following = response.next_request
                    if following is None:
                        return response, _read(response)
                finally:
                    response.close()
                if following.method not in READING:
                    break  # the user allowed it for the other address
                if _origin(following.url) != origin:
                    accept = following.headers.get("accept", "*/*")
                    following = client.build_request(following.method, following.url, headers={"accept": accept})
                following.extensions = {"timeout": request.extensions.get("timeout", {})}
                request = following
        raise Refused(Message("rest-redirects", server=self.where), _TELL)

    def _check(self, response: httpx2.Response, body: bytes) -> None:
        if response.status_code < 400:  # noqa: PLR2004 - HTTP
            return
        said = " ".join(body[: 4 * _SAID_CHARS].decode("utf-8", "replace").split())[:_SAID_CHARS]
        reason = Message("server-said", words=said) if said and "html" not in _mime(response) else ""
        if response.status_code == 401:  # noqa: PLR2004 - HTTP
            raise Unauthorized(sentences(Message("rest-unauthorized", server=self.where), reason), _TELL)
        message = sentences(Message("rest-status", server=self.where, status=str(response.status_code)), reason)
        hint = Message("correct-arguments-hint") if response.is_client_error else Message("try-later-hint")
        raise Refused(message, hint)


class _Connection:
    """The socket of a call, known as soon as there is one."""

    def __init__(self) -> None:
        self._socket: socket.socket | None = None

    def trace(self, event: str, info: Mapping[str, Any]) -> None:
        stream: Any = info.get("return_value")
        if event.endswith(".complete") and hasattr(stream, "get_extra_info"):
            self._socket = stream.get_extra_info("socket")

    def break_off(self) -> None:
        with suppress(OSError, AttributeError):  # it has ended by itself, or not begun
            self._socket.shutdown(socket.SHUT_RDWR)  # pyrefly: ignore[missing-attribute]


def _read(response: httpx2.Response) -> bytes:
    body = bytearray()
    for chunk in response.iter_bytes():
        body += chunk
        if len(body) > MOST_BYTES:
            raise BrokenAnswer(Message("answer-too-large", size=size_words(MOST_BYTES)), Message("ask-for-less-hint"))
        if seconds_left() <= 0:
            raise TimeoutError
        if is_abandoned():
            break
    return bytes(body)


def _placed(tool: RestToolSection, arguments: ToolArguments) -> tuple[str, dict[str, Any], JsonObject | None]:
    """The path, the query and the body that the arguments make."""
    in_path: dict[str, str] = {}
    query: dict[str, Any] = {}
    body: JsonObject = {}
    for name, parameter in tool.parameters.items():
        value = getattr(arguments, name)
        if value is None:
            continue
        if parameter.place == "path":
            in_path[name] = _segment(name, value)
        elif parameter.place == "query":
            query[parameter.name or name] = [_word(each) for each in value] if isinstance(value, list) else _word(value)
        else:
            body[parameter.name or name] = value
    path = _PLACEHOLDER.sub(lambda found: in_path[found[1]], tool.path)
    has_body = any(parameter.place == "body" for parameter in tool.parameters.values())
    return f"/{path.lstrip('/')}" if path else "", query, body if has_body else None


def _segment(name: str, value: object) -> str:
    """One part of a path, which leads nowhere else."""
    word = _word(value)
    if word.strip() in {"", ".", ".."}:
        raise InvalidArguments.with_hint("rest-path-part", name=name, value=word)
    return quote(word, safe="")


def _word(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _output(tool: RestToolSection, response: httpx2.Response, body: bytes) -> ToolOutput:
    if tool.method in {"HEAD", "OPTIONS"} and not body:
        headers = {name: value for name, value in response.headers.items() if name.lower() != "set-cookie"}
        return ToolOutput(content={"status": response.status_code, "headers": headers})
    wanted, mime = tool.response_as_attachment, _mime(response)
    if not (wanted.enabled and is_of(mime, wanted.content_types)):
        return ToolOutput(content=_content(response, body))
    content = _content(response, body) if wanted.include_body_as_content else None
    return ToolOutput(content=content, attachment=Attachment(tool.name, bare_type(mime), body))


def _mime(response: httpx2.Response) -> str:
    return str(response.headers.get("content-type", ""))


def _content(response: httpx2.Response, body: bytes) -> JsonObject:
    """The body as the model reads it."""
    mime = bare_type(_mime(response))
    if not body:
        return {"status": response.status_code}
    if mime and not _TEXT.fullmatch(mime):
        raise BrokenAnswer.with_hint("answer-not-text", type=mime)
    text = body.decode("utf-8", "replace")
    if mime != "application/json" and not mime.endswith("+json"):
        return {"text": text}
    try:
        return {"answer": json.loads(text)}
    except (ValueError, RecursionError) as error:
        raise BrokenAnswer(Message("answer-not-json", why=str(error)), _TELL) from None


def _origin(url: Any) -> tuple[str, str, int | None]:
    return url.scheme, url.host, url.port
