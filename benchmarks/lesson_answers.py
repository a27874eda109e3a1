"""Right answers of the lessons under other seeds: a question whose answer another draw would change teaches chance.

Every question of the lessons is answered with the seeds 0 to 19 added to those of its queries. The table lists the
questions whose right choice changes, with how often each choice was right. The exit status is 1 if there are any.

python -m benchmarks.lesson_answers [--seeds 20] [--model bundled] [--short] [LESSON …]
"""

import argparse
import inspect
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, is_dataclass, replace
from typing import Any
from unittest import mock

from embtools.lessons.bundled import lessons
from embtools.lessons.lesson import Step
from embtools.ui import host, running
from embtools.ui.call import Call
from embtools.ui.lessons import shown_panel
from embtools.ui.shown import Model

_NONE = "no choice"


@dataclass(frozen=True)
class Tried:
    """A question with its right choices under several seeds.

    lesson, step  the key of the lesson, and the number of the step
    question      the question
    counts        right choice → under how many seeds
    values        the answers as written, in the order of the seeds, each once
    """

    lesson: str
    step: int
    question: str
    counts: Counter[str]
    values: tuple[str, ...]

    @property
    def flips(self) -> bool:
        """Whether the right choice depends on the seed."""
        return len(self.counts) > 1


def seeded(query: Call, add: int) -> Call:
    """Return a query with a number added to its seed, and to those of its arguments."""
    changed: dict[str, Any] = {
        name: replace(value, seed=value.seed + add)
        for name, value in query.arguments.items()
        if is_dataclass(value) and not isinstance(value, type) and hasattr(value, "seed")
    }
    if "seed" in inspect.signature(query.function).parameters:
        changed["seed"] = int(query["seed"]) + add
    return query.but(**changed) if changed else query


@contextmanager
def _other_seeds(add: int, results: dict[Any, Any], chance: list[Call]) -> Iterator[None]:
    """Let readings ask their queries with other seeds; those in which a seed plays a part are added to `chance`."""

    def run(query: Call, model: Model, **_: Any) -> Any:
        own = seeded(query, add)
        if seeded(query, 1) != query:
            chance.append(query)
        if (own, model) not in results:
            results[own, model] = own(model.open() if own.takes_model else None)
        return results[own, model]

    with mock.patch.object(running, "run", run):
        yield


def tried(key: str, number: int, step: Step, *, seeds: int, model: str, results: dict[Any, Any]) -> Tried:
    """Return the right choices of a step's question under so many seeds; one without chance is answered once."""
    counts: Counter[str] = Counter()
    values: list[str] = []
    for add in range(seeds):
        chance: list[Call] = []
        with _other_seeds(add, results, chance):
            try:
                solved = shown_panel.solve(step, shown_panel.of(step.shows), model)
            except ValueError as error:
                counts[f"no answer: {error}"] += 1
            else:
                counts[_NONE if solved.right is None else step.choices[solved.right].text] += 1
                values.append(solved.written)
        if not chance:
            break
    return Tried(key, number, step.question, counts, tuple(dict.fromkeys(values)))


def main() -> int:
    """Try the questions and print the table; return the exit status."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("lessons", nargs="*", metavar="LESSON", help=f"all by default: {', '.join(lessons())}")
    parser.add_argument("--seeds", type=int, default=20)
    parser.add_argument("--model", default="bundled")
    parser.add_argument("--short", action="store_true", help="only the lesson with the formula, and two seeds")
    given = parser.parse_args()
    if given.short:
        given.lessons, given.seeds = ["king"], 2
    if unknown := set(given.lessons) - set(lessons()):
        parser.error(f"There is no lesson {', '.join(sorted(unknown))}.")
    host.prepare()
    questions, flips, by_chance = 0, 0, 0
    for key in given.lessons or lessons():
        results: dict[Any, Any] = {}  # of one lesson, whose steps often ask the same query
        for number, step in enumerate(lessons()[key].steps, 1):
            if not step.question:
                continue
            found = tried(key, number, step, seeds=given.seeds, model=given.model, results=results)
            questions, flips = questions + 1, flips + found.flips
            by_chance += found.counts.total() > 1
            if found.flips:
                listed = "; ".join(f"{text} ×{count}" for text, count in found.counts.most_common())
                print(f"{key} {number}  {found.question}\n    {listed}\n    {', '.join(found.values)}", flush=True)
        print(f"# {key}: done", file=sys.stderr, flush=True)
    print(f"Questions: {questions}, of which {by_chance} depend on a seed. Under {given.seeds} seeds, {flips} flip.")
    return int(flips > 0)


if __name__ == "__main__":
    raise SystemExit(main())
