"""The models that all visitors share. The cache of results: tests/test_memory.py."""

import pytest

from embtools.models import loading
from embtools.ui import cached


def test_the_checksum_is_computed_while_the_model_is_loaded(monkeypatch: pytest.MonkeyPatch) -> None:
    """It reads all weights, so a visitor's first query would wait for it."""
    read = []

    class Loaded:
        @property
        def checksum(self) -> str:
            read.append("checksum")
            return ""

    monkeypatch.setattr(loading, "load_model", lambda name: Loaded())
    cached._load("bundled")
    assert read == ["checksum"] and cached.opened("bundled")
    cached.clear()
    assert not cached.opened("bundled")
