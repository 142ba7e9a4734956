"""Reads model-written Python before it runs in the user's kernel and gives it a class, by an allow-list.

`inspect_code` is a light abstract interpreter: it walks the code in order and follows what each name stands for. Code
is plain only if every name, attribute, call and operator resolves to something listed in `builtin_names`, `libraries`
and `methods`. It is a speed bump with a clear view, not a jail.
"""

from qdash_jupyter.cells.effects.classify import inspect_code, mentioned_names
from qdash_jupyter.cells.effects.verdict import EffectClass, EffectReason, Effects

__all__ = ["EffectClass", "EffectReason", "Effects", "inspect_code", "mentioned_names"]
