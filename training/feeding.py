"""Batches prepared in advance, by other processes if there are any."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np
import torch
from numpy.typing import NDArray
from torch.utils.data import DataLoader, Dataset

from training.batches import make_batch
from training.masking import Vocabulary
from training.shapes import Group
from training.sources import Source

AHEAD = 4
"""Number of groups that each process prepares in advance."""


class Batches(Dataset[list[NDArray[np.int64]]]):
    """A data set of the arrays of any group of blocks."""

    def __init__(self, sources: Sequence[Source], vocab: Vocabulary, seed: int, mask_rate: float) -> None:
        self.sources, self.vocab, self.seed, self.mask_rate = sources, vocab, seed, mask_rate

    def __getitem__(self, group: Group) -> list[NDArray[np.int64]]:
        return make_batch(self.sources, self.vocab, group, self.seed, self.mask_rate).arrays


def feed(
    batches: Batches, groups: Iterable[Group], workers: int, device: torch.device
) -> Iterator[tuple[torch.Tensor, ...]]:
    """Yield the arrays for `network.losses` of each group, in order, on the device; 0 workers prepare none ahead."""
    pinned = device.type == "cuda"
    loader = DataLoader(
        batches,
        batch_size=None,
        sampler=groups,
        num_workers=workers,
        prefetch_factor=AHEAD if workers else None,
        pin_memory=pinned,
    )
    for arrays in loader:
        yield tuple(array.to(device, non_blocking=pinned) for array in arrays)
