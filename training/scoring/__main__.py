"""Score a model on the test suites and print one table of measures with intervals.

    python -m training.scoring embtools/bundled --text simplewiki.txt.xz --out scores.json

Without `--text`, the measures on running text are skipped. From text files, only documents that are
held out of training are read.
"""

import argparse
import sys
from pathlib import Path

from embtools import stored_scores
from embtools.models.loading import load_model
from training.scoring.report import evaluate, markdown


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    from transformers.utils import logging

    from training.text import text_argument

    # This is a program: it should print only the table, or one sentence about an error.
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    parser = argparse.ArgumentParser(
        prog="python -m training.scoring", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", help='"bundled", a hub name from the catalogue, or a folder')
    parser.add_argument(
        "--text",
        action="append",
        default=[],
        type=text_argument,
        metavar="FILE[=SHARE]",
        help="a text file as for training (not sentences made from it); can be repeated",
    )
    parser.add_argument("--count", type=int, default=1000, help="number of held-out passages to score")
    parser.add_argument(
        "--template",
        action="append",
        default=[],
        metavar="SENTENCE",
        help="also score how often the country is the answer in this sentence with {capital} and [MASK]; can be"
        " repeated",
    )
    parser.add_argument(
        "--out", type=Path, help="also write the scores that the app shows to this file, with the model's checksum"
    )
    parser.add_argument(
        "--start",
        metavar="MODEL",
        help="also score the checkpoint that the training started from, and store its scores as well",
    )
    chosen = parser.parse_args(arguments)
    try:
        model, settings = load_model(chosen.model), (chosen.text, chosen.count, chosen.template)
        table = evaluate(model, *settings)
        print(markdown(table))
        start = evaluate(load_model(chosen.start), *settings) if chosen.start else None
        if chosen.out:
            stored_scores.write(stored_scores.short(table, start=start), model, file=chosen.out)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
