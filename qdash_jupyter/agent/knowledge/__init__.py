"""What is known of each task: what it measures, what is expected, and what goes wrong.

task        the types, in the shape of QDash's TaskKnowledge
library     the starter knowledge of this package, under the lab's own
text        knowledge as the model reads it
starter/    one file a task
"""
