"""Texts in the languages of the screen."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Language = Literal["en", "ja"]


@dataclass(frozen=True, slots=True)
class Words:
    """A text in the languages of the screen."""

    en: str
    ja: str

    def of(self, language: Language) -> str:
        """The text in `language`."""
        return self.ja if language == "ja" else self.en
