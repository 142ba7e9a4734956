"""What waits for an approval and what is approved, for `%copilot approve`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from qdash_jupyter.domain.cell_edit import code_fence
from qdash_jupyter.domain.safe_text import printable
from qdash_jupyter.messages.message import Message, Text, lines
from qdash_jupyter.ui.display import paragraphs

if TYPE_CHECKING:
    from qdash_jupyter.session.approvals import Approvals


def approvals_list(approvals: Approvals) -> str:
    """As Markdown; the numbers are those that `%copilot revoke` takes."""
    parts: list[Text] = []
    if (waiting := approvals.waiting) is not None:
        effects = (Message("list-item", mark="-", text=effect.in_words) for effect in waiting.effects)
        parts += [
            lines(Message("approval-waiting", hash=waiting.code_hash), *effects),
            code_fence(printable(waiting.code)),
        ]
    if standing := approvals.standing():
        numbered = enumerate(standing, start=1)
        parts.append(lines(*(Message("list-item", mark=f"{n}.", text=effect.in_words) for n, effect in numbered)))
    return paragraphs(*parts or [Message("no-approvals")])
