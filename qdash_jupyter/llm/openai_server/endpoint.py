"""Where the model's server is, and what must not be shown about it."""

from __future__ import annotations

import base64
import ipaddress
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from urllib.parse import parse_qsl, unquote, urlsplit, urlunsplit

from qdash_jupyter.config.mask import FEWEST_CHARS, HIDDEN, spellings
from qdash_jupyter.errors import ConfigurationError

OPENAI_URL = "https://api.openai.com/v1"

_PORTS = {"http": 80, "https": 443}
_LOCAL = {"localhost", "127.0.0.1", "::1", "0.0.0.0"}  # noqa: S104 - compared with, not bound to
_LONGEST_TEXT = 400
_LOOKS_LIKE_A_KEY = re.compile(r"\bsk-[\w*.\-]*|(?<=Bearer )\S+")


class Secret:
    """Text that does not print: tracebacks which show local values show three stars."""

    __slots__ = ("_text",)

    def __init__(self, text: str = "") -> None:
        """Wrap `text`; the empty text is no secret."""
        self._text = text

    def reveal(self) -> str:
        """The text itself; call it only where it is sent."""
        return self._text

    def __bool__(self) -> bool:
        return bool(self._text)

    def __repr__(self) -> str:
        return "***"


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A base URL taken apart: `url` has no user, password or query, `shown` is the host (and port, where it has one).

    `query` goes along with every request, as Azure's `api-version` has to.
    """

    url: str
    query: Mapping[str, Secret]
    host: str
    port: int
    shown: str
    password: Secret
    basic: Secret
    is_default: bool

    @property
    def is_local(self) -> bool:
        """Whether the server is on this machine."""
        return self.host in _LOCAL

    @property
    def is_private(self) -> bool:
        """Whether the server is on this machine or in the lab's own network; a name without dots is one of ours."""
        try:
            address = ipaddress.ip_address(self.host)
        except ValueError:
            return "." not in self.host or self.host.endswith((".localhost", ".local"))
        return address.is_private or address.is_loopback

    @property
    def is_openai(self) -> bool:
        """Whether this is OpenAI itself, whom what its SDK finds in the environment is meant for."""
        return self.host == "openai.com" or self.host.endswith(".openai.com")

    @property
    def is_azure(self) -> bool:
        """Whether this is Azure OpenAI, which takes its key in a header of its own."""
        return self.host.endswith(".azure.com") or "/openai/deployments/" in self.url

    @property
    def address(self) -> str:
        """Host and port, for messages about connections."""
        return f"{_bracketed(self.host)}:{self.port}"


def endpoint_of(base_url: str | None) -> Endpoint:
    """The endpoint of a base URL; OpenAI's own where there is none.

    Raises:
        ConfigurationError: this is no http(s) URL. The message does not repeat it, as it may hold a password.
    """
    try:
        parts = urlsplit(base_url or OPENAI_URL)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in _PORTS or not parts.hostname:
        raise ConfigurationError.with_hint("model-wrong-url")
    shown = _bracketed(parts.hostname) + (f":{port}" if port else "")
    # With user and password left in the URL, httpx would send them in place of the key, and log them.
    userinfo = f"{unquote(parts.username or '')}:{unquote(parts.password or '')}"
    return Endpoint(
        url=urlunsplit((parts.scheme, shown, parts.path, "", "")),
        query={name: Secret(value) for name, value in parse_qsl(parts.query, keep_blank_values=True)},
        host=parts.hostname,
        port=port or _PORTS[parts.scheme],
        shown=shown,
        password=Secret(unquote(parts.password or "")),
        basic=Secret(base64.b64encode(userinfo.encode()).decode() if len(userinfo) > 1 else ""),
        is_default=not base_url,
    )


class Redaction:
    """Takes keys out of text that a server sent, and makes it one line of bearable length."""

    def __init__(self, secrets: Iterable[Secret]) -> None:
        """Each of the `secrets`, and whatever looks like a key, is replaced."""
        # The longest first: one secret may be a part of another.
        known = sorted({word for secret in secrets if secret for word in spellings(secret.reveal())}, key=len)[::-1]
        self._secrets = [Secret(_pattern(word)) for word in known]

    def __call__(self, text: str) -> str:
        """The text without secrets."""
        for secret in self._secrets:
            text = re.sub(secret.reveal(), HIDDEN, text)
        text = " ".join(_LOOKS_LIKE_A_KEY.sub(HIDDEN, text).split())
        return text if len(text) <= _LONGEST_TEXT else f"{text[:_LONGEST_TEXT]} …"


def _pattern(secret: str) -> str:
    """Where to find it: a short one only where it stands alone, as `k` would be found in “unknown”."""
    found = re.escape(secret)
    return found if len(secret) >= FEWEST_CHARS else rf"(?<!\w){found}(?!\w)"


def _bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
