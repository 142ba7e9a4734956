from __future__ import annotations

import asyncio
import json
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from qdash_jupyter.llm.openai_server.capabilities import Capabilities, Learned

URL = "http://gateway.lab:8000/v1"
NOW = datetime(2026, 11, 22, 12, 0, tzinfo=UTC)


def known(file: Path | None, *, url: str = URL, model: str = "m", now: datetime = NOW) -> Capabilities:
    return Capabilities(url, model, file, lambda: now)


def taught(file: Path | None, **changes: Any) -> Capabilities:
    capabilities = known(file)
    asyncio.run(capabilities.learn(**changes))
    return capabilities


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "cache" / "servers.json"


def test_what_was_learned_is_known_to_the_next_kernel(file: Path) -> None:
    first = taught(
        file,
        api_style="chat_completions",
        left_out=("temperature",),
        answer_format="json_object",
        tools=False,
        streaming=False,
        structured_calls=True,
        written_calls=True,
    )

    assert known(file).known == first.known
    assert first.known.since == NOW


def test_each_address_and_model_is_known_for_itself(file: Path) -> None:
    taught(file, tools=False)

    for url, model in [(URL, "other"), ("http://gateway.lab:8000/other/v1", "m"), ("http://gateway.lab/v1", "m")]:
        assert known(file, url=url, model=model).known == Learned()
    asyncio.run(known(file, model="other").learn(streaming=False))
    assert not known(file).known.tools
    assert not known(file, model="other").known.streaming


def test_nothing_is_written_where_nothing_was_learned(file: Path) -> None:
    taught(file, tools=True, streaming=True)
    assert not file.exists()


def test_after_a_week_a_server_is_asked_again(file: Path) -> None:
    taught(file, tools=False)
    old = known(file, now=NOW + timedelta(days=6))
    asyncio.run(old.learn(**old.known.without("temperature")))  # learning more does not make the rest any younger
    assert old.known == Learned(left_out=("temperature",), tools=False, since=NOW)

    assert known(file, now=NOW + timedelta(days=7)).known == Learned()


def test_a_kernel_that_runs_for_weeks_asks_again_too() -> None:
    now = [NOW]
    capabilities = Capabilities(URL, "m", None, lambda: now[0])
    asyncio.run(capabilities.learn(tools=False))
    assert not capabilities.known.tools

    now[0] += timedelta(days=8)
    assert capabilities.known == Learned()
    assert capabilities.in_words == ""


def test_entries_out_of_date_leave_the_file(file: Path) -> None:
    taught(file, tools=False)
    later = known(file, model="other", now=NOW + timedelta(days=8))
    asyncio.run(later.learn(tools=False))

    assert [name.split()[-1] for name in json.loads(file.read_text())["servers"]] == ["other"]


def test_the_file_is_readable_and_holds_no_secret(file: Path) -> None:
    url = "https://physicist:hunter22@gateway.lab:8000/key-of-the-lab/v1?api-version=1&sig=s1gnature"
    capabilities = known(file, url=url)
    asyncio.run(capabilities.learn(tools=False))
    text = file.read_text()

    assert not any(secret in text for secret in ("hunter22", "physicist", "key-of-the-lab", "s1gnature"))
    assert "gateway.lab:8000" in text
    assert list(json.loads(text)["servers"].values()) == [{"tools": False, "since": "2026-11-22T12:00:00+00:00"}]
    assert text.count("\n") > 3
    assert [path.name for path in file.parent.iterdir()] == [file.name]


@pytest.mark.parametrize(
    "written",
    [
        "",
        "{",
        "[]",
        '{"servers": []}',
        '{"servers": {"NAME": 7}}',
        '{"servers": {"NAME": {"tools": false}}}',
        '{"servers": {"NAME": {"tools": false, "since": "yesterday"}}}',
        '{"servers": {"NAME": {"tools": "no", "answer_format": "xml", "left_out": "all", "since": "2026-11-22"}}}',
        "[" * 100_000,
    ],
)
def test_a_file_that_somebody_spoilt_counts_as_nothing_known_and_is_mended(file: Path, written: str) -> None:
    name = next(iter(json.loads(taught(file, tools=False)._file.read_text())["servers"]))  # pyrefly: ignore[missing-attribute]
    file.write_text(written.replace("NAME", name))

    found = known(file)
    assert found.known == Learned(since=found.known.since)
    taught(file, streaming=False)
    assert not known(file).known.streaming


def test_bytes_that_are_no_text_count_as_nothing_known(file: Path) -> None:
    taught(file, tools=False)
    file.write_bytes(b"\xff\xfe\x00")
    assert known(file).known == Learned()


def test_a_folder_that_cannot_be_written_keeps_it_in_this_kernel(tmp_path: Path) -> None:
    (tmp_path / "cache").write_text("a file where the folder should be")
    capabilities = taught(tmp_path / "cache" / "servers.json", tools=False)

    assert not capabilities.known.tools


def test_kernels_that_write_at_once_lose_nothing_of_each_other(file: Path) -> None:
    def teach(number: int) -> None:
        asyncio.run(known(file, model=f"m{number}").learn(tools=False))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(teach, range(24)))

    assert all(not known(file, model=f"m{number}").known.tools for number in range(24))


def test_what_is_known_is_said_in_words() -> None:
    assert known(None).in_words == ""
    assert taught(None, structured_calls=True).in_words == ""
    said = str(taught(None, left_out=("a", "b"), streaming=False).in_words)
    assert said == "without a and b, no streaming (since 2026-11-22)"
    words = taught(None, api_style="chat_completions", tools=False, answer_format="none", written_calls=True).in_words
    assert str(words).split(", ") == [
        "Chat Completions API",
        "no tools: answers from the question alone",
        "no fixed answer format",
        "writes tool calls as text (since 2026-11-22)",
    ]
