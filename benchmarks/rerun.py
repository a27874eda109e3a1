"""A rerun of a page with everything cached: calls of the model, and time against a trivial page.

python -m benchmarks.rerun [arithmetic clusters …]
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from streamlit.testing.v1 import AppTest

from benchmarks.measure import interleaved, named, report
from embtools.models.embedding_model import EmbeddingModel

ROOT = Path(__file__).parents[1]


def trivial() -> None:
    """A page that only says hello."""
    import streamlit as st

    st.title("Hello")


def counted(method: Callable[..., Any], calls: list[str]) -> Callable[..., Any]:
    """The method, with each call of it noted."""

    def noted(*arguments: Any, **named: Any) -> Any:
        calls.append(method.__name__)
        return method(*arguments, **named)

    return noted


def main() -> None:
    """Print the figures of each page."""
    calls: list[str] = []
    for name in ("encode", "embedding_output", "transform", "logits"):
        setattr(EmbeddingModel, name, counted(getattr(EmbeddingModel, name), calls))
    hello = AppTest.from_function(trivial, default_timeout=120).run()
    for name in named() or ["arithmetic", "clusters"]:
        page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=300).switch_page(f"pages/{name}.py").run()
        page.run()
        calls.clear()
        page.run()
        assert not page.exception
        report(f"{name}: model calls of a rerun", len(calls), 0)
        ours, theirs = interleaved(page.run, hello.run)
        times = f"{ours * 1e3:.0f} ms / {theirs * 1e3:.0f} ms"
        report(f"{name}: cached rerun / trivial page", ours / theirs, 10, times)


if __name__ == "__main__":
    main()
