"""What waits for an approval and what is approved, for `%copilot approve`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qdash_jupyter.domain.cell_edit import code_fence
from qdash_jupyter.domain.safe_text import harmless_words

if TYPE_CHECKING:
    from qdash_jupyter.domain.effects import Effect
    from qdash_jupyter.session.approvals import Approvals


def approvals_list(approvals: Approvals) -> str:
    """As Markdown; the numbers are those that `%copilot revoke` takes."""
    lines: list[str] = []
    if (waiting := approvals.waiting) is not None:
        lines = [f"Waiting, `{waiting.code_hash}`:", *(f"- {_words(effect)}" for effect in waiting.effects)]
        lines += ["", code_fence(waiting.code), ""]
    lines += [f"{number}. {_words(effect)}" for number, effect in enumerate(approvals.standing(), start=1)]
    return "\n".join(lines) or "Nothing waits, and nothing is approved in this conversation."


def _words(effect: Effect) -> str:
    return harmless_words(str(effect.in_words))
