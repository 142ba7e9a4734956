"""The languages in which the product speaks."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TypeAlias

Language: TypeAlias = str
"""A code of `LANGUAGES`, such as `en`."""

LANGUAGES = {"en": "English", "ja": "Japanese"}
"""By code, the names by which a language model knows the languages of answers."""

FILES: dict[Language, Path] = {code: Path(__file__).with_name(f"{code}.ftl") for code in LANGUAGES}
"""Where the messages of each language are written."""

_pages: list[Language] = []
_CODE = re.compile(r"[a-z]{2,3}(-[A-Z][a-z]{3})?(-[A-Z]{2})?")


def reader() -> Language:
    """Return the language of whoever sees what this process shows outside of answers: that of the last page that said
    its own, else that of the terminal (LC_ALL, LC_MESSAGES, LANG).
    """
    if _pages:
        return _pages[0]
    locale = next(filter(None, map(os.environ.get, ("LC_ALL", "LC_MESSAGES", "LANG"))), "")
    code = re.split("[_.@]", locale)[0]
    return code if code in LANGUAGES else "en"


def show_in(language: Language) -> None:
    """Make this the language of the reader."""
    _pages[:] = [language]


def add_language(code: Language, name: str, messages: str | Path) -> None:
    """Add a language for `language.response` and `language.thinking` of the settings.

    Args:
        code: what the settings call it; plurals and numbers follow the rules of this language (CLDR).
        name: its name in English.
        messages: a file of Fluent messages. Messages that it does not have are shown in English.

    Raises:
        ValueError: the code is not that of a language, such as `de` or `zh-Hant`.
        OSError: the file cannot be read.
    """
    if not _CODE.fullmatch(code):
        raise ValueError(f"{code!r} isn't the code of a language such as 'de' or 'zh-Hant'.")
    file = Path(messages).absolute()
    file.read_bytes()
    LANGUAGES[code] = name
    FILES[code] = file
