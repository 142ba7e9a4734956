"""Every kind of failure of a model's server, what the person then sees, and what stays of the turn.

`test_failure_table.py` plays each of them; `docs/failures.md` is made of them by `scripts/failures_page.py`.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from tests.scripted_server import (
    Call,
    Cut,
    HttpError,
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
from tests.session import ways
from tests.session.ways import Way

KEY = "sk-proj-Abc123def456ghi789"
MODEL = "lab-model"
AT_ONCE = {"retry-after-ms": "1"}
TIMEOUT_S = 1
ANSWER = "All is well."
TOLD = "Nothing: the model is told, and goes on."
OK = text_turn(ANSWER)
LOOK = call_turn(("get_chip_summary", {}))
CALLED = ("message", "function_call", "function_call_output")
ANSWERED = ("message", "message")
HUGE = ("T1 " * 700_000).strip()
UNENDING = "[" * 20_000


@dataclass(frozen=True)
class Failure:
    """One row.

    `turns` are what the server answers to the question, request by request; or `way` is why nobody gets there. `shown`
    and `hint` are what the person reads, with names in braces for what differs from lab to lab; where there is no
    `kind` of error, `shown` is the answer, and `hint` is only in the documentation. `left` are the types of the items
    that the turn leaves in the conversation.
    """

    what: str
    turns: tuple[Turn, ...]
    shown: str = ANSWER
    hint: str = ""
    kind: str = ""
    left: tuple[str, ...] = ("message",)
    way: Way | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    earlier: tuple[Turn, ...] = ()
    """The answer to a question before."""


def refused(status: int, what: str, shown: str, hint: str, kind: str, *, said: str = "No.", **error: Any) -> Failure:
    """A row in which the server answers with this status, as often as the SDK asks."""
    headers = error.setdefault("headers", AT_ONCE)
    is_repeated = status in {408, 409, 429} or status >= 500
    tries = 3 if is_repeated and headers.get("retry-after") != "3600" else 1
    return Failure(what, (http_error(status, said, **error),) * tries, shown, hint, kind)


def unreached(what: str, way: Way, hint: str = "Start the server, or correct the base URL.") -> Failure:
    """A row in which no request arrives."""
    return Failure(what, (), "No language model responds at {address}.{why}", hint, "ModelUnreachable", way=way)


def broken(what: str, *turns: Turn) -> Failure:
    """A row in which the connection ends too early."""
    return Failure(what, turns, "The connection to {address} broke during the answer.", "Ask again.", "ModelBroken")


def garbled(what: str, data: bytes) -> Failure:
    """A row in whose stream something stands that is no event."""
    shown = "{host} sent data that isn't an event of the {api}."
    hint = "Check that the server at the base URL supports the {api}."
    return Failure(what, streamed(data), shown, hint, "ModelBroken")


def silent(what: str, *turns: Turn, way: Way | None = None) -> Failure:
    """A row in which nothing comes for longer than the settings allow."""
    shown = "The language model at {address} sent nothing for {timeout} s."
    hint = "It may be busy or still loading. Try again, or raise the model's `timeout_seconds`."
    return Failure(what, turns, shown, hint, "ModelTimedOut", way=way, settings={"timeout_seconds": TIMEOUT_S})


def called(what: str, calls: Script, number: int = 1, hint: str = TOLD) -> Failure:
    """A row in which the model calls tools, gets something for each call, and answers."""
    outputs = ["function_call"] * number + ["function_call_output"] * number
    return Failure(what, (calls, OK), hint=hint, left=("message", *outputs, "message"))


def streamed(*steps: bytes) -> tuple[Turn, ...]:
    """An answer in whose stream these bytes stand after its first event."""
    return (OK.with_step(1, *map(Raw, steps)),)


# What a server may send that has the right type, and not what belongs to it.
_ODD = (
    *(sse(kind, json.dumps({"type": kind})) for kind in ("response.output_text.delta", "response.output_item.done")),
    sse("response.output_text.delta", '{"type": "response.output_text.delta", "delta": 7}'),
    sse("response.output_item.done", '{"type": "response.output_item.done", "item": "a text"}'),
    b"data: [1, 2]\n\ndata: 7\n\n: a comment\n\n",
    b'data: {"choices": [null]}\n\ndata: {"choices": {"a": 1}}\n\ndata: {"choices": [{"delta": {"content": 7}}]}\n\n',
)

_SAID = ' The server says: "{said}"'
_URL_HINT = "Check the base URL. It usually ends with /v1."
_TOO_LONG = http_error(400, "No.", code="context_length_exceeded")
_DIGEST = "Nothing: older questions go out as a digest from then on."
_ALL_RUN = "Nothing: all of them run."
_EMPTY = "The model returned an empty answer. Ask again, or rephrase the question."
_AT_LIMIT = (
    "The answer stops here: the model reached its output-token limit (`max_output_tokens`). Ask for the rest, or "
    "raise the limit."
)
_FILTERED = "The answer stops here: the content filter of the model server blocked the rest. Rephrase the question."

SECTIONS: Mapping[str, tuple[Failure, ...]] = {
    "The server refuses": (
        refused(
            401,
            "a wrong key (401)",
            "{host} doesn't accept the key.",
            "Check {key_name}.",
            "ModelRefused",
            said=f"Incorrect API key provided: {KEY}.",
            code="invalid_api_key",
        ),
        replace(
            refused(
                401,
                "no key, and the server wants one (401)",
                "{host} requires a key.",
                "Set {key_name}.",
                "ModelRefused",
            ),
            settings={"api_key_env": "LAB_KEY"},
        ),
        refused(
            403,
            "the key may not do this (403)",
            f"{{host}} denies access.{_SAID}",
            "Check the permissions of the key in {key_name}, and whether they include {model}.",
            "ModelRefused",
        ),
        refused(
            404,
            "a wrong address, or a server without this API (404)",
            f"{{host}} has no {{api}} at this address (HTTP status 404).{_SAID}",
            _URL_HINT,
            "NoSuchApi",
        ),
        refused(
            404,
            "a model that the server does not have (404)",
            "{host} has no model '{model}', or the key doesn't allow it.",
            "Check the model's name.",
            "ModelRejected",
            said=f"The model `{MODEL}` does not exist.",
            code="model_not_found",
        ),
        refused(
            404,
            "the same, where the server says so in words alone (404)",
            "{host} has no model '{model}', or the key doesn't allow it.",
            "Check the model's name.",
            "ModelRejected",
            said=f'model "{MODEL}" not found, try pulling it first',
        ),
        refused(
            400,
            "a request that the server does not take (400)",
            f"{{host}} rejects the request (HTTP status 400).{_SAID}",
            "Check the model's settings, or start a new conversation.",
            "ModelRejected",
        ),
        refused(
            422,
            "a value that the server does not take (422)",
            f"{{host}} rejects the request (HTTP status 422).{_SAID}",
            "Check the model's settings for the parameter `seed`, or start a new conversation.",
            "ModelRejected",
            param="seed",
        ),
    ),
    "The server fails, each of three times": (
        *(
            refused(
                status,
                f"{what} ({status})",
                f"{{host}} failed with HTTP status {status}.{_SAID}",
                "Try again in a moment.",
                "ModelBroken",
            )
            for status, what in {
                408: "it waited too long for the request",
                409: "the model is in use, or being loaded",
                500: "a mistake of the server's own",
                503: "it starts, or has too much to do",
                529: "it has too much to do",
            }.items()
        ),
        Failure(
            "a gateway with nobody behind it (502)",
            (HttpError(502, "<html><h1>Bad gateway</h1></html>", AT_ONCE),) * 3,
            "{host} failed with HTTP status 502.",
            "Try again in a moment.",
            "ModelBroken",
        ),
        Failure(
            "twice, and then it answers",
            (http_error(429, "No.", headers=AT_ONCE), http_error(500, "No.", headers=AT_ONCE), OK),
            left=ANSWERED,
        ),
    ),
    "Too much is asked": (
        *(
            refused(
                429,
                f"too many requests{more} (429)",
                f"{{host}} received too many requests.{_SAID}",
                hint,
                "ModelRateLimited",
                headers=headers,
            )
            for more, headers, hint in (
                ("", {}, "Wait a little, then ask again."),
                (", with a time to wait", {"retry-after": "0.01"}, "Try again in {wait}."),
                (", with a time in milliseconds", {"retry-after-ms": "10"}, "Try again in {wait}."),
                (", with a time that nobody waits", {"retry-after": "3600"}, "Try again in 3,600 s."),
            )
        ),
        refused(
            429,
            "the quota is used up (429)",
            "The account at {host} has no quota left.",
            "Waiting doesn't help. Check the plan and billing, or use another model.",
            "ModelRateLimited",
            code="insufficient_quota",
        ),
        Failure(
            "the conversation is longer than the model's window, and has older questions",
            (_TOO_LONG, OK),
            hint=_DIGEST,
            left=ANSWERED,
            earlier=(OK,),
        ),
        Failure(
            "the same, reported within the stream",
            (error_turn("No.", "context_length_exceeded"), OK),
            hint=_DIGEST,
            left=ANSWERED,
            earlier=(OK,),
        ),
        *(
            Failure(
                f"{what} longer than the window",
                turns,
                f"The conversation is too long for {{model}}.{_SAID}",
                "Ask for less at once, or start a new conversation. Fetched data is kept in `copilot.data`.",
                "ModelContextExceeded",
                earlier=earlier,
            )
            for what, turns, earlier in (
                ("with that digest it is still", (_TOO_LONG, _TOO_LONG), (OK,)),
                ("one question, with what was fetched for it, is", (_TOO_LONG,), ()),
            )
        ),
    ),
    "Nobody answers": (
        unreached("no server at this port", ways.CLOSED),
        unreached("the connection is reset", ways.RESET),
        unreached("something that is no web server", ways.NOT_HTTP),
        unreached(
            "a name that nobody knows",
            ways.NO_SUCH_NAME,
            "Check the base URL and the network. You may need a proxy or a VPN.",
        ),
        unreached(
            "a certificate of an unknown authority",
            ways.UNKNOWN_CERTIFICATE,
            "SSL_CERT_FILE is set, but no authority in its file has signed this server's certificate. "
            "Add the one that did, and restart the kernel.",
        ),
        silent("silence before the answer", way=ways.SILENT),
        silent("silence within the answer", OK.stalled(60, after=3)),
    ),
    "The stream breaks, or is none": (
        Failure(
            "the connection breaks before the first word",
            (OK.cut_after(2), OK),
            hint="Nothing: the model is asked once more.",
            left=ANSWERED,
        ),
        broken("it breaks before the first word, twice", OK.cut_after(2), OK.cut_after(1)),
        broken("it breaks within the answer", OK.cut_after(3)),
        broken("it breaks within an event", OK.first(3).with_step(3, Raw(b'data: {"type": "resp'), Cut())),
        broken("the stream ends without its last event", OK.first(3)),
        Failure(
            "the connection breaks within a tool call",
            (LOOK.cut_after(3), LOOK, OK),
            hint="Nothing: the model is asked once more. A half call never runs.",
            left=(*CALLED, "message"),
        ),
        garbled("a line that is no JSON", b'data: {"type": "resp\n\n'),
        garbled("a line that is no UTF-8", b"data: \xff\xfe\n\n"),
        garbled("brackets without end", b"data: " + UNENDING.encode() + b"\n\n"),
        replace(broken("a stream that is not compressed as it says"), way=ways.NOT_COMPRESSED),
        Failure("events that nobody knows", streamed(unknown_event().data), left=ANSWERED),
        Failure("events that lack what belongs to them", streamed(*_ODD), left=ANSWERED),
        Failure(
            "a failure that is reported within the stream",
            (failed_turn(f"The GPU of {KEY} caught fire."),),
            '{host} reported an error during the answer. The server says: "The GPU of [hidden] caught fire."',
            "Ask again.",
            "ModelBroken",
        ),
        Failure(
            "the same, in an event of its own",
            (error_turn("Out of memory."),),
            '{host} reported an error during the answer. The server says: "Out of memory."',
            "Ask again.",
            "ModelBroken",
        ),
        Failure(
            "a web page",
            (Script((Raw(b"<html>Welcome</html>"),), "text/html"),) * 2,
            "{host} sent text/html instead of a stream of events.",
            _URL_HINT,
            "ModelBroken",
        ),
    ),
    "The answer is none, or not whole": (
        Failure("nothing", (reply_turn(),), _EMPTY),
        Failure("reasoning, and nothing behind it", (reply_turn(Thought("gAAA", ["Hm."])),), _EMPTY),
        Failure("a call of a tool without a name", (reply_turn(Thought("gAAA"), Call("", {})),), _EMPTY),
        Failure(
            "the model declines",
            (reply_turn(Refusal("I cannot help with that.")),),
            "I cannot help with that.",
            "Rephrase the question.",
            left=ANSWERED,
        ),
        Failure(
            "a content filter, before the first word",
            (reply_turn(Thought("gAAA"), incomplete="content_filter"),),
            "{host} ended the answer early. Reason: content_filter.",
            "Rephrase the question.",
            "ModelBroken",
        ),
        Failure(
            "a content filter, within the answer",
            (reply_turn(Text("The worst are Q07 and"), incomplete="content_filter"),),
            f"The worst are Q07 and\n\n*{_FILTERED}*",
            left=ANSWERED,
        ),
        Failure(
            "no output tokens are left for a word",
            (reply_turn(Thought("gAAA"), Call("get_qubit_params", '{"qi'), incomplete="max_output_tokens"),),
            "{model} used all its output tokens before it answered.",
            "Raise `max_output_tokens`, or lower `reasoning_effort`.",
            "ModelBroken",
        ),
        Failure(
            "no output tokens are left within the answer",
            (
                reply_turn(
                    Text('{"blocks": [{"type": "text", "content": "The worst is'), incomplete="max_output_tokens"
                ),
            ),
            f"The worst is\n\n*{_AT_LIMIT}*",
            left=ANSWERED,
        ),
        Failure("two million characters", (text_turn(HUGE, pieces=20),), "{huge}", left=ANSWERED),
    ),
    "The model calls tools in a wrong way": (
        called("arguments that are no JSON", call_turn(("get_chip_summary", '{"chip_id": '))),
        called("arguments without end", call_turn(("get_chip_summary", UNENDING))),
        called("arguments of a wrong type", call_turn(("get_qubit_params", {"qid": ["3"]}))),
        called("a tool that does not exist", call_turn(("get_chip_sumary", {}))),
        called(
            "fifty calls at once", call_turn(*(("get_qubit_params", {"qid": str(n)}) for n in range(50))), 50, _ALL_RUN
        ),
        called(
            "two calls with one id",
            reply_turn(Call("get_chip_summary", {}, "one"), Call("get_qubit_params", {"qid": "3"}, "one")),
            2,
            _ALL_RUN,
        ),
        Failure("the same id in each round", (LOOK, LOOK, OK), hint=_ALL_RUN, left=(*CALLED, *CALLED[1:], "message")),
    ),
}
