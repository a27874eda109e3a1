"""Three kinds of work while all cores but one are busy, compared with an idle machine.

t-SNE of 300 points, one forward pass, and all-but-the-top by cluster of the whole vocabulary.

python -m benchmarks.busy_neighbours

Threads that wait actively made this 10 to 20 times slower; the app sets OMP_WAIT_POLICY=PASSIVE and leaves a core free.
The neighbours are stopped and continued (SIGSTOP, SIGCONT) in turn, so that both sides are timed side by side.
"""

import os
import signal
import subprocess
import sys
from collections.abc import Callable

from benchmarks.measure import few, interleaved, load, models, report
from embtools.spaces.fitting import fit
from embtools.spaces.moments import moments
from embtools.spaces.space import BY_CLUSTER, Space

SPIN = "while True: sum(range(10000))"
ROUNDS = few(7)


def main() -> None:
    """Print the ratio of each job."""
    from sklearn.manifold import TSNE

    model = load(models()[0][1])
    points = model.matrix[2_000:][: few(300, 60)]
    rows = model.matrix[model.rankable]
    rows = rows[: few(len(rows), 2_000)]
    known = moments(rows)  # the app has them already
    inputs = model.matrix[None, 2_000:2_014].copy()
    jobs: dict[str, Callable[[], object]] = {
        f"t-SNE of {len(points)} points": lambda: TSNE(init="pca", random_state=0).fit_transform(points),
        "one forward pass of 14 pieces": lambda: model.encode(inputs),
        f"all-but-the-top by cluster, {len(rows):,} words": lambda: fit(rows, Space(BY_CLUSTER), known=known).apply(
            rows
        ),
    }
    neighbours = [subprocess.Popen([sys.executable, "-c", SPIN]) for _ in range(max(1, (os.cpu_count() or 2) - 1))]

    def signalled(job: Callable[[], object], sign: signal.Signals) -> Callable[[], object]:
        def run() -> object:
            for process in neighbours:
                process.send_signal(sign)
            return job()

        return run

    try:
        for name, job in jobs.items():
            quiet, busy = interleaved(signalled(job, signal.SIGSTOP), signalled(job, signal.SIGCONT), rounds=ROUNDS)
            report(name, busy / quiet, 2.5, f"{busy * 1e3:.0f} ms / {quiet * 1e3:.0f} ms")
    finally:
        for process in neighbours:
            process.kill()


if __name__ == "__main__":
    main()
