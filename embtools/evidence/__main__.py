"""Run a battery for any model and any list of pairs, and write its cases to a table.

    python -m embtools.evidence --relation capital --out capitals.parquet
    python -m embtools.evidence --model google-bert/bert-base-uncased --pairs pairs.csv \\
        --sentence "{a} is the capital of [MASK]." --must-stay "{a} is a [MASK]." --others 10 --out cases.csv

The table is written after every few pairs. If the program is interrupted, the same command resumes where it stopped.
A table has at most 6,000,000 rows: 1,000 pairs with all other words, one sentence and all controls. This is checked
before the first pair is tested.
"""

import argparse
import sys
from dataclasses import replace
from pathlib import Path

import pandas as pd

from embtools import files
from embtools.evidence.batteries import BLOCK, CONDITIONS, battery
from embtools.evidence.result import COLUMNS, TEXTS, Battery
from embtools.mask_filling import cases, relations
from embtools.mask_filling.experiments import Cases
from embtools.mask_filling.pairs import Pairs, read
from embtools.models.loading import load_model

MAX_ROWS = 6_000_000
"""Rows of a table, which is in memory as a whole."""
_BLOCK_RUNS = 50_000  # forward passes that an interruption can lose, except that a pair is tested as a whole


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    chosen = _parser().parse_args(arguments)
    try:
        print(_run(chosen))
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Stopped. The same command resumes.", file=sys.stderr)
        return 1
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m embtools.evidence", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--model", default="bundled", help='"bundled", a hub name from the catalogue, or a folder')
    source = parser.add_mutually_exclusive_group(required=True)
    source.add_argument("--relation", choices=list(relations.TITLES), help="a built-in relation with its sentences")
    source.add_argument("--pairs", type=Path, metavar="CSV", help="a CSV file with the columns a and b")
    parser.add_argument("--edit", default=relations.EDIT, help=f'by default "{relations.EDIT}"')
    parser.add_argument(
        "--sentence",
        action="append",
        default=[],
        help="with {a} and one [MASK]; can be repeated",
    )
    parser.add_argument(
        "--must-stay", action="append", default=[], metavar="SENTENCE", help="its answer should stay; can be repeated"
    )
    parser.add_argument("--others", type=int, help="number of new words c for each pair; by default all")
    parser.add_argument("--scope", choices=("input", "tied"), default="input")
    parser.add_argument("--strength", type=float, default=1.0, help="-1 to 2; 1 is the result of the formula")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--no-controls", action="store_true", help="run only the edit")
    parser.add_argument(
        "--out", type=Path, required=True, metavar="FILE", help="the table of cases; it ends in .parquet or .csv"
    )
    return parser


def _run(chosen: argparse.Namespace) -> str:
    """Run the battery in blocks and return the text that is printed at the end."""
    files.check_kind(chosen.out)
    pairs, sentences, must_stay = _asked(chosen)
    model = load_model(chosen.model)
    asked = Cases(pairs, chosen.edit, sentences, must_stay, others=chosen.others, seed=chosen.seed)
    how = {"scope": chosen.scope, "strength": chosen.strength, "controls": not chosen.no_controls}
    described = files.about(model, query={**asked.settings, **how})
    total = asked.plan(model)
    for_each = len((*sentences, *must_stay)) * (1 if chosen.no_controls else CONDITIONS)
    if (rows := total.cases * for_each) > MAX_ROWS:
        raise ValueError(
            f"The table would have {rows:,} rows; at most {MAX_ROWS:,} are possible. Choose fewer --others or"
            " sentences, or split the list of pairs."
        )
    largest = max(len(pair.others) for pair in total.pairs) * for_each
    block = max(1, min(BLOCK, _BLOCK_RUNS // largest))
    done = _resumed(chosen.out, described)
    while (tested := _tested(done)) < len(total.pairs):
        # Only the pairs of this block are computed: the words c of a pair do not depend on the other pairs' order.
        part = replace(asked, first=min(tested + block, len(total.pairs)))
        result = battery(part, model, **how, skip=tested)
        done = pd.concat([done, result.cases], ignore_index=True)
        files.write(done, chosen.out, described=described)
        print(f"{_tested(done):,} of {len(total.pairs):,} pairs", file=sys.stderr)
    excluded = pd.DataFrame(total.excluded, columns=["a", "b", "reason"])
    result = Battery(chosen.edit, sentences, must_stay, done, excluded, len(total.pairs), chosen.seed)
    return "\n".join([result.headline, *result.findings, "", result.rates.round(3).to_string(index=False)])


def _asked(chosen: argparse.Namespace) -> tuple[Pairs, tuple[str, ...], tuple[str, ...]]:
    """Return the pairs and the two kinds of sentences of the command line; raises ValueError if they are missing."""
    if chosen.relation:
        known = relations.relation(chosen.relation)
        sentences = tuple(chosen.sentence) or known.sentences
        return known.pairs, cases.read_sentences(sentences), tuple(chosen.must_stay) or known.must_stay
    if not chosen.sentence:
        raise ValueError("Pairs of your own need at least one --sentence with {a} and [MASK].")
    pairs = read(chosen.pairs.read_bytes())
    for note in pairs.notes:
        print(note, file=sys.stderr)
    return pairs.value, cases.read_sentences(chosen.sentence), cases.read_sentences(chosen.must_stay, least=0)


def _resumed(path: Path, described: dict[str, str]) -> pd.DataFrame:
    """Return the cases that an earlier run wrote; ValueError if they belong to another query, model or version."""
    if not path.exists():
        return pd.DataFrame(columns=list(COLUMNS))
    frame, found = files.read(path, texts=TEXTS)
    if found != described:
        different = ", ".join(name for name in described if found[name] != described[name])
        raise ValueError(f"{path} has the cases of another run ({different}). Choose another name, or delete the file.")
    return frame


def _tested(frame: pd.DataFrame) -> int:
    return len(frame[["a", "b"]].drop_duplicates())


if __name__ == "__main__":
    sys.exit(main())
