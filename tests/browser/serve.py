"""The app for the browser tests: `python tests/browser/serve.py [--model=FOLDER] --server.port=8501`.

It ends with the run of the tests that started it. The model in the folder is offered besides those of the catalogue.
"""

import sys
from pathlib import Path

from streamlit.web import cli

sys.path.insert(0, str(Path(__file__).parents[2]))
from embtools.models import catalogue
from tests import lifeline
from tests.browser import resting

MODEL = "--model="

if __name__ == "__main__":
    lifeline.leave_with_the_run()
    resting.install()
    options = [option for option in sys.argv[1:] if not option.startswith(MODEL)]
    for option in set(sys.argv[1:]) - set(options):
        catalogue.CATALOGUE.update(catalogue.offered(option.removeprefix(MODEL)))
    sys.exit(cli.main(["run", "app.py", *options]))
