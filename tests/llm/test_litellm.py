"""A real LiteLLM proxy with a model that it plays itself: nothing leaves the machine."""

import os
import socket
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from qdash_jupyter.errors import ModelBroken, ModelRefused, ModelRejected
from qdash_jupyter.llm.chat_completions import ChatCompletionsLLM
from qdash_jupyter.llm.responses import ResponsesLLM
from tests.lab.environments import Environment
from tests.llm.client_at_server import ask, made, reply_of, text_of
from tests.patience import PATIENCE_S, until

pytestmark = [pytest.mark.long, pytest.mark.timeout(900)]

LITELLM = Environment("litellm", ("litellm[proxy]",))
KEY = "sk-lab-0123456789abcdef0123456789abcdef"
CONFIG = """
model_list:
  - model_name: lab-model
    litellm_params: {model: openai/gpt-4o, api_key: none, mock_response: "Q07 has 61.4 μs."}
"""


@pytest.fixture(scope="module")
def base_url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The proxy takes ten seconds to start, and its environment half a minute at the first run."""
    folder = tmp_path_factory.mktemp("litellm")
    (folder / "config.yaml").write_text(CONFIG, encoding="utf-8")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    command = [str(LITELLM.python.with_name("litellm")), "--config", "config.yaml", "--host", "127.0.0.1"]
    env = os.environ | {"LITELLM_MASTER_KEY": KEY, "LITELLM_LOCAL_MODEL_COST_MAP": "True"}
    with Path(folder, "log").open("wb") as log:
        proxy = subprocess.Popen([*command, "--port", str(port)], cwd=folder, env=env, stdout=log, stderr=log)
    try:

        def is_alive() -> bool:
            assert proxy.poll() is None, Path(folder, "log").read_text(encoding="utf-8")
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{port}/health/liveliness", timeout=PATIENCE_S):
                    return True
            except OSError:
                return False

        until(is_alive, 120)
        yield f"http://127.0.0.1:{port}/v1"
    finally:
        proxy.terminate()
        proxy.wait(PATIENCE_S)


def test_it_answers_over_chat_completions(base_url: str) -> None:
    (parts,) = ask(made(base_url, ChatCompletionsLLM, model="lab-model", api_key=lambda: KEY))
    assert text_of(parts) == reply_of(parts).text == "Q07 has 61.4 μs."


@pytest.mark.parametrize("kind", [ResponsesLLM, ChatCompletionsLLM])
def test_a_model_that_it_does_not_have_and_a_wrong_key(base_url: str, kind: type) -> None:
    with pytest.raises(ModelRejected, match="has no model 'nope'"):
        ask(made(base_url, kind, model="nope", api_key=lambda: KEY))
    with pytest.raises(ModelRefused, match="doesn't accept the key"):
        ask(made(base_url, kind, model="lab-model", api_key=lambda: "sk-wrong"))


def test_its_responses_api_answers_or_the_way_out_is_told(base_url: str) -> None:
    """Its mock models cannot be streamed there in some versions: status 500 each time."""
    llm = made(base_url, ResponsesLLM, model="lab-model", api_key=lambda: KEY)
    try:
        told = text_of(ask(llm)[0])
    except ModelBroken as error:
        told = str(error.hint)
    assert told == "Q07 has 61.4 μs." or "Set `api_style: chat_completions`" in told
