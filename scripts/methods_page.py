"""Writes `docs/methods.md` from the docstrings of `qdash_jupyter.methods`."""

from __future__ import annotations

import inspect
from pathlib import Path
from textwrap import dedent

from qdash_jupyter import methods

PAGE = Path(__file__).resolve().parents[1] / "docs" / "methods.md"

INTRO = """\
# Methods

Written by `scripts/methods_page.py` from the docstrings. Why they are as they are:
[decisions/0028-methods.md](decisions/0028-methods.md).

"""

GROUPS = {
    "Over time": "changes jumps compare_windows trends by_period telegraph allan_deviation fit_line fit_exponential",
    "Values and relations": "spread outliers relation best_connected best_patch",
    "Current values": "attention shown meeting overview findings unmeasured ranked overall",
    "The curve behind a number": (
        "curves_of Curve Shots StoredParameter judge fit_curve audit audited reliable_only left_out"
    ),
    "Charts": "series_chart levels_chart ranking_chart band_chart bar_chart histogram scatter_chart curve_chart",
}


def page() -> str:
    """The whole page."""
    text = [INTRO, _markdown(inspect.getdoc(methods) or "")]
    for group, names in GROUPS.items():
        text.append(f"\n\n## {group}")
        for name in names.split():
            function = getattr(methods, name)
            text.append(f"\n\n### `{name}{_parameters(function)}`\n\n{_markdown(inspect.getdoc(function) or '')}")
    return "".join(text) + "\n"


def _parameters(function: object) -> str:
    """The names of the arguments, with their defaults; those behind `*` are given by name."""
    signature = inspect.signature(function)  # pyrefly: ignore[bad-argument-type]
    plain = [one.replace(annotation=inspect.Parameter.empty) for one in signature.parameters.values()]
    return str(inspect.Signature(plain))


def _markdown(docstring: str) -> str:
    """The docstring as Markdown: what it gives is a paragraph."""
    text, heading, returns = docstring.partition("Returns:\n")
    return text + heading.replace(":\n", ": ") + dedent(returns).strip()


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
