"""How far code of the agent's may go by itself."""

from __future__ import annotations

from typing import Literal, TypeAlias

Policy: TypeAlias = Literal["insert_only", "review", "guarded", "trusted"]
"""What may run. `insert_only`: nothing, cells are only inserted; `review`: what the user has approved; `guarded`: what
reads and computes, and the rest with approval; `trusted`: everything.
"""

POLICIES: tuple[Policy, ...] = ("insert_only", "review", "guarded", "trusted")
"""From the narrowest to the widest."""


def narrower(one: Policy, other: Policy) -> Policy:
    """The one that allows less."""
    return min(one, other, key=POLICIES.index)
