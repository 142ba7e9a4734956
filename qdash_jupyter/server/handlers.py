"""The addresses of the service, behind the server's own authentication, XSRF protection and authorizer."""

from __future__ import annotations

import asyncio
import contextlib
import getpass
import os
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from http.client import responses
from importlib.resources import files
from typing import Any, TypeVar

from jupyter_server.auth.decorator import allow_unauthenticated, authorized
from jupyter_server.auth.identity import IdentityProvider, LegacyIdentityProvider, PasswordIdentityProvider
from jupyter_server.base.handlers import APIHandler, JupyterHandler
from jupyter_server.utils import url_path_join
from pydantic import BaseModel, ValidationError
from tornado import web
from tornado.iostream import StreamClosedError
from tornado.web import Application

from qdash_jupyter.config.schema import manifest_schema
from qdash_jupyter.domain.answer import JsonObject
from qdash_jupyter.domain.compact import to_json
from qdash_jupyter.errors import PersonError
from qdash_jupyter.server.lowered import in_one_piece
from qdash_jupyter.server.requests import (
    AnalyzeRequest,
    CancelRequest,
    ChatRequest,
    NewSession,
    ReplyRequest,
    SessionBody,
    StreamRequest,
    ValidateRequest,
)
from qdash_jupyter.server.service import CopilotService
from qdash_jupyter.server.settings import checked, described
from qdash_jupyter.server.stream import AnalysisStream, ChatStream, ReplyStream, Stream
from qdash_jupyter.tools.background import in_background

BASE = "qdash/copilot"
_HEADERS = "accept, content-type, authorization, x-xsrftoken, x-project-id, x-username"
_WITHOUT_NAMES = {IdentityProvider, PasswordIdentityProvider, LegacyIdentityProvider}
MOST_BODY_BYTES = 16 * 1024 * 1024
_MOST_SILENCE_S = 60.0
"""A client that takes nothing for so long is gone."""

Body = TypeVar("Body", bound=BaseModel)
Does = Callable[..., Awaitable[None]]
"""Answers a request to a handler, with the ids in its address."""


def add_handlers(application: Application, service: CopilotService) -> None:
    """Serve the copilot below `qdash/copilot` of this application, and issues beside it, too, where QDash has them."""
    base = url_path_join(application.settings["base_url"], BASE)
    issues = rf"{base.removesuffix('/copilot')}(?:/copilot)?/issues"
    static = {"path": str(files("qdash_jupyter.server") / "static")}

    def address(path: str, kind: type[CopilotHandler] = CopilotHandler, **does: Does) -> tuple[Any, ...]:
        return path, kind, {"service": service, "does": does}

    handlers: list[tuple[Any, ...]] = [
        address(rf"{base}/chat/stream", StreamHandler, post=_chat),
        address(rf"{base}/analyze/stream", StreamHandler, post=_analyze),
        address(rf"{base}/analyze", StreamHandler, post=_analyze_once),
        address(rf"{issues}/([^/]+)/ai-reply/stream", StreamHandler, post=_reply_to_issue),
        address(rf"{issues}/([^/]+)/ai-replies", get=_replies),
        address(rf"{base}/cancel", post=_cancel),
        address(rf"{base}/config", get=_config),
        address(rf"{base}/config/schema", get=_schema),
        address(rf"{base}/config/validate", post=_validate),
        address(rf"{base}/chat/sessions", get=_sessions, post=_keep_session),
        address(rf"{base}/chat/sessions/([^/]+)", get=_session, patch=_change_session, delete=_forget_session),
        (rf"{base}/(plotly\.min\.js)", PageHandler, {"path": str(files("plotly") / "package_data")}),
        (rf"{base}/(example\.html|client\.js)", PageHandler, static),
    ]
    application.add_handlers(".*$", handlers)


class PageHandler(JupyterHandler, web.StaticFileHandler):
    """The example page, and what it loads."""

    auth_resource = "qdash_copilot"

    @web.authenticated
    @authorized
    async def get(self, path: str, include_body: bool = True) -> None:  # pyrefly: ignore[bad-override]
        """A file, and the cookie of the token that its requests have to send back."""
        _ = self.xsrf_token
        await web.StaticFileHandler.get(self, path, include_body)


@web.stream_request_body
class CopilotHandler(APIHandler):
    """What all addresses share, each of which `does` something by some methods. A request without a user is refused
    before its body is read.
    """

    auth_resource = "qdash_copilot"

    def initialize(self, service: CopilotService, does: Mapping[str, Does]) -> None:
        """Called by the application."""
        self.service = service
        self._does = does
        self._body = bytearray()

    async def _do(self, *ids: str) -> None:
        does = self._does.get(str(self.request.method).lower())
        if does is None:
            raise web.HTTPError(405)
        await does(self, *ids)

    # Each by itself: the decorator keeps the action of the first request for all that come after it.
    get, post = web.authenticated(authorized(_do)), web.authenticated(authorized(_do))
    patch, delete = web.authenticated(authorized(_do)), web.authenticated(authorized(_do))

    async def prepare(self) -> None:
        """Refuse those without a user, and bodies that are too large."""
        await super().prepare()
        if not self.current_user and self.request.method != "OPTIONS":  # a browser's, before it asks another origin
            raise web.HTTPError(403)
        length = self.request.headers.get("Content-Length") or "0"
        if not length.isdecimal():
            raise web.HTTPError(400, "Content-Length has to be a number.")
        self._check_size(int(length))

    @allow_unauthenticated
    def options(self, *args: Any, **kwargs: Any) -> None:
        """A page of another origin asks whether it may send QDash's headers."""
        super().options(*args, **kwargs)
        self.set_header("Access-Control-Allow-Headers", _HEADERS)

    def data_received(self, chunk: bytes) -> None:
        """A part of the body."""
        self._body += chunk
        self._check_size(len(self._body))

    def _check_size(self, size: int) -> None:
        if size > MOST_BODY_BYTES:
            raise web.HTTPError(413, f"The request has more than {MOST_BODY_BYTES // 1024**2} MB.")

    @property
    def username(self) -> str:
        """Whose sessions these are. A server with one token for all knows no names, and makes up another one for each
        client: whoever has the token is the user that it runs as.
        """
        if type(self.identity_provider) in _WITHOUT_NAMES:
            try:
                return getpass.getuser()
            except (KeyError, OSError):  # a container whose user has no name
                return "user"
        name: str = self.current_user.username
        return name

    def asked(self, model: type[Body]) -> Body:
        """The body of the request; its project is the header's, where it names none, as in QDash.

        Raises:
            HTTPError: 400, with all that is wrong with it.
        """
        try:
            body = model.model_validate_json(bytes(self._body) or b"{}")
        except ValidationError as error:
            raise _WrongRequest(error) from None
        if isinstance(body, StreamRequest) and not body.project_id:
            body.project_id = self.request.headers.get("X-Project-Id") or None
        return body

    def reply(self, data: Any) -> None:
        """Answer with JSON."""
        self.finish(to_json(data))

    def write_error(self, status_code: int, **kwargs: Any) -> None:
        """Errors are JSON: `detail`, which QDash's page shows as it is, and of a wrong request `violations`."""
        error = (kwargs.get("exc_info") or (None, None))[1]
        self.set_header("Connection", "close")  # as Tornado does where the body was not read
        detail = responses.get(status_code, "Error")
        if isinstance(error, PersonError):
            self.set_status(503)
            detail = str(error)
        elif isinstance(error, web.HTTPError) and error.log_message:
            detail = error.log_message % error.args
        violations = {"violations": error.violations} if isinstance(error, _WrongRequest) else {}
        self.finish(to_json({"detail": detail} | violations))

    def log_exception(self, typ: Any, value: Any, tb: Any) -> None:
        """What the client reads needs no traceback."""
        if isinstance(value, PersonError):
            self.log.warning("%s %s: %s", self.request.method, self.request.path, value)
        else:
            super().log_exception(typ, value, tb)


class _WrongRequest(web.HTTPError):
    """All that is wrong with a body."""

    def __init__(self, error: ValidationError) -> None:
        found = error.errors(include_url=False, include_context=False, include_input=False)
        self.violations = [
            ": ".join([*map(str, each["loc"]), each["msg"].removeprefix("Value error, ")]) for each in found
        ]
        super().__init__(400, "The request is not right: %s", "; ".join(self.violations))


class StreamHandler(CopilotHandler):
    """An answer in events."""

    _stream: Stream[Any] | None = None

    def _begin(self, stream: Stream[Any]) -> AsyncGenerator[str]:
        self._stream = stream
        if self.service.is_full:
            raise web.HTTPError(503, "The service answers as many questions as it may. Ask again in a moment.")
        return stream.events()

    async def outcome(self, stream: Stream[Any]) -> JsonObject:
        """What the stream says at last.

        Raises:
            HTTPError: it has no answer.
        """
        async for _ in self._begin(stream):
            pass
        if "detail" in stream.outcome:
            raise web.HTTPError(500, "%s", stream.outcome["detail"])
        return stream.outcome

    async def send(self, stream: Stream[Any]) -> None:
        """Send the stream until its end, or until the client has gone."""
        events = self._begin(stream)
        self.set_header("Content-Type", "text/event-stream")
        self.set_header("Cache-Control", "no-cache")
        self.set_header("X-Accel-Buffering", "no")
        try:
            async for text in events:
                self.write(text)
                await asyncio.wait_for(self.flush(), _MOST_SILENCE_S)
        except (StreamClosedError, TimeoutError):
            self.detach().close()
            return
        finally:
            await events.aclose()
        with contextlib.suppress(StreamClosedError):
            self.finish(set_content_type="text/event-stream")

    def on_connection_close(self) -> None:
        """The client has gone: nobody wants the answer any more."""
        if self._stream is not None:
            self._stream.cancel()
        super().on_connection_close()


async def _chat(handler: StreamHandler) -> None:
    """Answer a question."""
    await handler.send(ChatStream(handler.service, handler.asked(ChatRequest), handler.username))


async def _analyze(handler: StreamHandler) -> None:
    """Judge a result."""
    await handler.send(AnalysisStream(handler.service, handler.asked(AnalyzeRequest), handler.username))


async def _analyze_once(handler: StreamHandler) -> None:
    """The same in one piece: the result with the fields that it had before there were blocks."""
    stream = AnalysisStream(handler.service, handler.asked(AnalyzeRequest), handler.username)
    handler.reply(in_one_piece(await handler.outcome(stream)))


async def _reply_to_issue(handler: StreamHandler, issue_id: str) -> None:
    await handler.send(ReplyStream(handler.service, handler.asked(ReplyRequest), handler.username, issue_id))


async def _replies(handler: CopilotHandler, issue_id: str) -> None:
    """The replies that are kept here."""
    found = await in_background(lambda: handler.service.kept.replies(issue_id), "qdash-kept")
    replies = [{"content": each.content, "username": each.by, "created_at": each.at} for each in found]
    handler.reply({"replies": replies})


async def _cancel(handler: CopilotHandler) -> None:
    """End a stream; it then sends what there is."""
    request_id = handler.asked(CancelRequest).request_id
    if not handler.service.cancel(request_id):
        raise web.HTTPError(404, f"No stream of the id {request_id!r} is running.")
    handler.reply({"cancelled": request_id})


async def _config(handler: CopilotHandler) -> None:
    """What is in use, without secrets."""
    parts = await handler.service.opened()
    handler.reply(await in_background(lambda: described(parts, handler.service), "qdash-status"))


async def _schema(handler: CopilotHandler) -> None:
    """The JSON Schema of copilot.yaml."""
    handler.reply(manifest_schema(os.environ))


async def _validate(handler: CopilotHandler) -> None:
    """All that is wrong with settings; nothing is changed."""
    asked = handler.asked(ValidateRequest)
    handler.reply(await in_background(lambda: checked(asked), "qdash-check"))


async def _sessions(handler: CopilotHandler) -> None:
    """The user's sessions, newest first, without their messages."""
    found = await in_background(lambda: handler.service.kept.sessions(handler.username), "qdash-kept")
    handler.reply({"sessions": found})


async def _keep_session(handler: CopilotHandler) -> None:
    """Keep one as it is sent, in place of what it was before."""
    sent, username, kept = handler.asked(NewSession).model_dump(), handler.username, handler.service.kept
    await in_background(lambda: kept.put(username, sent["session_id"], sent), "qdash-kept")
    await _session(handler, sent["session_id"])


async def _session(handler: CopilotHandler, session_id: str) -> None:
    """One with its messages."""
    found = await in_background(lambda: handler.service.kept.session(handler.username, session_id), "qdash-kept")
    if found is None:
        raise web.HTTPError(404, f"There is no session {session_id!r}.")
    handler.reply(found)


async def _change_session(handler: CopilotHandler, session_id: str) -> None:
    """Change what is sent of it, and keep the rest."""
    body, username, kept = handler.asked(SessionBody), handler.username, handler.service.kept
    sent = body.model_dump(include=body.model_fields_set)
    await in_background(lambda: kept.change(username, session_id, sent), "qdash-kept")
    await _session(handler, session_id)


async def _forget_session(handler: CopilotHandler, session_id: str) -> None:
    if not await in_background(lambda: handler.service.kept.delete(handler.username, session_id), "qdash-kept"):
        raise web.HTTPError(404, f"There is no session {session_id!r}.")
    handler.set_status(204)
    handler.finish()
