"""Encode a large text into a corpus folder for the Corpus page, or search such a folder.

    python -m embtools.corpus TEXT… --out FOLDER      encode texts into a folder
    python -m embtools.corpus pack FOLDER             merge the parts, if the encoding stopped before merging
    python -m embtools.corpus verify FOLDER           check all checksums, and that no occurrence is missing or repeated
    python -m embtools.corpus status FOLDER           show how much has been encoded
    python -m embtools.corpus search FOLDER WORD      find the nearest occurrences by an exact search

A text is a UTF-8 file, plain or .xz, with one paragraph per line and a blank line between documents. FOLDER is a path
or s3://bucket/name. After an interruption, run the same command again: it resumes and produces the same bytes. Write
./pack for a text file named pack (likewise verify, status and search). docs/corpora.md explains how to run it on a
cluster.
"""

import argparse
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from embtools.corpus.search import Query, nearest
from embtools.layer_combinations import CONCAT_FOUR, SECOND_TO_LAST, SUM_ALL, SUM_FOUR
from embtools.messages import counted
from embtools.occurrences.folder import checking, writing
from embtools.occurrences.folder.encoder import ModelEncoder
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.progress import in_terminal
from embtools.statistics.decimals import decimal

LAYERS = {"last4": SUM_FOUR, "concat4": CONCAT_FOUR, "all": SUM_ALL, "second-to-last": SECOND_TO_LAST}


def combination(value: str) -> str:
    """The layer combination selected by `--layers`.

    >>> combination("last4"), combination("7")
    ('sum of last four', 'layer 7')
    """
    return LAYERS.get(value) or f"layer {value}"


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    given = sys.argv[1:] if arguments is None else arguments
    commands: dict[str, Callable[[list[str]], int]] = {
        "pack": _pack,
        "verify": _verify,
        "status": _status,
        "search": _search,
    }
    try:
        return commands[given[0]](given[1:]) if given and given[0] in commands else _encode(given)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Stopped. Run the same command again to resume.", file=sys.stderr)
        return 130


def _encode(given: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m embtools.corpus", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    add = parser.add_argument
    add("texts", nargs="+", type=Path, metavar="TEXT", help="UTF-8 text files, plain or .xz")
    add("--out", required=True, help="folder to write: a path or s3://bucket/name")
    add("--model", default="bundled", help="a model in the catalogue, or a folder that contains one")
    add("--layers", default="last4", help=f"layers to use: {', '.join(LAYERS)}, or a layer number")
    add("--shard", type=int, default=writing.SHARD, help="words per part; use a million on a cluster")
    add("--bucket", type=int, default=writing.BUCKET, help="occurrences per packed file; use a million on a cluster")
    _engine_options(parser)
    chosen = parser.parse_args(given)
    if min(chosen.shard, chosen.bucket) < 1:
        parser.error("--shard and --bucket must be at least 1")
    encoder = ModelEncoder(chosen.model, combination(chosen.layers), "cuda" if chosen.gpus else "cpu")
    line = ProgressLine()
    sizes = {"shard": chosen.shard, "bucket": chosen.bucket}
    about = writing.encode_texts(chosen.texts, chosen.out, encoder, tell=line, **sizes, **_engine(chosen, parser))
    line.end()
    return _finished(chosen.out, about)


def _pack(given: list[str]) -> int:
    parser = _of_folder("pack", "Merge the parts of a folder whose encoding stopped before merging.")
    _engine_options(parser)
    chosen = parser.parse_args(given)
    line = ProgressLine()
    about = writing.pack(chosen.folder, ModelEncoder(), tell=line, **_engine(chosen, parser))
    line.end()
    return _finished(chosen.folder, about)


def _verify(given: list[str]) -> int:
    parser = _of_folder("verify", "Check all checksums of a folder, and that no occurrence is missing or repeated.")
    result = checking.verify(parser.parse_args(given).folder)
    for problem in result.problems:
        print(problem)
    rows = counted(result.rows, "occurrence")
    print(f"{counted(result.files, 'file')}, {rows}: {'damaged' if result.problems else 'complete'}.")
    return 1 if result.problems else 0


def _status(given: list[str]) -> int:
    parser = _of_folder("status", "Show how much of a folder has been encoded.")
    print(checking.status(parser.parse_args(given).folder))
    return 0


def _search(given: list[str]) -> int:
    from embtools.models.loading import load_model

    parser = _of_folder("search", "Find the occurrences nearest to a word by an exact search of all rows.")
    add = parser.add_argument
    add("word", help="the word to search for")
    add("--number", type=int, default=1, help="which occurrence of the word, counting from 1")
    add("--sentence", default="", help="use the word in this sentence instead of an occurrence in the folder")
    add("-k", type=int, default=10, help="number of nearest occurrences to list")
    add("--other-words", action="store_true", help="leave out occurrences of the word itself")
    _where(parser)
    chosen = parser.parse_args(given)
    if chosen.actors < 1:
        parser.error("--actors must be at least 1")
    engine = None
    if chosen.on == "ray":
        from embtools.corpus.on_ray import over

        engine = partial(over, address=chosen.address, actors=chosen.actors)
    folder = CorpusFolder.open(chosen.folder)
    query = Query(chosen.word, chosen.number, chosen.sentence)
    result = nearest(
        folder,
        load_model(folder.about["fingerprint"]["model"]),
        query=query,
        k=chosen.k,
        same_word=not chosen.other_words,
        engine=engine,
        progress=in_terminal("Searching"),
    )
    print(file=sys.stderr)
    print(result.headline, result.compared, sep="\n")
    for row in result.near.to_dict("records"):
        print(f"{decimal(row['cosine'], 3)}  {row['word']}: {row['text']}")
    return 0


def _of_folder(command: str, description: str) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog=f"python -m embtools.corpus {command}", description=description)
    parser.add_argument("folder", help="the corpus folder: a path or s3://bucket/name")
    return parser


def _where(parser: argparse.ArgumentParser) -> None:
    add = parser.add_argument
    add(
        "--on",
        choices=("local", "ray"),
        default="local",
        help="run on this machine, or on Ray (requirements-cluster.txt)",
    )
    add("--address", default="local", help='address of a Ray cluster; "local" starts one on this machine')
    add("--actors", type=int, default=1, help="number of Ray workers")


def _engine_options(parser: argparse.ArgumentParser) -> None:
    _where(parser)
    add = parser.add_argument
    add("--gpus", type=float, default=0, help="GPUs per worker; if above 0, the workers encode on GPUs")
    add("--attempts", type=int, default=5, help="how many times a stage is started at most, if its workers fail")


def _engine(chosen: argparse.Namespace, parser: argparse.ArgumentParser) -> dict[str, Any]:
    if min(chosen.actors, chosen.attempts) < 1 or chosen.gpus < 0:
        parser.error("--actors and --attempts must be at least 1, --gpus at least 0")
    if chosen.on == "local":
        return {"attempts": chosen.attempts}
    from embtools.corpus.on_ray import run

    engine = partial(run, address=chosen.address, actors=chosen.actors, gpus=chosen.gpus)
    return {"attempts": chosen.attempts, "engine": engine}


def _finished(uri: str, about: dict[str, Any]) -> int:
    print(checking.status(uri))
    if about["cut"] or about["left_out"]:
        print(f"Sentences that were cut: {about['cut']:,}. Symbols and unknown words left out: {about['left_out']:,}.")
    return 0


class ProgressLine:
    """A line in the terminal that shows progress: steps done, tokens per second, time left."""

    def __init__(self) -> None:
        self._began, self._first, self._pieces, self._of = time.monotonic(), 0, 0, 0

    def __call__(self, done: int, of: int, pieces: int) -> None:
        """Show that `done` of `of` steps are done; pieces: the number of tokens in the last step."""
        if not self._of or done <= self._first:
            self._first = done - 1
            self._of = of
            self._pieces = 0
        self._pieces += pieces
        passed = time.monotonic() - self._began
        left = passed / (done - self._first) * (of - done)
        what = f"part {done:,} of {of:,} · {self._pieces / max(passed, 1e-9):,.0f} tokens per second"
        text = what if pieces else f"bucket {done:,} of {of:,}"
        print(f"\r{text} · {_duration(left)} left   ", end="", file=sys.stderr, flush=True)
        if done == of:
            self._began, self._of = time.monotonic(), 0

    def end(self) -> None:
        """Finish the line."""
        print(file=sys.stderr)


def _duration(seconds: float) -> str:
    """A duration in seconds, minutes or hours, for people.

    >>> _duration(40), _duration(400), _duration(40_000)
    ('40 s', '7 min', '11 h')
    """
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5_400 else f"{seconds / 3_600:.0f} h"


if __name__ == "__main__":
    sys.exit(main())
