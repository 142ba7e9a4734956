"""No key of any length stands in what a person is told, and words stay words."""

from __future__ import annotations

import json
import random
import string
from functools import partial
from urllib.parse import quote, quote_plus

import pytest

from qdash_jupyter.config.manifest import Manifest
from qdash_jupyter.config.mask import masked_line, note_secrets
from qdash_jupyter.errors import ModelRefused
from qdash_jupyter.llm.chat_completions import ChatCompletionsLLM
from qdash_jupyter.llm.openai_server.endpoint import Redaction, Secret
from tests.llm.client_at_server import failure_of
from tests.scripted_server import http_error

DRAWN = random.Random(20_261_122)  # noqa: S311 - made-up keys
ALPHABET = string.ascii_letters + string.digits + "-_./+=%\"\\'&?#~"
KEYS = ["".join(DRAWN.choices(ALPHABET, k=DRAWN.randint(8, 48))) for _ in range(300)]
WRITTEN = {
    "as it is": str,
    "in JSON": lambda key: json.dumps({"key": key}),
    "in a URL": lambda key: f"https://h/v1?key={quote(key, safe='')}&x=1",
    "in a form": lambda key: f"key={quote_plus(key)}",
}


def redacted(text: str, *secrets: str) -> str:
    return Redaction(map(Secret, secrets))(text)


@pytest.mark.parametrize(
    ("key", "said", "told"),
    [
        ("k", "Unknown key: k, like k!", "Unknown key: [hidden], like [hidden]!"),
        ("test", "The latest test failed: testing 'test'.", "The latest [hidden] failed: testing '[hidden]'."),
        ("EMPTY", "EMPTY is not EMPTYING (key=EMPTY)", "[hidden] is not EMPTYING (key=[hidden])"),
        ("s3cret!", "No:s3cret!", "No:[hidden]"),
        ("hunter22", "xhunter22x", "x[hidden]x"),
    ],
)
def test_a_short_one_is_hidden_where_it_stands_alone_and_a_long_one_everywhere(key: str, said: str, told: str) -> None:
    assert redacted(said, key) == told


@pytest.mark.parametrize("written", WRITTEN.values(), ids=WRITTEN)
def test_a_key_of_at_least_eight_characters_is_never_told(written: partial[str]) -> None:
    for key in KEYS:
        text = f"before{written(key)}after"
        told = redacted(text, "k", key)
        assert text != told
        assert written(key) not in told
        assert key not in told
        assert told.startswith("before")
        assert told.endswith("after")


def test_a_secret_within_another_leaves_nothing_of_it() -> None:
    assert redacted("key lab-4711-blue-moon, key lab-4711", "lab-4711", "lab-4711-blue-moon") == (
        "key [hidden], key [hidden]"
    )


def test_a_placeholder_leaves_the_words_of_the_server_readable() -> None:
    """Servers on this machine take any key, and people write the first that comes to mind."""
    said = "An unknown kind of token was asked for."
    error = failure_of(http_error(403, said), kind=ChatCompletionsLLM, api_key=lambda: "k")

    assert isinstance(error, ModelRefused)
    assert said in str(error.message)


@pytest.mark.parametrize("written", WRITTEN.values(), ids=WRITTEN)
def test_the_log_holds_no_key_either(written: partial[str], monkeypatch: pytest.MonkeyPatch) -> None:
    note_secrets(Manifest())
    for key in KEYS:
        monkeypatch.setenv("OPENAI_API_KEY", key)
        line = json.dumps({"text": f"before {written(key)} after"}, ensure_ascii=False).encode()
        kept: str = json.loads(masked_line(line))["text"]
        assert kept.startswith("before ")
        assert kept.endswith(" after")
        assert written(key) not in kept
        assert "[hidden]" in kept


def test_a_key_of_letters_alone_is_hidden_in_the_log_unless_it_may_be_a_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "qwlkjhgfdsazxcvbnm")
    assert masked_line(b'"my qwlkjhgfdsazxcvbnm"') == b'"my [hidden]"'
    monkeypatch.setenv("OPENAI_API_KEY", "characteristics")
    assert masked_line(b'"its characteristics"') == b'"its characteristics"'
