"""What lies between a lab and its models: proxies, an authority of its own, headers of gateways, Azure's addresses."""

from __future__ import annotations

import os
import ssl
import traceback
from pathlib import Path
from typing import Any

import pytest

from qdash_jupyter.errors import ModelRefused, ModelUnreachable
from qdash_jupyter.llm.chat_completions import ChatCompletionsLLM
from qdash_jupyter.llm.responses import ResponsesLLM
from tests.llm.client_at_server import KEY, ask, made, reply_of
from tests.llm.proxy import Proxy
from tests.mongo_tls import Authority
from tests.scripted_server import ScriptedServer, Turn, http_error, text_turn

BOTH = pytest.mark.parametrize("kind", [ResponsesLLM, ChatCompletionsLLM])


@pytest.fixture(autouse=True)
def _own_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in os.environ:
        if name.lower().endswith("_proxy") or name.startswith("SSL_"):
            monkeypatch.delenv(name)


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("tls"))


def tls_of(authority: Authority, names: str = "DNS:models.lab.test,IP:127.0.0.1") -> ssl.SSLContext:
    authority.server_options("model", names)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(authority.folder / "model.pem", authority.folder / "model.key")
    return context


@BOTH
def test_a_proxy_of_the_environment_carries_the_requests(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedServer([text_turn("ok")]) as server, Proxy(server.port) as proxy:
        monkeypatch.setenv("HTTP_PROXY", f"http://physicist:hunter22@{proxy.url}")
        monkeypatch.setenv("http_proxy", f"http://physicist:hunter22@{proxy.url}")
        (parts,) = ask(made("http://models.lab.test:8000/v1", kind))

        assert reply_of(parts).text == "ok"
        path = "responses" if kind is ResponsesLLM else "chat/completions"
        assert proxy.asked == [("POST", f"http://models.lab.test:8000/v1/{path}")]
        assert proxy.authorizations == ["Basic cGh5c2ljaXN0Omh1bnRlcjIy"]
        assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"


@BOTH
def test_no_proxy_is_kept_to(kind: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    with ScriptedServer([text_turn("ok")]) as server, Proxy(server.port) as proxy:
        monkeypatch.setenv("HTTP_PROXY", f"http://{proxy.url}")
        monkeypatch.setenv("NO_PROXY", "127.0.0.1")
        (parts,) = ask(made(server.base_url, kind))

        assert reply_of(parts).text == "ok"
        assert proxy.asked == []


def test_a_proxy_that_is_down_is_said_without_its_password(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HTTP_PROXY", "http://physicist:hunter22@127.0.0.1:9")
    with pytest.raises(ModelUnreachable) as caught:
        ask(made("http://models.lab.test:8000/v1", ChatCompletionsLLM))

    assert "proxy" in str(caught.value.hint)
    assert "hunter22" not in "".join(traceback.format_exception(caught.value))


@BOTH
def test_an_authority_of_the_labs_own_is_trusted_where_the_environment_names_it(
    kind: Any, authority: Authority, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    with ScriptedServer([text_turn("ok")], tls=tls_of(authority)) as server:
        (parts,) = ask(made(server.base_url, kind))

    assert server.base_url.startswith("https://")
    assert reply_of(parts).text == "ok"


def test_through_a_tunnel_of_the_proxy_too(authority: Authority, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    with ScriptedServer([text_turn("ok")], tls=tls_of(authority)) as server, Proxy(server.port) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", f"http://{proxy.url}")
        (parts,) = ask(made("https://models.lab.test/v1", ChatCompletionsLLM))

        assert reply_of(parts).text == "ok"
        assert proxy.asked == [("CONNECT", "models.lab.test:443")]


@BOTH
@pytest.mark.parametrize("trusted", [False, True], ids=["unknown authority", "other name"])
def test_a_certificate_that_does_not_fit_is_refused(
    kind: Any, trusted: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    authority = Authority(tmp_path)
    if trusted:
        monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    with ScriptedServer([text_turn("ok")], tls=tls_of(authority, "DNS:other.lab.test")) as server:
        with pytest.raises(ModelUnreachable, match=r"(?i)certificate"):
            ask(made(server.base_url, kind))
        assert server.requests == []


def test_the_hint_of_a_certificate_looks_at_the_reason_and_at_what_was_done(
    authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def hint(*names: str, of: Authority = authority) -> str:
        tls = tls_of(of, *names)
        with ScriptedServer([text_turn("ok")], tls=tls) as server, pytest.raises(ModelUnreachable) as caught:
            ask(made(server.base_url, ChatCompletionsLLM))
        return str(caught.value.hint)

    assert "set SSL_CERT_FILE" in hint()
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.setenv("SSL_CERT_FILE", str(Authority(other).file))
    assert "SSL_CERT_FILE is set, but no authority in its file" in hint()
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    assert "host name in the certificate" in hint("DNS:other.lab.test")
    made_before = ssl.create_default_context

    def strict(*arguments: Any, **more: Any) -> ssl.SSLContext:
        """As Python 3.13 makes it."""
        context = made_before(*arguments, **more)
        context.verify_flags |= ssl.VERIFY_X509_STRICT
        return context

    monkeypatch.setattr(ssl, "create_default_context", strict)
    older = tmp_path / "older"
    older.mkdir()
    weak = Authority(older, extensions=())
    monkeypatch.setenv("SSL_CERT_FILE", str(weak.file))
    assert "key usage keyCertSign" in hint(of=weak)


@BOTH
def test_headers_of_a_gateway_go_along_and_are_never_shown(kind: Any) -> None:
    headers = {"X-Portkey-Api-Key": "pk-4711-open-sesame", "X-Team": "cryo"}
    turns: list[Turn] = [text_turn("ok"), http_error(403, "pk-4711-open-sesame may not.")]
    with ScriptedServer(turns) as server:
        llm = made(server.base_url, kind, headers=headers)
        ask(llm)
        with pytest.raises(ModelRefused) as caught:
            ask(llm)

    assert server.requests[0].headers["x-portkey-api-key"] == "pk-4711-open-sesame"
    assert server.requests[0].headers["x-team"] == "cryo"
    assert "open-sesame" not in "".join(traceback.format_exception(caught.value)) + repr(llm) + repr(vars(llm))


@pytest.mark.parametrize(
    "settings",
    [{"api_key": lambda: None, "headers": {"api-key": "azure-key-4711"}}, {"api_key": lambda: "azure-key-4711"}],
    ids=["among the headers", "from the environment"],
)
def test_an_address_of_azure_keeps_its_version_and_its_key(settings: dict[str, Any]) -> None:
    with ScriptedServer([text_turn("ok")]) as server:
        url = f"http://127.0.0.1:{server.port}/openai/deployments/gpt-test?api-version=2025-04-01-preview"
        llm = made(url, ChatCompletionsLLM, **settings)
        (parts,) = ask(llm)
        request = server.requests[0]

    assert reply_of(parts).text == "ok"
    assert request.path == "/openai/deployments/gpt-test/chat/completions?api-version=2025-04-01-preview"
    assert request.headers["api-key"] == "azure-key-4711"
    # With both, Azure would look at the other one.
    assert "authorization" not in request.headers


def test_a_key_for_openai_does_not_go_to_a_server_with_a_key_of_its_own() -> None:
    with ScriptedServer([text_turn("ok")]) as server:
        ask(made(server.base_url, ChatCompletionsLLM, headers={"Api-Key": "azure-key-4711"}))

    assert KEY not in str(server.requests[0].headers)


@BOTH
def test_a_header_that_cannot_be_sent_is_said_without_its_value(kind: Any) -> None:
    llm = made("http://models.lab.test/v1", kind, headers={"X-Key": "geheim–4711"})
    with pytest.raises(ModelRefused) as caught:
        ask(llm)

    assert "X-Key" in str(caught.value.message)
    assert "geheim" not in "".join(traceback.format_exception(caught.value))


def test_a_secret_in_the_query_is_sent_and_never_shown() -> None:
    with ScriptedServer([text_turn("ok"), http_error(403, "No s1gnature-of-the-lab here.")]) as server:
        llm = made(f"{server.base_url}?sig=s1gnature-of-the-lab", ChatCompletionsLLM)
        ask(llm)
        with pytest.raises(ModelRefused) as caught:
            ask(llm)

    assert server.requests[0].path == "/v1/chat/completions?sig=s1gnature-of-the-lab"
    assert "s1gnature" not in str(caught.value) + repr(llm) + llm.card.endpoint
