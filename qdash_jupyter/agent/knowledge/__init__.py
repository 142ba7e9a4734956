"""What is known of each task: what it measures, what is expected, and what goes wrong.

task        the types, in the shape of QDash's TaskKnowledge
library     the starter knowledge of this package, under the lab's own
text        knowledge as the model reads it
starter/    one file a task
"""

from qdash_jupyter.agent.knowledge.library import KnowledgeLibrary
from qdash_jupyter.agent.knowledge.task import TaskKnowledge
from qdash_jupyter.agent.knowledge.text import knowledge_text

__all__ = ["KnowledgeLibrary", "TaskKnowledge", "knowledge_text"]
