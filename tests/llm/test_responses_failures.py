from __future__ import annotations

import pytest

from qdash_jupyter.errors import (
    ModelBroken,
    ModelRefused,
)
from tests.llm.client_at_server import KEY, ask, failure_of, made
from tests.scripted_server import (
    ScriptedServer,
    http_error,
    text_turn,
    unknown_event,
)

# --- errors


def test_a_key_of_any_shape_and_a_header_are_redacted() -> None:
    message = "No: lab-4711 / open-sesame / Basic-xyz"
    with ScriptedServer([http_error(403, message)]) as server, pytest.raises(ModelRefused) as caught:
        ask(made(server.base_url, api_key=lambda: "lab-4711", headers={"Api-Key": "Token open-sesame"}))

    assert "No: [hidden] / [hidden] / Basic-xyz" in str(caught.value)


def test_no_key_for_the_default_endpoint_is_noticed_before_any_request() -> None:
    llm = made(None, api_key=lambda: None)
    with pytest.raises(ModelRefused) as caught:
        ask(llm)

    assert "OPENAI_API_KEY" in str(caught.value.hint)
    assert "api.openai.com" in str(caught.value.message)


def test_a_key_that_cannot_be_sent() -> None:
    with pytest.raises(ModelRefused) as caught:
        ask(made(None, api_key=lambda: "sk-ключ"))

    assert "sk-" not in repr(caught.value)


# --- streams that break


def test_an_error_event_of_another_shape() -> None:
    nested = unknown_event("error", error={"message": f"Out of memory, {KEY}", "code": "oom"})
    error = failure_of(text_turn("ok").with_step(1, nested))

    assert isinstance(error, ModelBroken)
    assert "Out of memory" in str(error.message)
