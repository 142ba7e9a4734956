"""What goes wrong at the model's server, in our errors: for the user, with what to do, and without keys.

Nothing here raises: an error that is raised while another one is handled would carry that one, and its text, along.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from qdash_jupyter.errors import (
    ModelBroken,
    ModelContextExceeded,
    ModelError,
    ModelRateLimited,
    ModelRefused,
    ModelRejected,
    ModelTimedOut,
    ModelUnreachable,
    NoSuchApi,
)
from qdash_jupyter.llm.openai_server.endpoint import Endpoint, Redaction
from qdash_jupyter.messages.message import Message, Text, sentences

if TYPE_CHECKING:
    from openai import APIConnectionError, APIStatusError

ApiStyle: TypeAlias = Literal["responses", "chat_completions"]
"""Which of the two APIs a server is spoken to in."""

API_NAMES: dict[ApiStyle, str] = {"responses": "Responses API", "chat_completions": "Chat Completions API"}

_QUOTA = {"insufficient_quota", "billing_hard_limit_reached", "billing_not_active"}
_TOO_MANY = {"rate_limit_exceeded", "rate_limit_error", "too_many_requests", "429"}
_NO_MODEL = {"model_not_found", "DeploymentNotFound"}
_TOO_LONG = {"context_length_exceeded", "string_above_max_length", "exceed_context_size_error"}
# vLLM and gateways before it have no code for this, only words.
_TOO_LONG_WORDS = re.compile(
    r"maximum context length|context (?:length|window|size) (?:is |was )?exceed|exceeds? the (?:available )?context",
    re.IGNORECASE,
)
# LiteLLM's proxy, with status 400.
_NO_MODEL_WORDS = re.compile(r"invalid model name", re.IGNORECASE)
# Its words for any key but its master key, where it has no database of keys; with status 400.
_STRICT = re.compile(r"key usage|key identifier|basic constraints|marked critical|keyCertSign", re.IGNORECASE)
"""What Python wants of an authority's certificate from 3.13 on."""
_NO_KEY_WORDS = re.compile(r"no connected db", re.IGNORECASE)
_OF_A_PATH = re.compile(r"/(responses|completions)\b")
_EVENT = re.compile(r"^data: ?(\{.*\})\s*$", re.MULTILINE)
OTHER_API = Message("model-other-api-hint")
_TOO_LONG_HINT = Message("model-too-long-hint")
_ASK_AGAIN, _WAIT, _URL = Message("model-retry-hint"), Message("model-wait-hint"), Message("model-url-hint")


@dataclass(frozen=True, slots=True)
class Failures:
    """Puts into words what one exchange with the server can end in."""

    endpoint: Endpoint
    model: str
    key_name: str
    has_key: bool
    timeout_s: float
    redact: Redaction
    api: ApiStyle = "responses"

    def of(self, error: Exception) -> ModelError:
        """The error for what the SDK raised."""
        import openai

        # A connection that never came about is no silence, although the SDK has one error for both.
        if isinstance(error, openai.APITimeoutError) and type(error.__cause__).__name__ != "ConnectTimeout":
            return ModelTimedOut.with_hint("model-silent", address=self.endpoint.address, seconds=self.timeout_s)
        if isinstance(error, openai.APIConnectionError):
            return self._unreachable(error)
        if isinstance(error, openai.APIStatusError):
            return self._refused(error)
        if isinstance(error, openai.APIError):
            return self.reported(str(error.code or ""), error.message)
        # The stream holds something that is no JSON.
        return ModelBroken.with_hint("model-sent-no-event", host=self.endpoint.shown, api=API_NAMES[self.api])

    def reported(self, code: str, message: str) -> ModelError:
        """The server reported a failure within the stream."""
        said = self._said(message) or self._said(code)
        if code in _QUOTA:
            return self._no_quota()
        if code in _TOO_MANY:
            return self._too_many(said, _WAIT)
        if _NO_MODEL_WORDS.search(message):
            return self._no_model()
        if code in _TOO_LONG or _TOO_LONG_WORDS.search(message):
            return self._too_long(said)
        return ModelBroken(sentences(Message("model-reported-error", host=self.endpoint.shown), said), _ASK_AGAIN)

    def cut(self, content_type: str) -> ModelError:
        """The stream ended without saying so."""
        if not content_type.startswith("text/event-stream"):
            kind = self.redact(content_type.partition(";")[0]) or Message("model-no-content-type")
            return ModelBroken(Message("model-sent-no-stream", host=self.endpoint.shown, kind=kind), _URL)
        return ModelBroken(Message("model-connection-broke", address=self.endpoint.address), _ASK_AGAIN)

    def incomplete(self, reason: str) -> ModelError:
        """The response was broken off with nothing in it."""
        if reason == "max_output_tokens":
            return ModelBroken.with_hint("model-out-of-tokens", model=self.model)
        ended = Message("model-ended-answer", host=self.endpoint.shown)
        return ModelBroken(sentences(ended, _because(self.redact(reason))), Message("model-ended-answer-hint"))

    def _unreachable(self, error: APIConnectionError) -> ModelError:
        why = self.redact(str(error.__cause__ or "")).rstrip(".")
        if "CERTIFICATE_VERIFY_FAILED" in why:
            hint = _of_certificate(why)
        elif self.endpoint.is_local:
            hint = Message("model-unreachable-local-hint")
        else:
            hint = Message("model-unreachable-hint")
        return ModelUnreachable(
            sentences(Message("model-unreachable", address=self.endpoint.address), _because(why)), hint
        )

    def _refused(self, error: APIStatusError) -> ModelError:  # noqa: PLR0911 - one line for each status
        host, said, hint = self.endpoint.shown, self._said(message_of(error)), Message("model-failed-hint")
        if _NO_MODEL_WORDS.search(message_of(error)):
            return self._no_model()
        match 401 if _NO_KEY_WORDS.search(message_of(error)) else error.status_code:
            case 401:
                # The server's own words are left out: they repeat the key, masked by rules of its own.
                if not self.has_key:
                    return ModelRefused.with_hint("model-wants-key", host=host, name=self.key_name)
                return ModelRefused.with_hint("model-refused-key", host=host, name=self.key_name)
            case 403:
                return ModelRefused(
                    sentences(Message("model-forbidden", host=host), said),
                    Message("model-forbidden-hint", name=self.key_name, model=self.model),
                )
            case 404 | 405 | 501:
                return self._not_found(error, said)
            case 429:
                return self._rate_limited(error, said)
            case status if status in {408, 409} or status >= 500:  # noqa: PLR2004 - HTTP
                is_doubtful = self.api == "responses" and status == 500 and not self.endpoint.is_openai  # noqa: PLR2004
                return ModelBroken(
                    sentences(Message("model-failed", host=host, status=str(status)), said),
                    sentences(hint, OTHER_API) if is_doubtful else hint,
                )
            case status:
                if _is_too_long(error):
                    return self._too_long(said)
                hint = Message("model-rejected-hint")
                if error.param:
                    hint = Message("model-rejected-parameter-hint", name=self.redact(error.param))
                return ModelRejected(sentences(Message("model-rejected", host=host, status=str(status)), said), hint)

    def _not_found(self, error: APIStatusError, said: Text) -> ModelError:
        message = message_of(error)
        # A deployment's name stands in its path too.
        named = re.search(rf"(?<![\w.-]){re.escape(self.model)}(?![\w-])", message)
        if error.code in _NO_MODEL or (named and not _OF_A_PATH.search(message)):
            return self._no_model()
        missing = Message(
            "model-no-such-api", host=self.endpoint.shown, api=API_NAMES[self.api], status=str(error.status_code)
        )
        return NoSuchApi(sentences(missing, said), _URL)

    def _no_model(self) -> ModelError:
        return ModelRejected.with_hint("model-unknown", host=self.endpoint.shown, model=self.model)

    def _too_long(self, said: Text) -> ModelError:
        return ModelContextExceeded(sentences(Message("model-too-long", model=self.model), said), _TOO_LONG_HINT)

    def _rate_limited(self, error: APIStatusError, said: Text) -> ModelError:
        if error.code in _QUOTA or error.type in _QUOTA:
            return self._no_quota()
        seconds = _retry_after(error.response.headers)
        return self._too_many(said, _WAIT if seconds is None else Message("model-wait-seconds-hint", seconds=seconds))

    def _too_many(self, said: Text, hint: Message) -> ModelError:
        return ModelRateLimited(sentences(Message("model-too-many-requests", host=self.endpoint.shown), said), hint)

    def _no_quota(self) -> ModelError:
        return ModelRateLimited.with_hint("model-no-quota", host=self.endpoint.shown)

    def _said(self, words: str) -> Text:
        """The server's own words."""
        said = self.redact(words)
        return Message("model-said", said=said) if said else ""


def _of_certificate(why: str) -> Message:
    """What to do, by the reason and by what was done already."""
    if _STRICT.search(why):
        return Message("certificate-strict-hint")
    if "expired" in why:
        return Message("tls-expired-hint")
    if "mismatch" in why:
        return Message("tls-other-host-hint")
    if os.environ.get("SSL_CERT_FILE"):
        return Message("certificate-of-others-hint")
    return Message("model-unreachable-certificate-hint")


def _because(why: str) -> Text:
    return Message("model-reason", why=why) if why else ""


def _is_too_long(error: APIStatusError) -> bool:
    return (
        error.status_code == 413  # noqa: PLR2004 - HTTP: a gateway's own limit
        or bool({error.code, error.type} & _TOO_LONG)
        or _TOO_LONG_WORDS.search(message_of(error)) is not None
    )


def message_of(error: Exception) -> str:
    """The server's own words, as they came; empty where there are none."""
    body = getattr(error, "body", None)
    if isinstance(body, str) and (event := _EVENT.search(body)):  # some answer a stream with a stream, also in errors
        with contextlib.suppress(ValueError):
            read = json.loads(event[1])
            body = read.get("error", read) if isinstance(read, dict) else read
    if isinstance(body, Mapping):
        text = body.get("message") or body.get("detail") or ""
        return text if isinstance(text, str) else ""
    # A page of HTML says nothing to a user.
    return body if isinstance(body, str) and "<" not in body else ""


def _retry_after(headers: Mapping[str, str]) -> float | None:
    """Seconds."""
    try:
        if "retry-after-ms" in headers:
            return float(headers["retry-after-ms"]) / 1000
        return float(headers["retry-after"])
    except (KeyError, ValueError):
        return None
