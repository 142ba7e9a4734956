"""Texts in the languages of the screen."""

from __future__ import annotations

import re
from dataclasses import dataclass

from qdash_jupyter.messages.languages import LANGUAGES, Language

__all__ = ["LANGUAGES", "Language", "Words", "language_of"]

_JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")


def language_of(question: str) -> Language:
    """The language in which something was asked, of the two of the screen."""
    return "ja" if _JAPANESE.search(question) else "en"


@dataclass(frozen=True, slots=True)
class Words:
    """A text in the languages of the screen."""

    en: str
    ja: str = ""

    def of(self, language: Language) -> str:
        """The text in `language`; in English where there is none."""
        return self.ja or self.en if language == "ja" else self.en
