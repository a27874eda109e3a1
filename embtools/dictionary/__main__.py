"""Learn a sparse dictionary of features from a corpus folder, for the tab "Learned features" of Features.

    python -m embtools.dictionary FOLDER --out FILE           learn a dictionary from a folder encoded at one layer
    python -m embtools.dictionary excerpt TEXT… --out FILE    write random paragraphs of large texts to one text
    python -m embtools.dictionary random MODEL --out FOLDER   write a model with random weights, for the control

For the bundled model, docs/tools/rebuild.py runs all steps. A folder comes from python -m embtools.corpus TEXT
--layers 3. With --control FOLDER, the same text encoded by the model with random weights, a dictionary of random
weights is learned for comparison. After an interruption, run the same command again: it resumes and writes the same
file. The setting EMBTOOLS_DICTIONARIES offers the file in the app.
"""

import argparse
import sys
from collections.abc import Callable
from pathlib import Path

from embtools.dictionary.excerpt import excerpt
from embtools.dictionary.learn import Settings, learn
from embtools.dictionary.random_model import write_random_model
from embtools.models.catalogue import BUNDLED
from embtools.models.loading import load_model
from embtools.occurrences.folder.reading import CorpusFolder
from embtools.progress import in_terminal


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    given = sys.argv[1:] if arguments is None else arguments
    commands: dict[str, Callable[[list[str]], int]] = {"excerpt": _excerpt, "random": _random}
    try:
        return commands[given[0]](given[1:]) if given and given[0] in commands else _learn(given)
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("Stopped. Run the same command again to resume.", file=sys.stderr)
        return 130


def _learn(given: list[str]) -> int:
    parser = argparse.ArgumentParser(prog="python -m embtools.dictionary", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    add = parser.add_argument
    add("folder", help="a corpus folder, encoded at one layer")
    add("--out", required=True, type=Path, help="file to write, .safetensors")
    add("--run", type=Path, help="folder for checkpoints (default: the file's name with .run)")
    add("--control", help="a folder of the same text, encoded by a model with random weights")
    for name in ("features", "k", "steps", "batch", "seed"):
        add(f"--{name}", type=int, default=getattr(Settings, name))
    add("--save-every", type=int, default=Settings.save_every, help="steps between checkpoints")
    chosen = parser.parse_args(given)
    folder = CorpusFolder.open(chosen.folder)
    settings = Settings(
        chosen.features, chosen.k, chosen.steps, chosen.batch, seed=chosen.seed, save_every=chosen.save_every
    )
    control = None if chosen.control is None else CorpusFolder.open(chosen.control)
    result = learn(
        folder,
        load_model(folder.about["fingerprint"]["model"]),
        out=chosen.out,
        run=chosen.run or chosen.out.with_suffix(".run"),
        settings=settings,
        control=None if control is None else (control, load_model(control.about["fingerprint"]["model"])),
        tell=in_terminal,
    )
    print(file=sys.stderr)
    for row in result.about["quality"]:
        values = (f"{name} {value:,.3f}" for name, value in row.items() if isinstance(value, float))
        print(f"{row['dictionary']}: {', '.join(values)}")
    return 0


def _excerpt(given: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m embtools.dictionary excerpt", description="Write random paragraphs of large texts to one text."
    )
    parser.add_argument("texts", nargs="+", type=Path, metavar="TEXT", help="UTF-8 text files, plain or .xz")
    parser.add_argument("--out", required=True, type=Path, help="text to write")
    parser.add_argument("--words", type=int, default=160_000, help="number of words in all, the same from each text")
    parser.add_argument("--held-out", action="store_true", help="only documents that are held out of training")
    chosen = parser.parse_args(given)
    paragraphs = excerpt(chosen.texts, words=chosen.words, held_out=chosen.held_out)
    chosen.out.write_text("\n\n".join(paragraphs) + "\n", encoding="utf-8")
    print(f"{len(paragraphs):,} paragraphs, {sum(len(text.split()) for text in paragraphs):,} words.")
    return 0


def _random(given: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog="python -m embtools.dictionary random", description="Write a model with random weights."
    )
    parser.add_argument("model", help="bundled, or a folder that contains a model")
    parser.add_argument("--out", required=True, type=Path, help="folder to write")
    parser.add_argument("--seed", type=int, default=0)
    chosen = parser.parse_args(given)
    source = Path(__file__).parents[1] / BUNDLED if chosen.model == BUNDLED else Path(chosen.model)
    write_random_model(source, chosen.out, seed=chosen.seed)
    return 0


if __name__ == "__main__":
    sys.exit(main())
