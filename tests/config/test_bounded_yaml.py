"""YAML whose aliases stand for more than anybody could mean, in every place that reads a stranger's."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from qdash_jupyter.config.bounded_yaml import MOST_DEPTH, compose, load
from qdash_jupyter.config.layers import load_manifest
from qdash_jupyter.config.violations import lines_of
from qdash_jupyter.errors import CassetteError, ConfigurationError
from qdash_jupyter.llm.cassette import tape

BILLION = "a: &a [x, x, x, x, x, x, x, x, x]\n" + "".join(
    f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]\n" for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
MERGED = "a: &a {k: 1}\n" + "".join(
    f"{name}: &{name}\n  <<: [{', '.join([f'*{before}'] * 9)}]\n"
    for before, name in zip("abcdefgh", "bcdefghi", strict=True)
)
DEEP = "[" * 1_000 + "]" * 1_000  # what Python cannot compose; twice as many cost four times as long


@pytest.mark.parametrize(
    "text",
    [BILLION, MERGED, DEEP, "a: &a [*a]", "&a {b: *a}"],
    ids=["a billion", "merged", "deep", "a list in itself", "a mapping in itself"],
)
def test_it_is_refused_before_anything_is_made_of_it(text: str) -> None:
    for read in (load, compose, lines_of):
        with pytest.raises(yaml.YAMLError):
            read(text)


def test_what_people_write_is_read() -> None:
    assert load("base: &base {a: 1, b: [2, 3]}\nmore:\n  <<: *base\n  b: *base") == {
        "base": {"a": 1, "b": [2, 3]},
        "more": {"a": 1, "b": {"a": 1, "b": [2, 3]}},
    }
    deep = "[" * (MOST_DEPTH - 1) + "]" * (MOST_DEPTH - 1)
    assert load(deep) is not None
    assert load(yaml.safe_dump({str(key): key for key in range(10_000)}))["9999"] == 9999
    assert load("") is None


def test_settings_say_where(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """282 bytes used to stop every command, before trust was asked for."""
    (tmp_path / "copilot.yaml").write_text(BILLION, encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(ConfigurationError, match=r"Can't read .*copilot.yaml: line \d+.*check the aliases"):
        load_manifest(folder=tmp_path)


def test_a_cassette_is_refused_as_broken(tmp_path: Path) -> None:
    (tmp_path / "tape.yaml").write_text(BILLION, encoding="utf-8")
    with pytest.raises(CassetteError, match=r"is broken in line \d+: it expands to more than"):
        tape._documents(tmp_path / "tape.yaml", BILLION)
