"""A rerun of the Arithmetic page with everything cached: calls of the model, and time against a trivial page.

python -m benchmarks.rerun
"""

from pathlib import Path

from streamlit.testing.v1 import AppTest

from benchmarks.measure import interleaved, report
from embtools.models.embedding_model import EmbeddingModel

ROOT = Path(__file__).parents[1]


def trivial() -> None:
    """A page that only says hello."""
    import streamlit as st

    st.title("Hello")


def main() -> None:
    """Print the number of model calls of a rerun and the ratio of times."""
    page = AppTest.from_file(str(ROOT / "app.py"), default_timeout=120).switch_page("pages/arithmetic.py").run()
    page.run()
    calls = []
    for name in ("encode", "transform", "logits"):
        original = getattr(EmbeddingModel, name)
        setattr(EmbeddingModel, name, lambda *a, _n=name, _o=original, **k: (calls.append(_n), _o(*a, **k))[1])
    page.run()
    assert not page.exception
    report("model calls of a rerun", len(calls), 0)
    hello = AppTest.from_function(trivial, default_timeout=120).run()
    ours, theirs = interleaved(page.run, hello.run)
    report("cached rerun / trivial page", ours / theirs, 10, f"{ours * 1e3:.0f} ms / {theirs * 1e3:.0f} ms")


if __name__ == "__main__":
    main()
