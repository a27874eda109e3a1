"""Which heavy packages Home imports before it is drawn: torch, scikit-learn and the like should not be among them.

The server itself loads the model in the background, in a thread that does not delay the page; it is turned off here.

python -m benchmarks.first_imports
"""

import sys
from pathlib import Path

from streamlit.testing.v1 import AppTest

from embtools.ui import warm
from embtools.ui.home import rome

HEAVY = {"torch", "transformers", "tokenizers", "safetensors", "sklearn", "umap", "scipy"}


def main() -> None:
    """Print which heavy packages are loaded when everything on Home except the answer has been drawn."""
    loaded: list[set[str]] = []
    answer = rome.answer

    def watched(game: rome.Game, name: str) -> None:
        loaded.append({name.partition(".")[0] for name in sys.modules})
        answer(game, name)

    rome.answer = watched
    warm.visited = lambda pages: None
    page = AppTest.from_file(str(Path(__file__).parents[1] / "app.py"), default_timeout=120).run()
    assert not page.exception and len(loaded) == 1
    early = sorted(HEAVY & loaded[0])
    print(f"{'MISSED' if early else 'met   '}  heavy packages before the first paint: {', '.join(early) or 'none'}")


if __name__ == "__main__":
    main()
