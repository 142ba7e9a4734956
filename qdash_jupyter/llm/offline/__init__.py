"""The offline planner: answers the common questions without a language model, by fixed plans, and says so.

grammar/    a question parsed whole: the one `Query` that it is, or the nearest that can be answered
operations/ rows that answer each kind: their reads, their cells of methods, their words
query       what a question asks for, and times that it speaks of
plan        the form of a plan: calls, their results, the answer
reading     one result read by fixed rules; the user's own cells and variables
completion  how the panel's box completes a question
wording     a query as a sentence, which reads as that query again
phrases     `Say`: how an answer is put in a language
planner     `OfflinePlanner`, behind the same door as a language model
"""
