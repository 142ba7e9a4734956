"""Analysis mode: everything that is known of one result, put before the model with the question.

context   which result is meant, and its parts: the target, the result, its history, neighbours, couplings
values    values in words, against thresholds and earlier ones
curve     its points fitted anew, and the verdict
figures   the pictures of the experiment and of the knowledge
message   all of it as one message of the conversation
cell      a cell of the notebook instead of a result, also one that failed and is to be mended
offer     results that a user can choose from
"""
