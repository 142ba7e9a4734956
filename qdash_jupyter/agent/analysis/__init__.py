"""Analysis mode: everything that is known of one result, put before the model with the question.

result    which result is meant
context   its parts: the target, the result, its history, neighbours, couplings
values    values in words, against thresholds and earlier ones
curve     its points fitted anew, and the verdict
figures   the pictures of the experiment and of the knowledge
message   all of it as one message of the conversation
cell      a cell of the notebook instead of a result
failed_cell  a cell that failed, to be mended
offer     results that a user can choose from
"""

from qdash_jupyter.agent.analysis.cell import cell_context
from qdash_jupyter.agent.analysis.failed_cell import failed_cell_context
from qdash_jupyter.agent.analysis.message import AnalysisContext, AnalysisSources, analysis_context
from qdash_jupyter.agent.analysis.offer import offered_results

__all__ = [
    "AnalysisContext",
    "AnalysisSources",
    "analysis_context",
    "cell_context",
    "failed_cell_context",
    "offered_results",
]
