"""A server that speaks the OpenAI Responses API from a script, for tests over a real socket with the real SDK.

    with ScriptedServer([call_turn(("get_chip_summary", {})), text_turn("All is well.")]) as server:
        ...  # point the client at server.base_url
        assert server.requests[1].body["input"][-1]["type"] == "function_call_output"

`turns` builds what one request gets, `server` plays it. As a process of its own: `python -m tests.scripted_server`.
"""

from .server import RecordedRequest, ScriptedServer
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
    text_turn,
    unknown_event,
)

__all__ = [
    "Call",
    "Cut",
    "HttpError",
    "Pause",
    "Raw",
    "RecordedRequest",
    "Refusal",
    "Script",
    "ScriptedServer",
    "Text",
    "Thought",
    "Turn",
    "call_turn",
    "error_turn",
    "failed_turn",
    "http_error",
    "reply_turn",
    "text_turn",
    "unknown_event",
]
