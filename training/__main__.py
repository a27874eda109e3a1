"""Train a BERT on text files, with masked words and next sentences, as the bundled model was trained.

    python -m training --start FOLDER --text wiki.txt.xz=3 --text books.txt=1 \\
        --run RUN --out MODEL --steps 10000

To resume after an interruption, run the same command again. It continues at the last checkpoint and, on
a processor with the same number of threads, reaches the same weights. The learning rate rises, stays
constant, and falls over the last part of the run. The run ends after `--steps` or `--minutes`, counted from
the start of this command. While the rate is constant, a run may be continued with more steps or minutes,
but not with other texts, another seed or other rates. `--minutes 0` only writes the model of the checkpoints.

On a GPU: `--pieces 81920 --workers 15 --compile`. With a multiple of 81,920, every step has the same number of
sequences of each kind, so that less is compiled.
"""

import argparse
import math
import sys
from pathlib import Path

from training.loop import train
from training.settings import Settings
from training.text import text_argument

MOST_STEPS = 10**9
"""More steps than any number of minutes allows."""


def blend_argument(value: str) -> tuple[Path, float]:
    """Return the folder and the share of an argument `FOLDER=SHARE`; the share is at least 0 and below 1."""
    folder, share = text_argument(value)
    if "=" not in value or not 0 <= share < 1:
        raise argparse.ArgumentTypeError(
            f"{value} is not valid. Write FOLDER=SHARE, with a share of at least 0 and below 1."
        )
    return folder, share


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit status."""
    parser = argparse.ArgumentParser(prog="python -m training", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    add = parser.add_argument
    add("--start", required=True, help="the model to start from: a hub name or a folder")
    add(
        "--text",
        required=True,
        action="append",
        type=text_argument,
        metavar="FILE[=SHARE]",
        help="UTF-8 text, plain or .xz, one paragraph per line, a blank line between documents; can be repeated",
    )
    add(
        "--sentences",
        action="append",
        default=[],
        type=text_argument,
        metavar="FILE[=SHARE]",
        help="the same, but only single sentences are used, for texts of short documents; can be repeated",
    )
    add("--run", required=True, type=Path, help="folder for checkpoints, token cache and log")
    add("--out", required=True, type=Path, help="folder for the finished model")
    add("--steps", type=int, help=f"total number of steps (default without --minutes: {Settings.steps:,})")
    add(
        "--minutes",
        type=float,
        default=Settings.minutes,
        help="end this run after this many minutes, including the decay",
    )
    add("--pieces", type=int, default=Settings.pieces, help="positions per step, including padding, in blocks of 4,096")
    add(
        "--at-once",
        type=int,
        help="positions computed together (default: a block on a processor, the whole step on a GPU)",
    )
    add(
        "--decay",
        type=float,
        default=Settings.decay,
        help="share of the run at its end during which the learning rate falls",
    )
    add(
        "--warmup",
        type=int,
        default=Settings.warmup,
        help="number of steps at the start during which the learning rate rises",
    )
    add(
        "--learning-rate",
        type=float,
        default=Settings.learning_rate,
        help="the constant learning rate between warm-up and decay",
    )
    add("--mask-rate", type=float, default=Settings.mask_rate, help="share of the tokens or words to mask")
    add("--next-weight", type=float, default=Settings.next_weight, help="weight of the next-sentence loss")
    add(
        "--copy-weight",
        type=float,
        default=Settings.copy_weight,
        help="weight of the loss against copying words of the same sentence",
    )
    add("--seed", type=int, default=Settings.seed, help="seed of the random generator")
    add("--save-every", type=int, default=Settings.save_every, help="number of steps between checkpoints")
    add("--save-minutes", type=float, default=Settings.save_minutes, help="minutes between checkpoints, at most")
    add("--keep", type=int, default=Settings.keep, help="number of checkpoints to keep")
    add("--average", type=int, default=Settings.average, help="number of checkpoints averaged in the exported model")
    add(
        "--blend",
        type=blend_argument,
        metavar="FOLDER=SHARE",
        help="an earlier exported model to mix in, and its share",
    )
    add(
        "--compile",
        action="store_true",
        help="use torch.compile, which is 1.1 to 1.4 times faster and needs a compiler",
    )
    add("--threads", type=int, default=Settings.threads, help="number of processor threads")
    add(
        "--workers",
        type=int,
        default=Settings.workers,
        help="number of processes that prepare batches in advance; 0 for none",
    )
    chosen = vars(parser.parse_args(arguments))
    if chosen["steps"] is None:
        chosen["steps"] = Settings.steps if chosen["minutes"] == math.inf else MOST_STEPS
    texts, sentence_texts = tuple(chosen.pop("text")), tuple(chosen.pop("sentences"))
    try:
        train(Settings(texts=texts, sentence_texts=sentence_texts, **chosen))
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
