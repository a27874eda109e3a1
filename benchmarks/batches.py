"""Training batches: the speed that 16 processes need to feed a GPU, compared with the speed of one process.

python -m benchmarks.batches [--cpu]

The text is random (its content does not matter for speed), the sentences as long as those of an encyclopaedia.
"""

import itertools
import statistics
import time

import numpy as np
import torch

from benchmarks.measure import few, interleaved, report
from training.batches import make_batch
from training.feeding import Batches, feed
from training.masking import Vocabulary
from training.shapes import BLOCK, SHAPES, Group, groups
from training.sources import Source, source
from training.text import Text

NEEDED, PROCESSES, BLOCKS = 2_000_000, 16, 16
"""Pieces a second in all, processes of the machine that is meant, blocks of a step."""
SENTENCES, STEPS, AHEAD = few(200_000, 5_000), few(40, 2), few(10)


def random_text(sentences: int = SENTENCES, vocabulary: int = 30_000) -> tuple[list[Source], Vocabulary]:
    """Documents of up to 40 sentences of 24 pieces on average."""
    rng = np.random.default_rng(0)
    lengths = np.clip(rng.gamma(2.5, 10, sentences).astype(np.int64), 3, 120)
    offsets = np.concatenate([[0], np.cumsum(lengths)])
    pieces = rng.integers(100, vocabulary, offsets[-1]).astype(np.uint16)
    documents = np.unique(np.concatenate([[0], np.cumsum(rng.integers(2, 40, sentences // 20)), [sentences]]))
    documents = documents[documents <= sentences]
    marks = np.arange(vocabulary)
    vocab = Vocabulary(marks % 5 == 0, marks > 200, cls=101, sep=102, mask=103)
    return [source(Text("random", pieces, offsets, documents), 1.0)], vocab


def main() -> None:
    """Print a line for each shape, for their mix, and for the mix handed over by another process."""
    sources, vocab = random_text()
    share = NEEDED / PROCESSES
    numbers = itertools.count()
    builds = [lambda s=shape: make_batch(sources, vocab, Group(s, next(numbers), 1)) for shape in SHAPES]
    times = interleaved(*builds)
    mixed = sum(seconds * shape.share for seconds, shape in zip(times, SHAPES, strict=True))
    for name, seconds in [*((s.name, t) for s, t in zip(SHAPES, times, strict=True)), ("their mix", mixed)]:
        detail = f"{BLOCK / seconds / 1e6:.2f} million pieces a second"
        report(f"needed of a process / built by one, {name}", share * seconds / BLOCK, 1.0, detail)
    endless = (g for step in itertools.count() for g in groups(step, BLOCKS, BLOCKS))
    fed = feed(Batches(sources, vocab, 0, 0.2), endless, 1, torch.device("cpu"))
    spans = []
    for _ in range(STEPS):  # a step has several groups: blocks are counted, not groups
        begun, blocks = time.perf_counter(), 0
        while blocks < BLOCKS:
            blocks += next(fed)[0].numel() // BLOCK
        spans.append((time.perf_counter() - begun) / blocks)
    seconds = statistics.median(spans[AHEAD:])  # by then what was built ahead is used up
    detail = f"{BLOCK / seconds / 1e6:.2f} million pieces a second, by the clock"
    report("needed of a process / handed over by one, their mix", share * seconds / BLOCK, 1.0, detail)


if __name__ == "__main__":
    main()
