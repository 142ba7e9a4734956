"""What goes wrong at the model's server, in our errors: for the user, with what to do, and without keys.

Nothing here raises: an error that is raised while another one is handled would carry that one, and its text, along.
"""

from __future__ import annotations

import contextlib
import json
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
_NO_KEY_WORDS = re.compile(r"no connected db", re.IGNORECASE)
_OF_A_PATH = re.compile(r"/(responses|completions)\b")
_EVENT = re.compile(r"^data: ?(\{.*\})\s*$", re.MULTILINE)
OTHER_API = (
    " If it goes on, its Responses API may be at fault: set `api_style: chat_completions` of the model (or "
    "QDASH_COPILOT_API_STYLE)."
)
_SHORTEN = "Start a new conversation, or ask for less at once."


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
            return ModelTimedOut(
                f"The language model at {self.endpoint.address} sent nothing for {self.timeout_s:g} s.",
                "It may be busy or loading the model: try again, or raise `timeout_seconds` of the model.",
            )
        if isinstance(error, openai.APIConnectionError):
            return self._unreachable(error)
        if isinstance(error, openai.APIStatusError):
            return self._refused(error)
        if isinstance(error, openai.APIError):
            return self.reported(str(error.code or ""), error.message)
        # The stream holds something that is no JSON.
        return ModelBroken(
            f"{self.endpoint.shown} sent something that is no event of the {API_NAMES[self.api]}.",
            f"Check that the base URL is that of a server with the {API_NAMES[self.api]}.",
        )

    def reported(self, code: str, message: str) -> ModelError:
        """The server reported a failure within the stream."""
        said = self.redact(message) or self.redact(code) or "it does not say why"
        if code in _QUOTA:
            return self._no_quota()
        if code in _TOO_MANY:
            return ModelRateLimited(f"{self.endpoint.shown} asks to slow down: {said}", "Wait a little and ask again.")
        if _NO_MODEL_WORDS.search(message):
            return self._no_model()
        if code in _TOO_LONG or _TOO_LONG_WORDS.search(message):
            return ModelContextExceeded(f"The conversation is too long for {self.model}: {said}", _SHORTEN)
        return ModelBroken(f"{self.endpoint.shown} gave up on the answer: {said}", "Ask again.")

    def cut(self, content_type: str) -> ModelError:
        """The stream ended without saying so."""
        if not content_type.startswith("text/event-stream"):
            kind = self.redact(content_type.partition(";")[0]) or "something of no type"
            return ModelBroken(
                f"{self.endpoint.shown} answered with {kind}, not with a stream of events.",
                "Check the base URL: it usually ends with /v1.",
            )
        return ModelBroken(f"The connection to {self.endpoint.address} broke during the answer.", "Ask again.")

    def incomplete(self, reason: str) -> ModelError:
        """The response was broken off with nothing in it."""
        if reason == "max_output_tokens":
            return ModelBroken(
                f"{self.model} used up its output tokens before it said anything.",
                "Raise max_output_tokens, or lower the reasoning effort.",
            )
        said = self.redact(reason) or "without a reason"
        return ModelBroken(f"{self.endpoint.shown} broke off the answer: {said}.", "Ask in other words.")

    def would_store(self) -> ModelError:
        """A server that is not the lab's own does not promise to keep nothing."""
        return ModelRejected(
            f"{self.endpoint.shown} does not accept `store: false`: it might keep the conversation.",
            "Use a server that accepts it, or one in your own network.",
        )

    def no_key(self) -> ModelError:
        """There is nothing to send as a key."""
        return ModelRefused(
            f"There is no key for {self.endpoint.shown}.",
            f"Set {self.key_name}, or the base URL of a server that needs none.",
        )

    def unusable_key(self) -> ModelError:
        """The key cannot be sent in a header."""
        return ModelRefused(
            f"The key in {self.key_name} has characters that no key has.",
            "Copy it once more, without quotes or breaks.",
        )

    def unusable_header(self, name: str) -> ModelError:
        """A header of the settings cannot be sent."""
        return ModelRefused(
            f"The header {name} for {self.endpoint.shown} has characters that no header can have.",
            "Correct `headers` of the model in copilot.yaml: plain letters, digits and signs, without breaks.",
        )

    def _unreachable(self, error: APIConnectionError) -> ModelError:
        why = self.redact(str(error.__cause__ or "")).rstrip(".")
        if "CERTIFICATE_VERIFY_FAILED" in why:
            hint = (
                "If the certificate is your lab's own, name its authority's file in SSL_CERT_FILE; restart the kernel."
            )
        elif self.endpoint.is_local:
            hint = "Start the server, or correct the base URL."
        else:
            hint = "Check the base URL and the network (a proxy or VPN may be needed)."
        return ModelUnreachable(
            f"No language model answers at {self.endpoint.address}{f' ({why})' if why else ''}.", hint
        )

    def _refused(self, error: APIStatusError) -> ModelError:  # noqa: PLR0911 - one line for each status
        where, said = self.endpoint.shown, self._said(error)
        if _NO_MODEL_WORDS.search(said):
            return self._no_model()
        match 401 if _NO_KEY_WORDS.search(said) else error.status_code:
            case 401:
                # The server's own words are left out: they repeat the key, masked by rules of its own.
                if not self.has_key:
                    return ModelRefused(f"{where} asks for a key.", f"Set {self.key_name}.")
                return ModelRefused(f"{where} does not accept the key.", f"Check {self.key_name}.")
            case 403:
                hint = f"Check what the key in {self.key_name} may do, and whether it may use {self.model}."
                return ModelRefused(f"{where} does not permit this{said}", hint)
            case 404 | 405 | 501:
                return self._not_found(error, said)
            case 429:
                return self._rate_limited(error, said)
            case status if status in {408, 409} or status >= 500:  # noqa: PLR2004 - HTTP
                is_doubtful = self.api == "responses" and status == 500 and not self.endpoint.is_openai  # noqa: PLR2004
                hint = "Try again in a moment." + OTHER_API * is_doubtful
                return ModelBroken(f"{where} failed with HTTP status {status}{said}", hint)
            case status:
                if _is_too_long(error):
                    return ModelContextExceeded(f"The conversation is too long for {self.model}{said}", _SHORTEN)
                about = f"the parameter {self.redact(error.param)!r}" if error.param else "the model"
                hint = f"Check what the settings say of {about}, or begin a new conversation."
                return ModelRejected(f"{where} does not accept the request (HTTP status {status}){said}", hint)

    def _not_found(self, error: APIStatusError, said: str) -> ModelError:
        message = message_of(error)
        # A deployment's name stands in its path too.
        named = re.search(rf"(?<![\w.-]){re.escape(self.model)}(?![\w-])", message)
        if error.code in _NO_MODEL or (named and not _OF_A_PATH.search(message)):
            return self._no_model()
        where = f"{self.endpoint.shown} has no {API_NAMES[self.api]} at this address"
        return NoSuchApi(
            f"{where} (HTTP status {error.status_code}){said}",
            "Check the base URL: it usually ends with /v1.",
        )

    def _no_model(self) -> ModelError:
        return ModelRejected(
            f"There is no model {self.model!r} at {self.endpoint.shown}, or the key may not use it.",
            "Check the name of the model.",
        )

    def _rate_limited(self, error: APIStatusError, said: str) -> ModelError:
        if error.code in _QUOTA or error.type in _QUOTA:
            return self._no_quota()
        wait = _retry_after(error.response.headers)
        hint = f"Try again in {wait}." if wait else "Wait a little and ask again."
        return ModelRateLimited(f"{self.endpoint.shown} asks to slow down{said}", hint)

    def _no_quota(self) -> ModelError:
        return ModelRateLimited(
            f"The account at {self.endpoint.shown} has no quota left.",
            "Waiting does not help: check its plan and billing, or use another model.",
        )

    def _said(self, error: APIStatusError) -> str:
        text = self.redact(message_of(error))
        return f": {text}" if text else "."


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


def _retry_after(headers: Mapping[str, str]) -> str:
    try:
        if "retry-after-ms" in headers:
            return f"{float(headers['retry-after-ms']) / 1000:.3g} s"
        return f"{float(headers['retry-after']):g} s"
    except (KeyError, ValueError):
        return ""
