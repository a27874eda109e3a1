"""What is imported before Home is painted: torch, scikit-learn and the like must not be.

python -m benchmarks.first_imports
"""

import sys
from pathlib import Path

from streamlit.testing.v1 import AppTest

from embtools.ui import home

HEAVY = {"torch", "transformers", "tokenizers", "safetensors", "sklearn", "umap", "scipy"}


def main() -> None:
    """Print which heavy packages are there when everything of Home but its computed result stands on the page."""
    found: list[set[str]] = []
    home.first_result = lambda *_: found.append({name.partition(".")[0] for name in sys.modules})  # type: ignore[assignment]
    home.warm_examples = lambda *_: None  # type: ignore[assignment]
    page = AppTest.from_file(str(Path(__file__).parents[1] / "app.py"), default_timeout=120).run()
    assert not page.exception
    late = sorted(HEAVY & found[0])
    print(f"{'MISSED' if late else 'met   '}  heavy packages before the first paint: {', '.join(late) or 'none'}")


if __name__ == "__main__":
    main()
