"""Settings of a training run, those that may change when it is continued, and its learning rate."""

import math
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from training.shapes import BLOCK
from training.text import fingerprint


@dataclass(frozen=True)
class Settings:
    """The settings of a run; `texts` are pairs of a file and its share of the sequences.

    `sentence_texts` are further files with shares, from which only single sentences are used, no pairs or passages. If
    `at_once` is None, it is one block on a processor and a whole step on a GPU.
    """

    start: str
    texts: tuple[tuple[Path, float], ...]
    run: Path
    out: Path
    sentence_texts: tuple[tuple[Path, float], ...] = ()
    steps: int = 10_000
    minutes: float = math.inf
    pieces: int = BLOCK
    at_once: int | None = None
    decay: float = 0.2
    warmup: int = 200
    learning_rate: float = 2e-4
    mask_rate: float = 0.20
    next_weight: float = 1.0
    copy_weight: float = 2.0
    seed: int = 0
    save_every: int = 1000
    save_minutes: float = 10.0
    keep: int = 8
    average: int = 1
    blend: tuple[Path, float] | None = None
    compile: bool = False
    threads: int = os.cpu_count() or 1
    workers: int = 0

    @property
    def blocks(self) -> int:
        """The number of blocks per step."""
        return self.pieces // BLOCK


def check(settings: Settings) -> None:
    """Raise ValueError for settings that cannot be used."""
    if not settings.texts:
        raise ValueError("There is no text to train on. Name at least one file with --text.")
    for path, share in (*settings.texts, *settings.sentence_texts):
        if not 0 < share < math.inf:
            raise ValueError(f"The share of {path} is {share}. Give a number above 0, or omit the file.")
    if not 0 < settings.mask_rate < 1:
        raise ValueError("The mask rate must be between 0 and 1.")
    if not 0 <= settings.decay <= 1:
        raise ValueError("The decay is a share of the run and must be between 0 and 1.")
    if not all(0 <= w < math.inf for w in (settings.learning_rate, settings.next_weight, settings.copy_weight)):
        raise ValueError("The learning rate and the weights of the losses must be numbers of 0 or more.")
    if not (settings.minutes >= 0 and settings.save_minutes > 0):
        raise ValueError("--minutes must be 0 or more and --save-minutes more than 0.")
    if settings.workers < 0:
        raise ValueError("--workers must be 0 or more.")
    for name in ("steps", "save_every", "keep", "average", "threads"):
        if getattr(settings, name) < 1:
            raise ValueError(f"--{name.replace('_', '-')} is {getattr(settings, name)}. Give 1 or more.")
    for name, value in (("pieces", settings.pieces), ("at-once", settings.at_once or BLOCK)):
        if value < BLOCK or value % BLOCK:
            raise ValueError(f"--{name} is {value}. Give a multiple of {BLOCK}, the size of a block.")


def recipe(settings: Settings) -> dict[str, Any]:
    """Return the settings that must not change when a run is continued, as plain values."""
    names = ("start", "seed", "pieces", "learning_rate", "warmup", "mask_rate", "next_weight", "copy_weight")
    texts, sentence_texts = (
        [[path.name, share, fingerprint(path)] for path, share in files]
        for files in (settings.texts, settings.sentence_texts)
    )
    return {"texts": texts, "sentence_texts": sentence_texts} | {name: getattr(settings, name) for name in names}


def check_continued(settings: Settings, same: dict[str, Any], state: dict[str, Any]) -> None:
    """Raise ValueError if the checkpoint of `state` has other settings than `same`, or is past the last step."""
    changed = [name for name, value in same.items() if state.get(name) != value]
    if changed:
        raise ValueError(
            f"The run in {settings.run} was started with other values of: {', '.join(changed)}. Give the same values "
            "to continue it, or another --run folder."
        )
    if state["step"] > settings.steps:
        raise ValueError(
            f"The run in {settings.run} has done {state['step']} steps. Give --steps {state['step']} or more."
        )


def learning_rate(step: int, settings: Settings, time_left: float = 1.0) -> float:
    """Return the learning rate: warm-up, plateau, linear decay to zero at the end of the steps (`step` counts from 0)
    or of the minutes, of which the share `time_left` is left.
    """
    up = min(1.0, (step + 1) / max(1, settings.warmup))
    left = max(0.0, min(1 - step / settings.steps, time_left))
    return settings.learning_rate * up * (min(1.0, left / settings.decay) if settings.decay else 1.0)
