"""A server that speaks the Responses API and Chat Completions from a script, for tests over a real socket.

    with ScriptedServer([call_turn(("get_chip_summary", {})), text_turn("All is well.")]) as server:
        ...  # point the client at server.base_url
        assert server.requests[1].body["input"][-1]["type"] == "function_call_output"

`turns` builds what one request gets, `chat` says it in chunks, `refusals` are what a server does not take, `strict`
what the strictest do not, `server` plays it. As a process of its own: `python -m tests.scripted_server`.
"""

from .chat import Manner, as_chat
from .refusals import refuses, refuses_format, refuses_streaming
from .server import RecordedRequest, ScriptedServer
from .strict import refuses_a_broken_history, user_texts
from .turns import (
    Call,
    Cut,
    HttpError,
    Pause,
    Raw,
    Refusal,
    Script,
    Text,
    Thought,
    Turn,
    call_turn,
    error_turn,
    failed_turn,
    http_error,
    reply_turn,
    sse,
    text_turn,
    unknown_event,
)

__all__ = [
    "Call",
    "Cut",
    "HttpError",
    "Manner",
    "Pause",
    "Raw",
    "RecordedRequest",
    "Refusal",
    "Script",
    "ScriptedServer",
    "Text",
    "Thought",
    "Turn",
    "as_chat",
    "call_turn",
    "error_turn",
    "failed_turn",
    "http_error",
    "refuses",
    "refuses_a_broken_history",
    "refuses_format",
    "refuses_streaming",
    "reply_turn",
    "sse",
    "text_turn",
    "unknown_event",
    "user_texts",
]
