"""A long talk in one process: what a question keeps of the memory, and whether the last one is as fast as the first.

The offline planner on the demo chip. QUESTIONS (300) are asked, the first fifth unmeasured. Goals: at most 0.05 MB a
question, tables left out, as `%copilot data` says what these take; the last questions within 1.1 times of the processor
time of the first.
"""

from __future__ import annotations

import gc
import os
import tempfile
import time
import tracemalloc
from statistics import median

QUESTIONS = int(os.environ.get("QUESTIONS", "300"))
ASKED = ("T1 of Q12", "Compare the T1 of Q7 and Q8", "What failed this week?", "T2 echo of Q5")
MB_GOAL, TIME_GOAL = 0.05, 1.1


def main() -> None:
    """Print the figures."""
    os.environ["XDG_DATA_HOME"] = os.environ["JUPYTER_DATA_DIR"] = tempfile.mkdtemp(prefix="bench-talk-")
    from qdash_jupyter import open_copilot

    copilot, took, first = open_copilot(), [], QUESTIONS // 5
    for number in range(QUESTIONS):
        begin = time.process_time()
        copilot.ask(ASKED[number % len(ASKED)])
        took.append(time.process_time() - begin)
        for key in list(copilot.data):
            del copilot.data[key]
        if number == first:
            gc.collect()
            tracemalloc.start()
            begin_bytes = tracemalloc.get_traced_memory()[0]
    gc.collect()
    mb = (tracemalloc.get_traced_memory()[0] - begin_bytes) / 1e6 / (QUESTIONS - first)
    measured = took[first + 1 :]
    part = len(measured) // 4
    ratio = median(measured[-part:]) / median(measured[:part])
    print(f"{QUESTIONS} questions: {mb:.3f} MB kept of each, goal {MB_GOAL}: {'met' if mb <= MB_GOAL else 'not met'}")
    print(
        f"last over first, processor time: {ratio:.2f}, goal {TIME_GOAL}: {'met' if ratio <= TIME_GOAL else 'not met'}"
    )


if __name__ == "__main__":
    main()
