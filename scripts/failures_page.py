"""Writes docs/failures.md from the table of the tests: they check that it is what a person sees."""

from __future__ import annotations

from pathlib import Path

from tests.session.failure_table import ANSWER, SECTIONS, Failure

PAGE = Path(__file__).parents[1] / "docs" / "failures.md"
HEAD = """\
# When the model fails

What you see when a model's server, the way to it, or the model itself does something wrong, and what to do then. After
each of them the conversation is whole: what was fetched stays in `copilot.data`, and the next question works. Ask a
question that failed again with *Retry* in the panel, or by asking it.

Each row is played in the tests over a real socket, in both APIs, with exactly these words; this page is written by
`scripts/failures_page.py` from their table. `HOST` is your server, `MODEL` your model, `KEY` the variable with the
key, `…` what the server says itself.
"""
_NAMES = {
    "host": "`HOST`",
    "address": "`HOST`",
    "api": "Responses API (or Chat Completions API)",
    "key_name": "`KEY`",
    "model": "`MODEL`",
    "timeout": "600",
    "said": "…",
    "wait": "5 s",
    "why": " Reason: ….",
    "huge": "the answer, whole",
}


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *(_section(title, rows) for title, rows in SECTIONS.items())])


def _section(title: str, rows: tuple[Failure, ...]) -> str:
    lines = [f"## {title}", "", "| what happens | what you see | what to do |", "| --- | --- | --- |"]
    return "\n".join([*lines, *map(_row, rows), ""])


def _row(row: Failure) -> str:
    shown = "the answer" if row.shown == ANSWER else row.shown.format(**_NAMES).replace("\n\n", "<br>")
    hint = row.hint.format(**_NAMES) or ("nothing" if row.shown in {ANSWER, "{huge}"} else "as it says")
    return f"| {row.what} | {shown} | {hint} |"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
