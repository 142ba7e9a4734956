"""Lines of `%copilot` and `%%copilot`: what is a command, what an option, and what a question."""

from __future__ import annotations

import pytest

from qdash_jupyter.errors import QuestionError
from qdash_jupyter.messages.languages import LANGUAGES
from qdash_jupyter.messages.message import Message
from qdash_jupyter.session.records import TurnOptions
from qdash_jupyter.ui.line import ASK, COMMANDS, DATA, AskOptions, ask_options, command_of, options_of
from qdash_jupyter.ui.options import DataOptions, options_given


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("", ("help", "")),
        ("status", ("status", "")),
        ("  data   refresh t1 ", ("data", "refresh t1")),
        ("Which qubits lost T1?", ("ask", "Which qubits lost T1?")),
        ("--chip X Which qubits lost T1?", ("ask", "--chip X Which qubits lost T1?")),
        ("過去30日でT1が低下した量子ビットは?", ("ask", "過去30日でT1が低下した量子ビットは?")),
        ("T1?", ("ask", "T1?")),
        ("ask new", ("ask", "new")),
        ("config --explain", ("config", "--explain")),
    ],
)
def test_words_that_begin_with_no_command_are_a_question(line: str, command: tuple[str, str]) -> None:
    assert command_of(line) == command


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("stauts", "Did you mean `%copilot status`?"),
        ("stauts?", "Did you mean `%copilot status`?"),
        ("Which", "`%copilot ask Which`"),
        ("new chips of this week", "`%copilot ask new …`"),
        ("undo what Q7 did?", "takes no arguments"),
        ("status --nonsense", "This command has no option `--nonsense`"),
        ("config --expalin", "Did you mean `--explain`?"),
    ],
)
def test_one_word_that_is_no_command_and_words_too_many_are_refused(line: str, told: str) -> None:
    with pytest.raises(QuestionError) as refused:
        command_of(line)
    assert told in str(refused.value)


def test_options_stand_before_the_question_which_stays_as_it_is_written() -> None:
    line = " --chip 64Q-a --project='lab b'\t--wait\n Why does `x --y`  wait?"
    assert options_of(line, ASK) == (
        {"chip": "64Q-a", "project": "lab b", "wait": ""},
        "\n Why does `x --y`  wait?",
    )
    assert options_of("- a list\n-5 dBm --", ASK) == ({}, "- a list\n-5 dBm --")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ("--chpi X Which?", "This command has no option `--chpi`. Did you mean `--chip`?"),
        ("--wiat\nWhich?", "This command has no option `--wiat`. Did you mean `--wait`?"),
        ("-wait Which?", "This command has no option `-wait`. Did you mean `--wait`?"),
        ("--wait --nonsense Which?", "Known: `--wait`, `--chip`"),
        ("--chip", "`--chip` needs a value. Write `--chip ID`."),
        ("--chip --wait Which?", "`--chip` needs a value."),
        ("--wait=yes Which?", "`--wait` takes no value."),
    ],
)
def test_an_unknown_option_is_refused_with_the_nearest(words: str, told: str) -> None:
    with pytest.raises(QuestionError) as refused:
        options_of(words, ASK)
    assert told in str(refused.value)


def test_options_of_a_question() -> None:
    assert ask_options({}) == AskOptions()
    given = {"chip": "c", "model": "m", "out": "answer"}
    assert ask_options(given) == AskOptions(wait=True, out="answer", turn=TurnOptions(chip="c", model="m"))
    for name in ("a.b", "class", "copilot", "7"):
        with pytest.raises(QuestionError, match="can't be named"):
            ask_options({"out": name})


def test_data_options_are_read_as_they_are_written() -> None:
    options = DataOptions(snapshot="/a b/it's", project="p", chip="64Q-a")
    assert options_given(options_of(options.line(), DATA)[0]) == options
    with pytest.raises(QuestionError, match="More than one data source"):
        options_given({"demo": "", "snapshot": "x"})


def test_help_names_every_command() -> None:
    for language in LANGUAGES:
        text = Message("magics-help").of(language)
        assert not [name for name in COMMANDS if f"`%copilot {name}" not in text]
