"""The offline planner: answers the common questions without a language model, by fixed plans, and says so.

query       what a question asks for, typed
reader      reads it from the sentence, with `lexicon` (words), `times`, `limits` (conditions), `asked` (which kind)
follow_up, clarifying   a question that leans on the one before; questions back, and the replies that complete one
operations/ one operation for each kind: its reads, its cells of methods, its answer
accounting  what an operation leaves out is named, or refuses the question
abilities   what can be asked, in words
phrases     `Say`: how an answer is put in a language
planner     `OfflinePlanner`, behind the same door as a language model
"""
