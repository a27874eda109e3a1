"""Score a model: one table of measures with intervals.

    python -m embtools.scoring embtools/bundled --text simplewiki.txt.xz --out scores.json

Without `--text` the measures on running text are left out; from text files only the documents that
`embtools.pretrain` never trains on are used.
"""

import argparse
import sys
from pathlib import Path

from embtools.models.loading import load_model
from embtools.scoring import stored
from embtools.scoring.report import evaluate, markdown


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    from transformers.utils import logging

    from embtools.pretrain.text import text_argument

    # A program, not a library: what it prints is the table, or one sentence about what is wrong.
    logging.disable_progress_bar()
    logging.set_verbosity_error()
    parser = argparse.ArgumentParser(
        prog="python -m embtools.scoring", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("model", help='"bundled", a hub name of the catalogue, or a folder')
    parser.add_argument(
        "--text",
        action="append",
        default=[],
        type=text_argument,
        metavar="FILE[=SHARE]",
        help="text files as for embtools.pretrain, not what was made from them; repeatable",
    )
    parser.add_argument("--count", type=int, default=1000, help="held-out passages to score")
    parser.add_argument(
        "--template",
        action="append",
        default=[],
        metavar="SENTENCE",
        help="also ask for the country in a sentence with {capital} and [MASK]; repeatable",
    )
    parser.add_argument("--out", type=Path, help="also write the scores that the app shows, with the model's checksum")
    parser.add_argument(
        "--start", metavar="MODEL", help="also score the checkpoint that the training began with, for these scores"
    )
    chosen = parser.parse_args(arguments)
    try:
        model, asked = load_model(chosen.model), (chosen.text, chosen.count, chosen.template)
        table = evaluate(model, *asked)
        print(markdown(table))
        start = evaluate(load_model(chosen.start), *asked) if chosen.start else None
        if chosen.out:
            stored.write(model, stored.short(table, start), chosen.out)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
