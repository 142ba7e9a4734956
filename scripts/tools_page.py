"""Writes docs/tools.md from the tools' declarations: `make docs` checks that it is what they say."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Any

from qdash_jupyter.messages.message import text_in
from qdash_jupyter.tools.builtin import BUILTIN_TOOLS
from qdash_jupyter.tools.size_limit import FEW_ROWS, FEW_ROWS_CHARS, MAX_TOOL_RESULT_CHARS
from qdash_jupyter.tools.spec import ToolSpec
from qdash_jupyter.tools.toolbox import READ_TIMEOUT_S

PAGE = Path(__file__).parents[1] / "docs" / "tools.md"
HEAD = f"""\
# The tools

What the copilot may call, and what you may call yourself: `copilot.tools.get_chip_summary()` in Python, or
`qdash-jupyter tool get_chip_summary '{{}}'` from a shell, which prints exactly what the model would get.

This page is written by `scripts/tools_page.py` from the declarations in `qdash_jupyter/tools/`.

- Without `chip_id` the current chip is meant; with several it asks which. Ids may be written `7`, `Q07`, `qubit 7`.
- A result that is a table stays in your kernel as a DataFrame: `data_key` says where in `copilot.data`. The model gets
  its rows while they are few ({FEW_ROWS} rows, {FEW_ROWS_CHARS:,} characters), else a summary.
- No result longer than {MAX_TOOL_RESULT_CHARS:,} characters goes to the model: lists are cut between items, and
  `_omitted` says how many are missing.
- Nothing is ever written to the database.
"""


def page() -> str:
    """The whole page."""
    return "\n".join([HEAD, *map(_section, BUILTIN_TOOLS)])


def _section(spec: ToolSpec) -> str:
    required = set(spec.schema()["parameters"].get("required", ()))
    lines = [
        f"## `{spec.name}`",
        "",
        f"{spec.label} · {text_in(spec.label, 'ja')}",
        "",
        inspect.cleandoc(spec.run.__doc__ or ""),
    ]
    if limits := _limits(spec):
        lines += ["", limits]
    lines += ["", "| argument | type | |", "| --- | --- | --- |"]
    for name, property_ in spec.arguments().items():
        needed = "**required.** " if name in required else ""
        meaning = str(property_["description"])
        lines.append(f"| `{name}` | {_type(property_)} | {needed}{meaning[:1].upper()}{meaning[1:].rstrip('.')}. |")
    return "\n".join(lines) + "\n"


def _limits(spec: ToolSpec) -> str:
    parts = []
    if spec.max_calls_per_turn is not None:
        parts.append(f"The model may call it {spec.max_calls_per_turn} times in one question.")
    if spec.effect == "read":
        whose = "" if spec.timeout_s else " (`tool_defaults.timeout_seconds`)"
        parts.append(f"Given up after {spec.timeout_s or READ_TIMEOUT_S:g} s{whose}.")
    return " ".join(parts)


def _type(property_: dict[str, Any]) -> str:
    if "anyOf" in property_:
        return " or ".join(_type(option) for option in property_["anyOf"] if option.get("type") != "null")
    if "enum" in property_:
        return ", ".join(f"`{value}`" for value in property_["enum"])
    kind: str = property_.get("type", "any")
    if kind == "array":
        most = f", at most {property_['maxItems']:,}" if "maxItems" in property_ else ""
        return f"list of {_type(property_.get('items', {}))}{most}"
    low = property_.get("minimum", property_.get("exclusiveMinimum"))
    high = property_.get("maximum", property_.get("exclusiveMaximum"))
    if high is None:
        return kind if low is None else f"{kind} ≥ {low}"
    return f"{kind}, {low} to {high:,}"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
