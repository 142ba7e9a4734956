"""Fixtures of all tests."""

pytest_plugins = ["tests.mongo_server"]
