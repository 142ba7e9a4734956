"""How well curves are judged: made with planted faults, judged, counted. `PYTHONPATH=bench python -m eval.curves`."""
