"""Writes `docs/planner.md` from what the planner reads: `make docs` checks that it is what the code says."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from qdash_jupyter.llm.offline.grammar.forms import examples
from qdash_jupyter.llm.offline.wording import sentence_of

PAGE = Path(__file__).resolve().parents[1] / "docs" / "planner.md"
ASKED_ON = datetime(2026, 6, 30, 5, 40, tzinfo=UTC)

HEAD = """\
# The offline planner

It answers without a language model, by fixed methods. A question, English or Japanese, is parsed whole by a
[grammar](../qdash_jupyter/llm/offline/grammar/en.lark) into one form: what is asked, of which parameters and qubits,
under which conditions, in which time. Operations of that kind call the tools and compute in cells of a few lines,
with the [methods](methods.md). The same question to the same database gives the same answer, byte by byte. It invents
nothing: each number comes from a tool or from a cell that ran. It cannot tell why something is so.

- Each answer begins with how the question was read: "T1 below 40 μs · newest values".
- A question with a word that has no place in the grammar is not answered. The nearest questions that can be are
  offered, with what was understood in place: as buttons in the panel, by number in a cell (`%copilot ask --pick 1`)
  and in a terminal (`qdash-jupyter ask … --pick 1`; the exit status is 1). A misspelt word is never corrected silently.
- Where words mean two things ("T2", "fidelity", "last week", "last night"), both are offered.
- "and Q5?", "in June", "of these, readout below 93 %", "its neighbours" change the question before; the reading shows
  what it became. Behind a question that was not answered they are offered, with what that one may have meant.
- Times are days of UTC. A date without its year is the last one that was. "This week" and "last week" may be the
  calendar's or the last 7 days; beside another week they are the calendar's. "The past week" is 7 days, "last month"
  the calendar's.
- "…, reliable fits only": the curves behind the values are fitted again ([curves](curves.md)), and values that these do
  not support are left out.
- Questions of more than 300 characters are not read. Of one that does not parse, offers come from its first 120
  characters, and from each of its last three clauses that asks something alone.

This page is written by `scripts/planner_page.py`. How well it understands: [evaluation](evaluation.md). Why it is as it
is: [decision 0058](decisions/0058-a-question-is-parsed-whole.md).

## What can be asked

"What can I ask?", 「何が聞けますか？」 shows these, in the panel by group as buttons. Other words and another order do
as well. The panel's box [completes](panel.md#completing-a-question) them.
"""

TAIL = """
## What it is judged by

Values of qubits, couplings and task results carry the grade of the lab's thresholds (`scoring` in
[settings.md](settings.md)), and the answer that of the worst. Failed runs and what people wrote are told and
not judged.
"""


def page() -> str:
    """The whole page."""
    parts = [HEAD]
    for group, queries in examples(ASKED_ON).items():
        rows = (f"| {sentence_of(query, 'en')} | {sentence_of(query, 'ja')} |" for query in queries)
        parts.append("\n".join([f"### {group}", "", "| English | 日本語 |", "| --- | --- |", *rows, ""]))
    return "\n".join(parts) + TAIL


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
