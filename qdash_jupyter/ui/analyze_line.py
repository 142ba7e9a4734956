"""The line of `%copilot analyze`."""

from __future__ import annotations

from qdash_jupyter.domain.analysis import AnalysisRequest
from qdash_jupyter.errors import QuestionError
from qdash_jupyter.messages.message import Message
from qdash_jupyter.ui.line import ANALYZE, AskOptions, ask_options, options_of


def analyze_line(words: str) -> tuple[AskOptions, AnalysisRequest, str]:
    """`TASK QID [OPTIONS] [QUESTION]`: how to ask (options may come first, too), what is meant, and the question as it
    is written.

    Raises:
        QuestionError: the task or the qubit is missing, or there is no such option.
    """
    first, words = options_of(words, ANALYZE)
    task, _, rest = words.strip().partition(" ")
    qid, _, rest = rest.strip().partition(" ")
    if not qid or qid.startswith("--"):
        raise QuestionError(Message("analysis-needs-task"), Message("analysis-usage"))
    given, question = options_of(rest, ANALYZE)
    given = first | given
    request = AnalysisRequest(task, qid, given.get("execution"), given.get("task-id"))
    return ask_options(given), request, question.strip()
