"""Train a BERT (masked words and next sentence) on text files: the recipe of the bundled model.

    python -m embtools.pretrain --start FOLDER --text wiki.txt.xz=3 --text books.txt=1 \\
        --run RUN --out MODEL --steps 10000

Run the same command again after an interruption: it continues at the last checkpoint and, on a
processor with the same number of threads, reaches the same weights. The learning rate rises, stays,
and falls over the last `--decay` steps; a run in its flat part may be continued with more steps, but
not with other texts, another seed or other rates.
"""

import argparse
import sys
from pathlib import Path

from embtools.pretrain.settings import Settings
from embtools.pretrain.text import text_argument
from embtools.pretrain.training import train


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
    add("--run", required=True, type=Path, help="folder for checkpoints, token cache and log")
    add("--out", required=True, type=Path, help="folder for the finished model")
    add("--steps", type=int, default=Settings.steps, help="steps in all (4,096 pieces each)")
    add("--decay", type=int, default=Settings.decay, help="last steps, over which the rate falls")
    add("--warmup", type=int, default=Settings.warmup, help="first steps, over which it rises")
    add("--learning-rate", type=float, default=Settings.learning_rate, help="rate on the plateau")
    add("--mask-rate", type=float, default=Settings.mask_rate, help="share of the pieces or words to predict")
    add("--next-weight", type=float, default=Settings.next_weight, help="of the next-sentence loss")
    add("--copy-weight", type=float, default=Settings.copy_weight, help="of the loss against copying words in sight")
    add("--seed", type=int, default=Settings.seed)
    add("--save-every", type=int, default=Settings.save_every, help="steps between checkpoints")
    add("--keep", type=int, default=Settings.keep, help="checkpoints to keep")
    add("--average", type=int, default=Settings.average, help="checkpoints in the exported mean")
    add("--blend", type=blend_argument, metavar="FOLDER=SHARE", help="an earlier export to mix in, and its share")
    add("--compile", action="store_true", help="torch.compile: 1.1-1.4 x faster, needs a compiler")
    add("--threads", type=int, default=Settings.threads, help="processor threads")
    chosen = vars(parser.parse_args(arguments))
    texts = tuple(chosen.pop("text"))
    try:
        train(Settings(texts=texts, **chosen))
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
