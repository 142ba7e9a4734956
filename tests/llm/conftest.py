"""Fixtures of the tests of models."""

import os

import pytest


@pytest.fixture(autouse=True)
def _no_authorities(monkeypatch: pytest.MonkeyPatch, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Each client of a model's server would load the world's certificates for 20 ms."""
    monkeypatch.delenv("SSL_CERT_FILE", raising=False)
    monkeypatch.setenv("SSL_CERT_DIR", os.fspath(tmp_path_factory.getbasetemp() / "no-authorities"))
