"""Train a BERT (masked words and next sentence) on text files: the recipe of the bundled model.

    python -m embtools.pretrain --start FOLDER --text wiki.txt.xz=3 --text books.txt=1 \\
        --run RUN --out MODEL --steps 10000

Run the same command again after an interruption: it continues at the last checkpoint and, on a
processor with the same number of threads, reaches the same weights. The learning rate rises, stays,
and falls over the last part of the run, which ends with its steps or with `--minutes`, counted from
this command on. A run in its flat part may be continued with more of either, but not with other
texts, another seed or other rates; `--minutes 0` only writes the model of the checkpoints.

On a GPU: `--pieces 65536 --workers 15 --compile`.
"""

import argparse
import math
import sys
from pathlib import Path

from embtools.pretrain.settings import Settings
from embtools.pretrain.text import text_argument
from embtools.pretrain.training import train

MOST_STEPS = 10**9
"""More than the minutes of any run leave time for."""


def blend_argument(value: str) -> tuple[Path, float]:
    """`FOLDER=SHARE`, the share at least 0 and below 1."""
    folder, share = text_argument(value)
    if "=" not in value or not 0 <= share < 1:
        raise argparse.ArgumentTypeError(f"{value}: give FOLDER=SHARE, the share at least 0 and below 1")
    return folder, share


def main(arguments: list[str] | None = None) -> int:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m embtools.pretrain", description=__doc__)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    add = parser.add_argument
    add("--start", required=True, help="starting checkpoint: hub name or folder")
    add(
        "--text",
        required=True,
        action="append",
        type=text_argument,
        metavar="FILE[=SHARE]",
        help="UTF-8 text or .xz, a paragraph a line, blank line between documents; repeatable",
    )
    add(
        "--sentences",
        action="append",
        default=[],
        type=text_argument,
        metavar="FILE[=SHARE]",
        help="likewise, but only single sentences are used, no pairs or passages: for texts of short documents",
    )
    add("--run", required=True, type=Path, help="folder for checkpoints, token cache and log")
    add("--out", required=True, type=Path, help="folder for the finished model")
    add("--steps", type=int, help=f"steps in all (without --minutes: {Settings.steps:,})")
    add("--minutes", type=float, default=Settings.minutes, help="end this run so long after its start, decay included")
    add("--pieces", type=int, default=Settings.pieces, help="of a step, padding included: blocks of 4,096")
    add("--at-once", type=int, help="pieces computed together: a block on a processor, the step on a GPU")
    add("--decay", type=float, default=Settings.decay, help="last share of the run, over which the rate falls")
    add("--warmup", type=int, default=Settings.warmup, help="first steps, over which it rises")
    add("--learning-rate", type=float, default=Settings.learning_rate, help="rate on the plateau")
    add("--mask-rate", type=float, default=Settings.mask_rate, help="share of the pieces or words to predict")
    add("--next-weight", type=float, default=Settings.next_weight, help="of the next-sentence loss")
    add("--copy-weight", type=float, default=Settings.copy_weight, help="of the loss against copying words in sight")
    add("--seed", type=int, default=Settings.seed)
    add("--save-every", type=int, default=Settings.save_every, help="steps between checkpoints")
    add("--save-minutes", type=float, default=Settings.save_minutes, help="a checkpoint at least this often")
    add("--keep", type=int, default=Settings.keep, help="checkpoints to keep")
    add("--average", type=int, default=Settings.average, help="checkpoints in the exported mean")
    add("--blend", type=blend_argument, metavar="FOLDER=SHARE", help="an earlier export to mix in, and its share")
    add("--compile", action="store_true", help="torch.compile: 1.1-1.4 x faster, needs a compiler")
    add("--threads", type=int, default=Settings.threads, help="processor threads")
    add("--workers", type=int, default=Settings.workers, help="processes that build batches ahead; 0: none")
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
