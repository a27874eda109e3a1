"""Encoding sentences in batches of similar length, compared with one by one and with padding to 128 tokens.

python -m benchmarks.corpus_batches [--cpu]
"""

import numpy as np

from benchmarks.measure import few, interleaved, report
from embtools import load_model
from embtools.occurrences.corpus import built_in_corpus

SENTENCES, PADDED, BATCH = few(160, 16), 128, 16


def main() -> None:
    """Print both ratios for the bundled model."""
    model = load_model()
    rows = [np.array(model.words(text)[0]) for text in built_in_corpus().sentences[:: 1_000 // SENTENCES][:SENTENCES]]
    pieces = sum(map(len, rows))

    def in_batches() -> None:
        for _ in model.encode_many(rows):
            pass

    def one_by_one() -> None:
        for row in rows:
            model.encode(model.matrix[row][None])

    def padded() -> None:
        for begin in range(0, len(rows), BATCH):
            some = rows[begin : begin + BATCH]
            inputs = np.zeros((len(some), PADDED, model.dimensions), np.float32)
            for line, row in enumerate(some):
                inputs[line, : len(row)] = model.matrix[row]
            model.encode(inputs, lengths=[len(row) for row in some])

    ours, single, wide = interleaved(in_batches, one_by_one, padded, rounds=7)
    report(
        "in batches / one by one",
        ours / single,
        1 / 1.5,
        f"{pieces / ours:,.0f} / {pieces / single:,.0f} pieces a second",
    )
    report(f"in batches / padded to {PADDED}", ours / wide, 1 / 2.5, f"{pieces / wide:,.0f} pieces a second padded")


if __name__ == "__main__":
    main()
