"""Texts on their way to a page."""

from __future__ import annotations

from typing import Annotated, TypeAlias

from pydantic import GetPydanticSchema
from pydantic_core import core_schema

from qdash_jupyter.messages.message import Text

Shown: TypeAlias = Annotated[Text, GetPydanticSchema(lambda _, __: core_schema.str_schema())]
"""What people read: the page gets it in its language."""
