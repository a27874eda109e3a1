"""Encoding and searching a corpus folder on a Ray cluster. Ray handles workers, GPUs and lost machines.

Imported only with `--on ray`; requirements-cluster.txt installs Ray.
"""

import logging
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import numpy as np
import ray  # noqa: TID251
import ray.data  # noqa: TID251

from embtools.occurrences.folder.writing import Job

Work = Callable[[int], dict[str, Any]]


class Worker:
    """A Ray actor: receives the work function once, and then one number at a time."""

    def __init__(self, work: Work) -> None:
        self._work = work

    def __call__(self, batch: dict[str, Any]) -> dict[str, Any]:
        """Process the single number of a batch; returns columns."""
        (number,) = batch["id"]
        return self._work(int(number))


def run(job: Job, stage: str, todo: Sequence[int], *, address: str, actors: int, gpus: float) -> Iterator[int]:
    """Run the steps of a stage on a Ray cluster, like `writing.one_by_one`, but in any order; the folder, not Ray,
    tells which steps are still to be done.
    """
    for row in over(partial(_step, job, stage), todo, address=address, actors=actors, gpus=gpus):
        yield int(row["pieces"])


def over(work: Work, todo: Sequence[int], *, address: str, actors: int, gpus: float = 0) -> Iterator[dict[str, Any]]:
    """The rows that `work` returns for each number, in any order; Ray restarts a worker that dies, without a limit,
    because with one it would give up before it notices a lost machine.
    """
    if not ray.is_initialized():
        # One core more than workers: without a free core for reading the list of numbers, Ray would wait forever.
        local: dict[str, Any] = {"num_cpus": actors + 1, "include_dashboard": False} if address == "local" else {}
        ray.init(address=address, log_to_driver=False, logging_level="warning", **local)
    ray.data.DataContext.get_current().enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.WARNING)
    numbers = ray.data.from_items([{"id": number} for number in todo], override_num_blocks=len(todo))
    done = numbers.map_batches(
        Worker,
        fn_constructor_args=(work,),
        batch_size=1,
        num_gpus=gpus or None,
        compute=ray.data.ActorPoolStrategy(size=min(actors, len(todo))),
    )
    yield from done.iter_rows()


def _step(job: Job, stage: str, number: int) -> dict[str, Any]:
    return {"pieces": np.array([job.work(stage, number)])}
