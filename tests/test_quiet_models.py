"""Models of pydantic whose fields have names that older versions warn of."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

from pydantic import BaseModel

import qdash_jupyter

PACKAGE = Path(qdash_jupyter.__file__).parent


def _all(of: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for each in of.__subclasses__():
        yield each
        yield from _all(each)


def test_no_version_of_pydantic_warns_of_a_fields_name() -> None:
    """Until 2.10 it keeps all names that begin with `model_` for itself; a lab may have 2.6."""
    for path in PACKAGE.rglob("*.py"):
        if "BaseModel" in path.read_text(encoding="utf-8"):
            import_module(".".join(path.relative_to(PACKAGE.parent).with_suffix("").parts))
    ours = [each for each in _all(BaseModel) if each.__module__.startswith("qdash_jupyter.")]
    assert len(ours) > 10
    warned = [
        each.__name__
        for each in ours
        if any(name.startswith("model_") for name in each.model_fields)
        and each.model_config.get("protected_namespaces") != ()
    ]
    assert warned == []
