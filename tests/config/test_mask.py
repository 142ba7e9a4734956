"""What is taken out of a text, and what is left in it."""

from __future__ import annotations

from pathlib import Path

import pytest

from qdash_jupyter.config.manifest import Manifest
from qdash_jupyter.config.mask import MaskedStream, masked, note_secrets

SHAPES = {
    "sk-proj-Abc123def456ghi789": "[hidden]",
    "OPENAI_API_KEY='sk-proj-Abc123def456ghi789',": "OPENAI_API_KEY='[hidden]',",
    "Authorization: Bearer abc123.DEF-456_7==": "Authorization: Bearer [hidden]",
    "{'Authorization': 'Basic bWU6aHVudGVyMjI='}": "{'Authorization': 'Basic [hidden]'}",
    "mongodb://me:hunter22@db:27017/qdash?authSource=admin": "mongodb://me:[hidden]@db:27017/qdash?authSource=admin",
    "mongodb+srv://me:p@ss@db/x": "mongodb+srv://me:[hidden]@db/x",
    "token ghp_0123456789abcdefghijABCDEFGHIJ012345 of it": "token [hidden] of it",
    "AKIAIOSFODNN7EXAMPLE": "[hidden]",
    "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.dBjftJeZ4CVP-mB92K27": "[hidden]",
    "a\n-----BEGIN RSA PRIVATE KEY-----\nMIIEow\nIBAAK\n-----END RSA PRIVATE KEY-----\nb": "a\n[hidden]\nb",
}
ORDINARY = [
    "0.123456789012345 and 12345678901234567890",
    "20260630-001 in 7d9f0c1a-58ce-4f0e-9ad2-0d7c5f3f2b11",
    "4f3c2a1b9d8e7f6a5b4c3d2e1f0a9b8c",
    "Q012 of 64Q-A, task CheckT1Echo, ratio 3:4@5",
    "https://qdash.lab:8080/execution/20260630-001?tab=1",
    "mongodb://db.lab:27017/qdash",
    "Bearer of bad news: the T1 of Q012",
    "risk-adjusted-and-very-careful-estimates, sk-learn",
    "skewness of the key parameter; the token `[` was not expected",
    "/home/me/calib/keys.csv",
]


@pytest.mark.parametrize(("text", "shown"), SHAPES.items())
def test_what_has_the_shape_of_a_secret_is_masked(text: str, shown: str) -> None:
    assert masked(text) == shown


@pytest.mark.parametrize("ends", ["\n-----END RSA PRIVATE KEY-----\nafter", ""])
def test_a_private_key_that_comes_line_by_line_is_masked(ends: str) -> None:
    text = "before\n-----BEGIN RSA PRIVATE KEY-----\n" + "MIIEow\n" * 100 + "IBAAK" + ends
    stream = MaskedStream()
    shown = "".join(map(stream.add, text.splitlines(keepends=True))) + stream.rest()
    assert shown == ("before\n[hidden]\nafter" if ends else "before\n[hidden]")


def test_no_more_than_a_key_is_kept_back() -> None:
    stream = MaskedStream()
    lines = ["-----BEGIN RSA PRIVATE KEY-----\n", *["0123456789\n"] * 2000]
    assert len("".join(map(stream.add, lines))) > 0


@pytest.mark.parametrize("text", ORDINARY)
def test_ordinary_data_stay(text: str) -> None:
    assert masked(text) == text
    stream = MaskedStream()
    assert "".join(map(stream.add, text)) + stream.rest() == text


def test_secrets_of_the_environment_are_known_by_the_names_of_their_variables(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    file = tmp_path / "id_rsa"
    file.touch()
    secrets = {
        "LAB_API_KEY": "lab/key+0123456789",
        "SLACK_TOKEN": "slack-word-77",
        "AWG_PASSWORD": "Ag3nt-pw-1",
        "DATABASE_URL": "postgresql://lab:p%40ss-W0rd@db/x",
    }
    plain = {
        "SSH_PRIVATE_KEY": str(file),
        "CACHE_KEY": "20260630",
        "HOT_KEY": "calibration",
        "KEYBOARD_MODEL": "board-model-105",
        "TOKEN_FILE": "tokens-of-the-lab.txt",
    }
    for name, value in (secrets | plain).items():
        monkeypatch.setenv(name, value)

    for secret in [
        "lab/key+0123456789",
        "lab%2Fkey%2B0123456789",
        "slack-word-77",
        "Ag3nt-pw-1",
        "p%40ss-W0rd",
        "p@ss-W0rd",
    ]:
        assert masked(f"it is {secret}.") == "it is [hidden]."
    for value in plain.values():
        assert masked(f"it is {value}.") == f"it is {value}."


def test_what_the_settings_hold_is_known() -> None:
    note_secrets(
        Manifest.model_validate(
            {
                "models": {
                    "lab": {
                        "name": "m",
                        "base_url": "http://gate:http-pass-7@llm.lab/v1",
                        "headers": {"X-Gate": "gate-word-7712"},
                    }
                },
                "database": {
                    "reader": "archive",
                    "reader_options": {"password": "tape-word-33", "folder": "tapes-of-2025"},
                },
            }
        )
    )

    said = "http-pass-7, gate-word-7712, tape-word-33, tapes-of-2025"
    assert masked(said) == "[hidden], [hidden], [hidden], tapes-of-2025"


def test_values_of_json_are_masked_in_their_place(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAB_TOKEN", "token-word-4711")
    numbers = [0.5, 2, None]
    value = {"token-word-4711": ["a", ("token-word-4711", 1)], "y": numbers}

    shown = masked(value)

    assert shown == {"[hidden]": ["a", ("[hidden]", 1)], "y": numbers}
    assert shown["y"] is numbers


@pytest.mark.parametrize("size", [1, 2, 3, 7, 100])
def test_a_stream_shows_no_part_of_a_secret(size: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LAB_TOKEN", "token-word-4711")
    text = "Of token-word-4711, sk-proj-Abc123def456ghi789 and mongodb://me:hunter22@db/x: Bearer abc123def456. Well."
    stream, shown = MaskedStream(), ""

    for start in range(0, len(text), size):
        shown += stream.add(text[start : start + size])
        assert not any(secret in shown for secret in ("token-", "sk-", "hunter", "abc1"))

    assert shown + stream.rest() == "Of [hidden], [hidden] and mongodb://me:[hidden]@db/x: Bearer [hidden]. Well."
