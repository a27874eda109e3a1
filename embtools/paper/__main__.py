"""Test the claims of the five articles in a model: published figures, the model's figures, conditions and verdicts.

    python -m embtools.paper --model google-bert/bert-base-uncased
    python -m embtools.paper --claim A2 --claim B6
    python -m embtools.paper --write

Each row is printed as soon as it is computed. `--write` stores the results of the bundled model for the Paper page.
"""

import argparse
import sys

from embtools.models.catalogue import BUNDLED
from embtools.models.loading import load_model
from embtools.paper import claims, reports


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m embtools.paper", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    known = [claim.id for claim in claims.claims()]
    parser.add_argument("--model", default=BUNDLED, help='"bundled", a hub name from the catalogue, or a folder')
    parser.add_argument(
        "--claim", action="append", default=[], choices=known, help="compute only this claim; can be repeated"
    )
    parser.add_argument(
        "--write", action="store_true", help="store the results of the bundled model for the Paper page"
    )
    chosen = parser.parse_args(arguments)
    if chosen.write and (chosen.model != BUNDLED or chosen.claim):
        parser.error("--write always stores all claims of the bundled model. Leave out --model and --claim.")
    try:
        model = load_model(chosen.model)
        print(reports.HEAD, flush=True)
        results = claims.measure_all(
            model, names=chosen.claim, tell=lambda claim, result: print(reports.line(claim, result), flush=True)
        )
        if not chosen.claim:
            print(f"\n{reports.finding(results)}")
        names = " Names are written with capitals." if model.cased else ""
        print(f"\nModel: {chosen.model}, weights SHA-256 {model.checksum[:16]}.{names}")
        if chosen.write:
            reports.write_stored(model, results=results)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
