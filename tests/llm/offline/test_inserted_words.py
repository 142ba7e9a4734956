"""A word of meaning, put anywhere into a question that runs, makes it another question or none.

Questions and words are those of people who had not seen the grammar (`bench/eval`). 2,000 questions are read, which
takes a minute.
"""

from __future__ import annotations

import re
from random import Random

import pytest
from eval.parsed import HERE, read_all

from qdash_jupyter.domain.language import language_of
from qdash_jupyter.llm.offline.grammar.assembling import queries
from qdash_jupyter.llm.offline.grammar.parts import parts_of
from tests.llm.offline.asking import NOW

WITHOUT_MEANING = set(
    re.findall(
        r"\S+",
        """a about all an and any anyone are as at be been both but by can could did do does doing during
        each every everyone anything for
        from had has have hey hi how i i'd i'm if in into is it just let's me my of ok on one our out
        please pls so some thanks that the their them there these they thing this those thx to us
        want was we we've were what what's whats where which who whose will with would you your
        check dump find get gimme give go got know list look looking meet need needs open pick put
        search see should show shown teach tell using
        actually ones compute recommend something""",
    )
)
"""Articles, prepositions, pronouns, forms of to be, have and do, question words, words of talk, and ways to say
"please show me"."""
SAYS_THE_SAME = {
    # A question without a time is about the newest values, which are stored data of this chip.
    *("current", "currently", "last", "latest", "newest", "now", "rn", "stored", "recorded", "data", "value", "values"),
    *("recent", "numbers", "add"),  # "add" to nothing
    *("anywhere", "chip", "chip's", "overall", "qubit", "qubits", "qubits'"),
    *("sit", "sits", "morning", "well"),  # "well, T2 echo of Q35"
    "percent",  # how many there are is told with their share
    "once",  # "ever above 150 μs"
    "either",  # "either below 4.5 GHz or above 5 GHz"
    *("since", "launched"),  # "since when was …", "in since June"; "runs launched in June"
    "its",  # "worst 5 qubits by its T1"
    # Part of a longer name of the same: "readout fidelity".
    *("fid", "fids", "fidelity", "fidelities", "frequency", "drive", "times", "assignment"),
}
"""Reviewed one by one."""


def understood(sentence: str) -> int:
    """How many parts of it have a meaning."""
    return max((sum(part.name != "filler" for part in parts) for parts in parts_of(sentence, NOW)), default=0)


@pytest.mark.long
@pytest.mark.timeout(1_200)
def test_a_word_of_meaning_is_never_skipped_wherever_it_stands() -> None:
    asked = [
        meant.question
        for path in (HERE / "meant.txt", *sorted((HERE / "asked_by_others").glob("*.txt")))
        for meant in read_all(path)
        if not (meant.follows or language_of(meant.question) == "ja")
    ]
    running = [(question, found) for question in asked if len(found := queries(question, NOW)) == 1]
    words = sorted({word for question in asked for word in re.findall(r"[a-z][a-z'-]+", question.lower())})
    random, skipped = Random(40), set()  # noqa: S311 - no secret
    for turn in range(2_000):
        word = words[turn % len(words)]
        question, found = random.choice(running)
        parts = question.lower().split()
        place = random.randrange(len(parts) + 1)
        sentence = " ".join((*parts[:place], word, *parts[place:]))
        if word in WITHOUT_MEANING or word in parts or queries(sentence, NOW) != found:
            continue
        if understood(sentence) == understood(question):  # else it is understood, and says what another word says
            skipped.add(word)
    assert skipped <= SAYS_THE_SAME, skipped - SAYS_THE_SAME
    assert len(SAYS_THE_SAME) <= 60
