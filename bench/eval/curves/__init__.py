"""How well curves are judged: made with planted faults, judged, and counted. `PYTHONPATH=bench python -m eval.curves`."""
