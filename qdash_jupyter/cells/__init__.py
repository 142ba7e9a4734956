"""Code written by the model: what it would do, and running it where the person sees it."""
