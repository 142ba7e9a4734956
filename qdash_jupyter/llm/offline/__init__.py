"""The offline planner: answers the common questions without a language model, by fixed plans, and says so.

intent     what a question asks for
recognition, kinds, vocabulary, spans, details     how that is told from its words, in English and Japanese
plan       the form of a plan: calls out, results in, an answer at the end
plans/     one file for each kind of question; those that one read answers are a table, `LOOKUPS`
asking     questions back, and the replies that complete what was asked
abilities  what can be asked, in words
code/      the analysis code the plans write
planner    `OfflinePlanner`, behind the same door as a language model
"""
