"""Rebuild every file that is computed from the bundled weights. Run it after the weights have changed:

    python docs/tools/rebuild.py --text simplewiki.txt.xz --text enwiki.txt.xz --text books.txt.xz --text news.txt.xz \\
        --start MINILM

It scores the model (embtools/bundled/scores.json), tests the claims of the Paper page (embtools/paper/bundled.json),
learns the dictionaries of features (embtools/bundled/dictionary-3.safetensors and -5), fits the tuned lens to text that
was held out of the training (embtools/bundled/tuned-lens.safetensors), prepares the answers of tabs and examples that
take long (embtools/bundled/answers.zip), stores what Home shows before a model is loaded (embtools/bundled/home.json)
and takes the pictures of the README and of the tour (docs/pictures). Intermediate files of the
dictionaries and the lens are in the folder --work, so that it resumes. Every file contains the checksum of the weights;
tests/test_derived.py fails if one is stale. The tables of the model card are what the first step, the
dictionaries and the lens print."""

import argparse
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


LAYERS = (3, 5)
"""The layers with a dictionary."""
LENS = "tuned-lens.safetensors"
LENS_WORDS, LENS_MASKS = "240000", "36000"


def steps(texts: list[str], start: str, work: str) -> list[list[str]]:
    """The commands that rebuild the files, in order, without the interpreter."""
    read = [part for text in texts for part in ("--text", text)]
    scores = ["--out", "embtools/bundled/scores.json"]
    files = [text.partition("=")[0] for text in texts]
    return [
        ["-m", "training.scoring", "bundled", *read, "--start", start, *scores],
        ["-m", "embtools.paper", "--write"],
        *dictionary_steps(files, Path(work)),
        *lens_steps(files, Path(work)),
        ["-m", "embtools.ui.prepare_answers"],
        ["docs/tools/write_home.py"],
        ["docs/tools/take_pictures.py"],
    ]


def dictionary_steps(texts: list[str], work: Path) -> list[list[str]]:
    """The commands that learn the dictionaries, with those of a model with random weights for comparison."""
    excerpt, random = str(work / "excerpt.txt"), str(work / "random")
    found = [
        ["-m", "embtools.dictionary", "excerpt", *texts, "--out", excerpt],
        ["-m", "embtools.dictionary", "random", "bundled", "--out", random],
    ]
    for layer in map(str, LAYERS):
        own, control = str(work / f"layer-{layer}"), str(work / f"random-layer-{layer}")
        out = f"embtools/bundled/dictionary-{layer}.safetensors"
        run = ["--run", str(work / f"run-{layer}")]
        found += [
            ["-m", "embtools.corpus", excerpt, "--out", own, "--layers", layer],
            ["-m", "embtools.corpus", excerpt, "--out", control, "--layers", layer, "--model", random],
            ["-m", "embtools.dictionary", own, "--control", control, "--out", out, *run],
        ]
    return found


def lens_steps(texts: list[str], work: Path) -> list[list[str]]:
    """The commands that fit the tuned lens to paragraphs that the model was not trained on."""
    excerpt, folder = str(work / "held-out.txt"), str(work / "held-out")
    return [
        ["-m", "embtools.dictionary", "excerpt", *texts, "--held-out", "--words", LENS_WORDS, "--out", excerpt],
        ["-m", "embtools.corpus", excerpt, "--out", folder, "--layers", str(LAYERS[0])],
        ["-m", "embtools.lens", folder, "--masks", LENS_MASKS, "--out", f"embtools/bundled/{LENS}"],
    ]


def absolute(text: str) -> str:
    """Return FILE or FILE=SHARE with the whole path of the file, since the steps run in the root folder."""
    file, equals, share = text.partition("=")
    return f"{Path(file).resolve()}{equals}{share}"


def main() -> None:
    """Run all steps; the first one that fails ends the rebuilding."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--text", action="append", required=True, metavar="FILE[=SHARE]", help="text to score with")
    parser.add_argument("--start", required=True, metavar="MODEL", help="the checkpoint that the training started from")
    parser.add_argument("--work", default="rebuild", help="folder for intermediate files")
    chosen = parser.parse_args()
    work = Path(chosen.work).resolve()
    work.mkdir(parents=True, exist_ok=True)
    for step in steps([absolute(text) for text in chosen.text], chosen.start, str(work)):
        subprocess.run([sys.executable, *step], cwd=ROOT, check=True)


if __name__ == "__main__":
    main()
