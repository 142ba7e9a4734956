"""Analysis mode: everything that is known of one result, put before the model with the question.

result    which result is meant
context   its parts: the target, the result, its history, neighbours, couplings
values    values in words, against thresholds and earlier ones
figures   the pictures of the experiment and of the knowledge
message   all of it as one message of the conversation
"""

from qdash_jupyter.agent.analysis.message import AnalysisSources, analysis_message

__all__ = ["AnalysisSources", "analysis_message"]
