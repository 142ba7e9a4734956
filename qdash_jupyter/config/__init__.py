"""The settings: one manifest (`copilot.yaml`), read in layers by one reader."""
