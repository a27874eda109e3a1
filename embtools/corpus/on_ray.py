"""The steps of a corpus folder on Ray: placement, workers, GPUs, and lost machines are its business, the rest is ours.

Imported by `--on ray` alone; requirements-cluster.txt brings Ray.
"""

import logging
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import ray  # noqa: TID251
import ray.data  # noqa: TID251

from embtools.occurrences.folder.writing import Job


class Worker:
    """One of Ray's actors: it is sent the job once, and one number at a time."""

    def __init__(self, job: Job, stage: str) -> None:
        self._job, self._stage = job, stage

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        """Work on the numbers of a batch; returns their word pieces."""
        return {"pieces": np.array([self._job.work(self._stage, int(number)) for number in batch["id"]])}


def run(job: Job, stage: str, todo: Sequence[int], *, address: str, actors: int, gpus: float) -> Iterator[int]:
    """`writing.one_by_one` on a Ray cluster, in any order. Ray begins a worker that dies again, without end.

    Counting retries gives up before a lost machine is known to be lost. Whether anything remains to do is asked of the
    folder, not of Ray.
    """
    if not ray.is_initialized():
        # A core more than workers: with none left for reading the list of numbers, Ray waits without end.
        local: dict[str, Any] = {"num_cpus": actors + 1, "include_dashboard": False} if address == "local" else {}
        ray.init(address=address, log_to_driver=False, logging_level="warning", **local)
    ray.data.DataContext.get_current().enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.WARNING)
    numbers = ray.data.from_items([{"id": number} for number in todo], override_num_blocks=len(todo))
    done = numbers.map_batches(
        Worker,
        fn_constructor_args=(job, stage),
        batch_size=1,
        num_gpus=gpus or None,
        compute=ray.data.ActorPoolStrategy(size=min(actors, len(todo))),
    )
    for row in done.iter_rows():
        yield int(row["pieces"])
