"""Time of the nearest words of a vector, compared with the plain matrix product; 64 vectors compared with one.

python -m benchmarks.neighbours [--quick]
"""

from benchmarks.measure import compare, load, models
from embtools.neighbours import neighbours


def main() -> None:
    """Print both ratios for each model."""
    for name, folder in models():
        model = load(folder)
        one, many = model.matrix[5000:5001].copy(), model.matrix[5000:5064].copy()
        compare(
            f"neighbours of one vector / bare product, {name}",
            lambda m=model, v=one: neighbours(v, m, k=10),
            lambda m=model, v=one: v @ m.matrix.T,
            1.6,
        )
        compare(
            f"neighbours of 64 vectors / of one, {name}",
            lambda m=model, v=many: neighbours(v, m, k=10),
            lambda m=model, v=one: neighbours(v, m, k=10),
            16,
        )


if __name__ == "__main__":
    main()
