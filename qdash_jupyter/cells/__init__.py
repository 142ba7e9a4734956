"""Code written by the model: what it would do, and running it where the user sees it."""
