from __future__ import annotations

import pytest

from qdash_jupyter.domain.work import Work
from qdash_jupyter.messages.languages import Language
from qdash_jupyter.tools.toolbox import progress_words


@pytest.mark.parametrize(("language", "words"), [("en", "1,234,567 documents, 160 MB"), ("ja", "1,234,567件、160 MB")])
def test_it_has_units_in_the_language_of_the_answer(language: Language, words: str) -> None:
    assert progress_words(Work(documents=1_234_567, nbytes=160_493_710)).of(language) == words


def test_what_is_not_known_is_left_out() -> None:
    assert str(progress_words(Work(documents=4_000))) == "4,000 documents"
