"""Fit a tuned lens (Belrose et al. 2023) from a corpus folder: one affine translator per layer of its model.

    python -m embtools.lens FOLDER --out FILE

A folder comes from python -m embtools.corpus TEXT. Only its sentences are used, with 15% of their tokens masked; every
tenth is held out. The app uses the file if it is named tuned-lens.safetensors and is in the folder of the model. For
the bundled model, docs/tools/rebuild.py runs all steps. Fitting takes minutes and does not resume.
"""

import argparse
import sys
from pathlib import Path

from embtools.lens.fit import Settings, fit
from embtools.models.loading import load_model
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.progress import in_terminal


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    parser = argparse.ArgumentParser(
        prog="python -m embtools.lens", description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    add = parser.add_argument
    add("folder", help="a corpus folder; its model gets the lens")
    add("--out", required=True, type=Path, help="file to write, tuned-lens.safetensors")
    add("--model", help="another model: bundled, or a folder (default: the one that encoded the corpus folder)")
    for name in ("masks", "steps", "batch", "seed"):
        add(f"--{name}", type=int, default=getattr(Settings, name))
    chosen = parser.parse_args(arguments)
    try:
        folder = CorpusFolder.open(chosen.folder)
        model = load_model(chosen.model or folder.about["fingerprint"]["model"])
        settings = Settings(chosen.masks, chosen.steps, chosen.batch, seed=chosen.seed)
        lens = fit(folder, model, out=chosen.out, settings=settings, tell=in_terminal)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    print(file=sys.stderr)
    print(lens.quality.to_string(index=False))
    print(f"Mean answer of all masks: {lens.kl_mean:.2f} bits.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
