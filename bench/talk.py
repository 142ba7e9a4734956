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
    """Print the figures: of a talk that is timed, and of one whose memory is counted, which takes its own time."""
    os.environ["XDG_DATA_HOME"] = os.environ["JUPYTER_DATA_DIR"] = tempfile.mkdtemp(prefix="bench-talk-")
    took, _ = talk()
    part = len(took) // 4
    ratio = median(took[-part:]) / median(took[:part])
    _, mb = talk(counted=True)
    print(f"{QUESTIONS} questions: {mb:.3f} MB kept of each, goal {MB_GOAL}: {'met' if mb <= MB_GOAL else 'not met'}")
    print(
        f"last over first, processor time: {ratio:.2f}, goal {TIME_GOAL}: {'met' if ratio <= TIME_GOAL else 'not met'}"
    )


def talk(*, counted: bool = False) -> tuple[list[float], float]:
    """Return the processor time of each question but the first fifth, and how many MB each of these keeps."""
    from qdash_jupyter import open_copilot

    copilot, took, first, before = open_copilot(), [], QUESTIONS // 5, 0
    for number in range(QUESTIONS):
        begin = time.process_time()
        copilot.ask(ASKED[number % len(ASKED)])
        took.append(time.process_time() - begin)
        for key in list(copilot.data):
            del copilot.data[key]
        if number == first and counted:
            gc.collect()
            tracemalloc.start()
            before = tracemalloc.get_traced_memory()[0]
    if not counted:
        return took[first + 1 :], 0
    gc.collect()
    return took[first + 1 :], (tracemalloc.get_traced_memory()[0] - before) / 1e6 / (QUESTIONS - first)


if __name__ == "__main__":
    main()
