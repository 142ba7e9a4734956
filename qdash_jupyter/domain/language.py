"""Texts in the languages of the screen."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias

Language: TypeAlias = str
"""A code of `LANGUAGES`, such as `en`."""

LANGUAGES = {"en": "English", "ja": "Japanese"}
"""By code, the names by which a language model knows the languages of answers."""

_JAPANESE = re.compile(r"[\u3040-\u30ff\u4e00-\u9fff]")

_texts: dict[Language, Mapping[str, str]] = {}


def add_language(code: Language, name: str, texts: Mapping[str, str]) -> None:
    """One more language for `language.response` and `language.thinking` of the settings.

    Args:
        code: what the settings call it.
        name: its name in English.
        texts: by the English text of a `Words`, or the template of an error (`qdash_jupyter.domain.catalogue`), its
            translation. What is missing stays English.
    """
    _texts[code] = texts
    LANGUAGES[code] = name


def texts_in(language: Language) -> Mapping[str, str]:
    """The texts of a language by the English ones, which may have named fields; none of English."""
    if language == "ja":
        from qdash_jupyter.domain.japanese import TEXTS

        return TEXTS
    return _texts.get(language, {})


def language_of(question: str) -> Language:
    """The language in which something was asked, of the two of the screen."""
    return "ja" if _JAPANESE.search(question) else "en"


@dataclass(frozen=True, slots=True)
class Words:
    """A text in the languages of the screen. Other languages than these two are added by `add_language`."""

    en: str
    ja: str = ""

    def of(self, language: Language) -> str:
        """The text in `language`; in English where there is none."""
        own = self.ja if language == "ja" else _texts.get(language, {}).get(self.en, "")
        return own or self.en
