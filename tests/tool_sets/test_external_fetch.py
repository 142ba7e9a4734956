"""Fetching by URL: only where two allow it, only from the public Internet, only so much."""

from __future__ import annotations

import socket
import ssl
from collections.abc import Iterator
from typing import Any

import pytest

from qdash_jupyter.config.manifest import FeaturesSection
from qdash_jupyter.errors import PersonError
from qdash_jupyter.tool_sets import external_fetch
from qdash_jupyter.tool_sets.external_fetch import fetch, is_allowed
from tests.mongo_tls import Authority
from tests.tool_sets.web import Says, Web, web

ON = FeaturesSection.model_validate({"external_url_fetch": {"enabled": True}})
OFF = FeaturesSection()


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    made = Authority(tmp_path_factory.mktemp("tls"))
    made.server_options("skills", "DNS:skills.example")
    return made


@pytest.fixture
def site(authority: Authority, monkeypatch: pytest.MonkeyPatch) -> Iterator[Web]:
    """https://skills.example, at an address that counts as public here."""
    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    tls.load_cert_chain(authority.folder / "skills.pem", authority.folder / "skills.key")
    with web(tls) as made:
        monkeypatch.setenv("EXTERNAL_URL_FETCH_ENABLED", "true")
        monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
        names(monkeypatch, {"skills.example": "127.0.0.1", "wrong.example": "127.0.0.1", "inside.example": "10.0.0.7"})
        public = external_fetch._is_public
        monkeypatch.setattr(external_fetch, "_is_public", lambda ip: ip == "127.0.0.1" or public(ip))
        made.url = f"https://skills.example:{made.host.partition(':')[2]}"
        yield made


def names(monkeypatch: pytest.MonkeyPatch, known: dict[str, str]) -> list[str]:
    looked_up: list[str] = []
    real = socket.getaddrinfo

    def found(host: Any, *more: Any, **options: Any) -> Any:
        looked_up.append(str(host))
        return real(known.get(host, host), *more, **options)

    monkeypatch.setattr(socket, "getaddrinfo", found)
    return looked_up


@pytest.mark.parametrize(
    ("variable", "features", "allowed"),
    [("true", ON, True), ("1", ON, True), ("true", OFF, False), ("", ON, False), ("false", ON, False)],
)
def test_both_have_to_allow_it(
    variable: str, features: FeaturesSection, allowed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("EXTERNAL_URL_FETCH_ENABLED", variable)
    assert is_allowed(features) is allowed
    if not allowed:
        with pytest.raises(PersonError, match="EXTERNAL_URL_FETCH_ENABLED"):
            fetch("https://skills.example/SKILL.md", features)


def test_what_is_there(site: Web, monkeypatch: pytest.MonkeyPatch) -> None:
    site.paths["/SKILL.md"] = Says("# T1 drift", mime="text/markdown")
    looked_up = names(monkeypatch, {"skills.example": "127.0.0.1"})
    assert fetch(f"{site.url}/SKILL.md#part", ON) == b"# T1 drift"
    assert site.asked[0].headers["host"].startswith("skills.example")
    assert looked_up.count("skills.example") == 1, "the address that was checked is the one that is connected to"


def test_the_certificate_has_to_be_that_of_the_name(site: Web) -> None:
    with pytest.raises(PersonError, match="certificate"):
        fetch(site.url.replace("skills.example", "wrong.example"), ON)


@pytest.mark.parametrize(
    ("location", "words"),
    [("https://inside.example/x", "public"), ("http://skills.example/", "https"), ("/again", "redirects too often")],
)
def test_redirects_are_checked_again(site: Web, location: str, words: str) -> None:
    site.paths["/a"] = site.paths["/again"] = Says(status=302, headers={"location": location})
    with pytest.raises(PersonError, match=words):
        fetch(f"{site.url}/a", ON)


def test_a_good_redirect(site: Web) -> None:
    site.paths["/a"] = Says(status=302, headers={"location": "/b"})
    site.paths["/b"] = Says("here")
    assert fetch(f"{site.url}/a", ON) == b"here"


@pytest.mark.parametrize(
    ("says", "words"),
    [(Says("x" * 200), "larger than"), (Says(status=404), "404"), (Says(waits=True), "after 0.3 s")],
)
def test_limits_and_errors(site: Web, says: Says, words: str) -> None:
    site.paths["/a"] = says
    with pytest.raises(PersonError, match=words):
        fetch(f"{site.url}/a", ON, most_bytes=100, seconds=0.3)


@pytest.mark.parametrize(
    "url",
    [
        "https://127.0.0.1/x",
        "https://[::1]/x",
        "https://10.0.0.1/x",
        "https://169.254.169.254/latest",
        "https://192.168.1.1/x",
        "https://[::ffff:10.0.0.1]/x",
        "https://[64:ff9b::a00:1]/x",
        "https://[2002:a00:1::]/x",
        "https://[fe80::1]/x",
        "https://0.0.0.0/x",
        "https://100.64.0.1/x",
        "https://2130706433/x",
        "http://93.184.216.34/x",
        "https://ana:pw@93.184.216.34/x",
        "file:///etc/passwd",
        "nothing",
    ],
)
def test_nothing_private_is_asked(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXTERNAL_URL_FETCH_ENABLED", "true")
    with pytest.raises(PersonError, match=r"public|https"):
        fetch(url, ON)


def test_public_addresses_are() -> None:
    assert external_fetch._is_public("93.184.216.34")
    assert external_fetch._is_public("2606:2800:220:1:248:1893:25c8:1946")


def test_a_name_that_nobody_knows(monkeypatch: pytest.MonkeyPatch) -> None:
    def unknown(*_: Any, **__: Any) -> Any:
        raise socket.gaierror(-2, "Name or service not known")

    monkeypatch.setenv("EXTERNAL_URL_FETCH_ENABLED", "true")
    monkeypatch.setattr(socket, "getaddrinfo", unknown)
    with pytest.raises(PersonError, match="not known"):
        fetch("https://nobody.example/", ON)
