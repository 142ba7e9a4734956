"""Texts for people, as values: an id and fields, put into words where they are shown."""
