"""Code of the agent's under checks: what it would do, and a run of it that stops before anything else happens.

`Guard.preview` reads code first; `Guard.running` gives the tree to execute in its place, in which each name from
outside, each attribute, write and import is looked at by the actual object. Exact types and listed functions pass;
leave for more is given by a `Grant`.
"""

from qdash_jupyter.cells.guard.guard import Guard, Run
from qdash_jupyter.cells.guard.refusal import EffectRefused
from qdash_jupyter.domain.effects import Effect, EffectKind, Effects, Grant

__all__ = ["Effect", "EffectKind", "EffectRefused", "Effects", "Grant", "Guard", "Run"]
