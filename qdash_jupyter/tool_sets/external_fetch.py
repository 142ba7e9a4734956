"""Fetches what the settings name by URL, where the administrator and the settings allow it: off by default.

Only https, only from addresses of the public Internet: a URL must not lead into the lab's own network. The address that
was looked up and checked is the one that is connected to, and each redirect is checked again.
"""

from __future__ import annotations

import ipaddress
import os
import socket
import ssl
import time
from typing import TYPE_CHECKING

from qdash_jupyter.config.manifest import FeaturesSection
from qdash_jupyter.config.mask import masked
from qdash_jupyter.domain.sizes import size_words
from qdash_jupyter.errors import ConfigurationError, PersonError

if TYPE_CHECKING:
    import httpx2

ADMINISTRATORS = "EXTERNAL_URL_FETCH_ENABLED"
MOST_BYTES = 1_000_000
SECONDS = 20.0
_MOST_REDIRECTS = 3


def is_allowed(features: FeaturesSection) -> bool:
    """Whether both the administrator and the settings allow it."""
    by_administrator = os.environ.get(ADMINISTRATORS, "").strip().lower() in {"1", "true", "yes", "on"}
    return by_administrator and features.external_url_fetch.enabled


def fetch(url: str, features: FeaturesSection, *, most_bytes: int = MOST_BYTES, seconds: float = SECONDS) -> bytes:
    """What is there. Blocks.

    Raises:
        PersonError: it is not allowed, not there, too large or too slow, or leads to a private address.
    """
    import httpx2

    if not is_allowed(features):
        raise ConfigurationError.with_hint("fetch-not-allowed", url=_shown(url), variable=ADMINISTRATORS)
    until = time.monotonic() + seconds
    failure: PersonError
    try:
        # Without proxies of the environment, which would look the name up again.
        with httpx2.Client(trust_env=False, verify=ssl.create_default_context()) as client:
            target = httpx2.URL(url)
            for _ in range(_MOST_REDIRECTS + 1):
                following, body = _fetched(client, target, most_bytes, until)
                if following is None:
                    return body
                target = following
        failure = PersonError.with_hint("fetch-redirects", url=_shown(url))
    except (httpx2.TimeoutException, TimeoutError):
        failure = PersonError.with_hint("fetch-timed-out", url=_shown(url), seconds=f"{seconds:g}")
    except (httpx2.HTTPError, httpx2.InvalidURL, OSError) as error:
        failure = PersonError.with_hint("fetch-failed", url=_shown(url), why=masked(str(error)))
    raise failure


def _fetched(client: httpx2.Client, url: httpx2.URL, most_bytes: int, until: float) -> tuple[httpx2.URL | None, bytes]:
    """Where it leads on, or what is there."""
    address = _checked_address(url)
    request = client.build_request(
        "GET",
        url.copy_with(host=address, fragment=None),
        headers={"Host": url.netloc.decode()},
        timeout=max(until - time.monotonic(), 0.001),
        extensions={"sni_hostname": url.host},
    )
    response = client.send(request, stream=True)
    try:
        if response.has_redirect_location:
            return url.join(response.headers["location"]), b""
        if not response.is_success:
            raise PersonError.with_hint("fetch-status", url=_shown(str(url)), status=str(response.status_code))
        body = bytearray()
        for chunk in response.iter_bytes():
            body += chunk
            if len(body) > most_bytes:
                raise PersonError.with_hint("fetch-too-large", url=_shown(str(url)), size=size_words(most_bytes))
            if time.monotonic() > until:
                raise TimeoutError
        return None, bytes(body)
    finally:
        response.close()


def _checked_address(url: httpx2.URL) -> str:
    """The address to connect to; none of the name's may be private."""
    if url.scheme != "https" or not url.host or url.userinfo:
        raise ConfigurationError.with_hint("fetch-address", url=_shown(str(url)))
    found = socket.getaddrinfo(url.host, url.port or 443, type=socket.SOCK_STREAM)
    addresses = [str(each[4][0]) for each in found]
    if not addresses or not all(map(_is_public, addresses)):
        raise ConfigurationError.with_hint("fetch-private", url=_shown(str(url)))
    return addresses[0]


def _is_public(address: str) -> bool:
    """Whether it is nobody's own network; an older address within a newer one counts."""
    ip = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(ip, ipaddress.IPv6Address):
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
        if inner is None and ip in _TRANSLATED:
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        if inner is not None:
            return _is_public(str(inner))
    return ip.is_global and not ip.is_multicast


_TRANSLATED = ipaddress.ip_network("64:ff9b::/96")
"""Where networks without the older addresses have them."""


def _shown(url: str) -> str:
    """The address without what may be a password."""
    return str(masked(url.partition("?")[0]))
