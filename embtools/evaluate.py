"""Score a model: one table of measures with intervals.

    python -m embtools.evaluate embtools/bundled --text simplewiki.txt.xz --out scores.json

Without `--text` the measures on running text are left out; from text files only the documents that
`embtools.pretrain` never trains on are used.
"""

import argparse
import json
import sys
import types
from collections.abc import Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd

from embtools import arithmetic, scoring
from embtools.loading import load_model
from embtools.model import EmbeddingModel
from embtools.pretrain_text import is_held_out, read_documents, split_sentences

SHORT = {
    "masked words: pairs up to 128 pieces": "masked word, first answer",
    "next sentence: passages up to 128 pieces": "next sentence",
    "cloze: capital → country, two templates, first answer": "capital → country, first answer",
    "cloze: capital → country, two templates, top five": "capital → country, top five",
    "cloze: facts, top five": "simple facts, top five",
    "edit: edit": "capital − country + other turns the answer",
    "edit: other country only added": "control: other country only added",
    "edit: random difference": "control: random difference",
}
"""The measures that the app's first page shows, and under which name."""


def held_out(files: Sequence[tuple[Path, float]], count: int, seed: int = 0) -> list[list[list[str]]]:
    """About `count` held-out documents of at least four sentences, by share of each file: (source, document, sentence).

    A file with fewer documents than its share gives some of them again, to be read from another place.
    Raises ValueError for a share of 0 and for a file that cannot be read or has no held-out document.
    """
    if not all(share > 0 for _, share in files):
        raise ValueError("A text has no share. Give a number above 0, or leave the file out.")
    total = sum(share for _, share in files)
    chosen = []
    for number, (path, share) in enumerate(files):
        documents = [
            [s for paragraph in document for s in split_sentences(paragraph)]
            for document in read_documents(path)
            if is_held_out(document)
        ]
        documents = [d for d in documents if len(d) >= 4]
        if not documents:
            raise ValueError(f"{path} has no held-out document of four sentences. Leave it out.")
        order = np.random.default_rng([seed, number]).choice(len(documents), max(2, round(count * share / total)))
        chosen.append([documents[i] for i in order])
    return chosen


def pairs(
    sources: list[list[list[str]]], model: EmbeddingModel, room: int, *, single: bool = False, seed: int = 0
) -> Iterator[scoring.Passage]:
    """Pairs of passages (or of `single` sentences) of up to `room` pieces, special ones included; half are real.

    A random second part comes from another document of the same file.
    """
    rng = np.random.default_rng(seed)
    for documents in sources:
        for document in documents:
            name = document[0]
            start = int(rng.integers(len(document) - 2))
            aim = 0 if single else int(rng.integers((room - 3) // 4, 3 * (room - 3) // 4))
            first, at = _passage(document[:-1], start, aim, model)  # something is left to follow
            follows = bool(rng.integers(2))
            if not follows:
                others = [d for d in documents if d != document]
                if not others:
                    continue
                document = others[int(rng.integers(len(others)))]
                at = int(rng.integers(1, len(document)))  # no real second part opens its document either
            left = room - 3 - _length(first, model)
            second, _ = _passage(document, at, 0 if single else left, model)
            if _length(second, model) <= left:
                yield scoring.Passage(first, second, follows, name)


def middles(sources: list[list[list[str]]], model: EmbeddingModel) -> Iterator[scoring.Passage]:
    """The sentence in the middle of each document, once, where it has 4 to 126 pieces."""
    for document in {d[0]: d for documents in sources for d in documents}.values():
        middle = document[len(document) // 2]
        if 4 <= _length(middle, model) <= 126:
            yield scoring.Passage(middle, None, False, document[0])


def _length(text: str, model: EmbeddingModel) -> int:
    try:
        return len(model.tokenize(text)) - 2
    except ValueError:  # longer than the model reads: it fits nowhere
        return 2**31


def _passage(document: list[str], start: int, room: int, model: EmbeddingModel) -> tuple[str, int]:
    """Whole sentences from `start`, at least one, while they fit into `room` pieces; and where they end."""
    end, length = start + 1, _length(document[start], model)
    while end < len(document) and (length := length + _length(document[end], model)) <= room:
        end += 1
    return " ".join(document[start:end]), end


def evaluate(model: EmbeddingModel, files: Sequence[tuple[Path, float]] = (), count: int = 1000) -> pd.DataFrame:
    """All measures of a model in one table: measure, value, low, high, n, unit.

    Raises ValueError for a text that cannot be used.
    """
    parts = []
    if files:
        sources = held_out(files, count)
        passages = list(pairs(sources, model, 128))
        parts.append(scoring.masked_words([*passages, *middles(sources, model)], model))
        if model.has_next_sentence:
            parts.append(scoring.next_sentence(passages, model, "passages up to 128 pieces"))
            single = list(pairs(sources, model, 64, single=True, seed=1))
            parts.append(scoring.next_sentence(single, model, "two single sentences"))
    parts += [
        scoring.cloze(model),
        scoring.edits(model),
        scoring.analogies(model),
        scoring.senses(model),
        scoring.associations(model),
    ]
    return pd.concat(parts, ignore_index=True)


def markdown(table: pd.DataFrame) -> str:
    """The table as Markdown, for a model card."""
    lines = ["| measure | value | 95 % interval | n |", "|---|---|---|---|"]
    for r in table.itertuples():
        lines.append(
            f"| {r.measure}{'' if r.unit == 'share' else f' ({r.unit})'} | {r.value:.3f} "
            f"| {r.low:.3f} … {r.high:.3f} | {r.n:,} |"
        )
    return "\n".join(lines)


def short(table: pd.DataFrame) -> list[dict[str, object]]:
    """The few measures for the app's first page: measure, value, low, high, n; rounded."""
    chosen = table[table["measure"].isin(SHORT)].assign(measure=lambda t: t["measure"].map(SHORT))
    return chosen.drop(columns="unit").round(4).to_dict("records")


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    from embtools.pretrain import text_argument

    parser = argparse.ArgumentParser(
        prog="python -m embtools.evaluate", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
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
    parser.add_argument("--out", type=Path, help="also write the short form as JSON, for the app's first page")
    chosen = parser.parse_args(arguments)
    try:
        table = evaluate(load_model(chosen.model), chosen.text, chosen.count)
        print(markdown(table))
        if chosen.out:
            chosen.out.write_text(json.dumps(short(table), ensure_ascii=False, indent=1) + "\n")
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


class _CallableModule(types.ModuleType):
    """`embtools.evaluate(...)` is the function for formulas, and stays it when this file has been imported."""

    def __call__(self, *arguments: object, **options: object) -> object:
        return arithmetic.evaluate(*arguments, **options)  # type: ignore[arg-type]


sys.modules[__name__].__class__ = _CallableModule

if __name__ == "__main__":
    sys.exit(main())
