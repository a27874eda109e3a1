"""A probe over all layers of 1,000 words, compared with reading the sentences plus scikit-learn's time for the probes.

python -m benchmarks.concepts [--cpu] [--model FOLDER]
"""

from itertools import cycle, islice

from benchmarks.measure import asked, few, interleaved, load, peak, report
from embtools.concepts.accuracy import measure
from embtools.concepts.items import Item, Items, built_in
from embtools.concepts.probes import poolings, read_features
from embtools.layer_combinations import combination_names
from embtools.statistics.probe import FOLDS, held_out, random_labels, split

GOAL = 1.2
WORDS = few(1_000, 40)


def items() -> Items:
    """1,000 words in sentences of their own: those of the built-in task, again and again, each sentence numbered."""
    rows = enumerate(islice(cycle(built_in("number")), WORDS))
    return tuple(Item(f"{n} . {item.sentence}", item.label, item.word, item.occurrence) for n, item in rows)


def main() -> None:
    """Print the ratio for the bundled model, or for that of a folder."""
    model = load(asked()[0][1])
    given = items()
    combinations = combination_names(model.layers)[: model.layers + 1]  # the layers
    pooling = poolings(given)[0]
    labels, types = [item.label for item in given], [item.type for item in given]

    def ours() -> None:
        measure(given, read_features(given, model, pooling=pooling), combinations)

    features = read_features(given, model, pooling=pooling)
    control = random_labels(labels, types)
    folds = [(labels, split(labels, types)), (control, split(control, types))]

    def parts() -> None:
        sentences = [item.sentence for item in given]
        for _ in model.hidden_states_many(sentences):
            pass
        for combination in combinations:
            for chosen, splits in folds:
                assert len(splits) == FOLDS
                held_out(features.of(combination), chosen, splits)

    mine, theirs = interleaved(ours, parts, rounds=3)
    report(
        f"a probe over {len(combinations)} layers of {len(given):,} words / reading and scikit-learn alone",
        mine / theirs, GOAL, f"{mine:.1f} s / {theirs:.1f} s, at most {peak():,} MB",
    )  # fmt: skip


if __name__ == "__main__":
    main()
