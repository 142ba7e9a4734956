"""`make eval`: asks questions about chips with planted faults, and judges the answers against the documents."""
