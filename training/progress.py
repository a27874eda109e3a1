"""The log of a training run: one line per minute."""

import json
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

SECONDS = 60.0
"""Seconds between two lines."""


@dataclass
class Progress:
    """Losses, speed and waiting time since the last line of the log."""

    log: Path
    losses: list[tuple[str, list[float]]] = field(default_factory=list)
    pieces: int = 0
    waited: float = 0.0
    began: float = field(default_factory=time.perf_counter)

    def due(self) -> bool:
        """Return whether a line should be written."""
        return time.perf_counter() - self.began >= SECONDS

    def write(self, about: dict[str, Any]) -> dict[str, Any]:
        """Append a line to the log, reset all counts, and return the line; `waiting` is a share of the time."""
        seconds = time.perf_counter() - self.began
        entry = about | summary(self.losses)
        entry |= {"pieces_per_second": round(self.pieces / seconds), "waiting": round(self.waited / seconds, 4)}
        with self.log.open("a", encoding="utf-8") as log:
            log.write(json.dumps(entry) + "\n")
        self.losses, self.pieces, self.waited, self.began = [], 0, 0.0, time.perf_counter()
        return entry


def summary(losses: list[tuple[str, list[float]]]) -> dict[str, float]:
    """Return mean losses and accuracies per shape, from pairs (shape, result of `network.losses`)."""
    values: dict[str, float] = {}
    for name in sorted({name for name, _ in losses}):
        loss, accuracy, following, copying = np.mean([row for other, row in losses if other == name], axis=0)
        values |= {f"{name}_loss": round(loss, 3), f"{name}_accuracy": round(accuracy, 3)}
        if following:
            values[f"{name}_next"] = round(following, 3)
        if copying:
            values[f"{name}_copy"] = round(copying, 3)
    return values
