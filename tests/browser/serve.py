"""The app for the browser tests: `python tests/browser/serve.py [--model=FOLDER] --server.port=8501`.

It ends with the run of the tests that started it. The model in the folder is offered besides those of the catalogue. With
`--fault=WORD`, a question that contains this word fails. With `--bundled=FOLDER`, the bundled model is read from there.
Only with `--warm` it prepares pages in the background, as the app does: half a minute of processor time, and more.
"""

import sys
from pathlib import Path
from typing import Any

from streamlit.web import cli

sys.path.insert(0, str(Path(__file__).parents[2]))
from embtools import memory
from embtools.models import catalogue, loading
from embtools.ui import warm
from tests import lifeline
from tests.browser import resting

MODEL, FAULT, BUNDLED, WARM = "--model=", "--fault=", "--bundled=", "--warm"


def plant(word: str) -> None:
    """Let every computation fail that was asked something with this word."""
    call = memory.call

    def failing(function: Any, arguments: Any, **named: Any) -> Any:
        if word in repr(dict(arguments)):
            raise RuntimeError(f"a fault at {word}")
        return call(function, arguments, **named)

    memory.call = failing


if __name__ == "__main__":
    lifeline.leave_with_the_run()
    resting.install()
    options = [option for option in sys.argv[1:] if not option.startswith((MODEL, FAULT, BUNDLED, WARM))]
    if WARM not in sys.argv:
        warm._work = lambda pages: warm._model()
    for option in set(sys.argv[1:]) - {*options, WARM}:
        if option.startswith(FAULT):
            plant(option.removeprefix(FAULT))
        elif option.startswith(BUNDLED):
            loading.__file__ = str(Path(option.removeprefix(BUNDLED)).parent / "models" / "loading.py")
        else:
            catalogue.CATALOGUE.update(catalogue.offered(option.removeprefix(MODEL)))
    sys.exit(cli.main(["run", "app.py", *options]))
