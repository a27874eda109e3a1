"""Time of computing all hidden states, compared with only the last ones; one forward pass gives both.

python -m benchmarks.hidden_states [model]
"""

import statistics
import time

import embtools
from benchmarks.measure import few, named
from embtools.models.last_states import last_states

GOAL = 1.25  # all / last only
ROUNDS = few(41)
TEXTS = (
    "She opened a savings account at the bank on Main Street.",
    "After stealing money from the bank vault, the bank robber was seen fishing on the Mississippi river bank.",
)


def main() -> None:
    """Print the ratio for one sentence and for a batch of sixteen: median of rounds with both sides in turn."""
    model = embtools.load_model(*named()[:1])
    print(model)
    for text in TEXTS:
        row = model.matrix[model.tokenize(text)["id"].to_numpy()][None]
        for batch in (1, 16):
            inputs = row.repeat(batch, axis=0)
            times: dict[bool, list[float]] = {True: [], False: []}
            for last_only in (True, False) * (ROUNDS + 1):
                start = time.perf_counter()
                if last_only:
                    last_states(inputs, model, at=range(inputs.shape[1]))
                else:
                    model.encode(inputs)
                times[last_only].append(time.perf_counter() - start)
            last, every = (statistics.median(times[side][1:]) for side in (True, False))
            ratio = statistics.median(a / b for a, b in zip(times[False][1:], times[True][1:], strict=True))
            print(
                f"{inputs.shape[1]} tokens × {batch:2d}: all {every * 1e3:.1f} ms, last only {last * 1e3:.1f} ms,"
                f" ratio {ratio:.2f}; goal {GOAL}: {'met' if ratio <= GOAL else 'MISSED'}"
            )


if __name__ == "__main__":
    main()
