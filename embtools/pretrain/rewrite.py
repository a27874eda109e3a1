"""The command line of the programs that make training text from other text."""

import argparse
import sys
from collections.abc import Callable, Collection, Iterator
from pathlib import Path

from embtools.pretrain.text import is_held_out

Rewrite = Callable[[Path, Collection[str]], Iterator[list[str]]]
"""From a file and the words of one piece to documents, each a list of paragraphs."""


def command(name: str, description: str | None, rewrite: Rewrite, arguments: list[str] | None) -> int:
    """Rewrite the files named on the command line into one text file; 1 with a sentence on stderr when that fails.

    A document that would pass for held out (`pretrain_text.is_held_out`) is dropped: it was made from what is trained
    on.
    """
    from transformers import AutoTokenizer

    parser = argparse.ArgumentParser(prog=f"python -m embtools.{name}", description=description)
    parser.formatter_class = argparse.RawDescriptionHelpFormatter
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help="UTF-8 text or .xz, as for pretrain")
    parser.add_argument("--vocabulary", required=True, help="the model whose words of one piece are meant")
    parser.add_argument("--out", required=True, type=Path)
    chosen = parser.parse_args(arguments)
    try:
        known = frozenset(AutoTokenizer.from_pretrained(chosen.vocabulary).get_vocab())
        documents = [d for file in chosen.files for d in rewrite(file, known) if not is_held_out(d)]
        chosen.out.write_text("\n\n".join("\n".join(d) for d in documents) + "\n", encoding="utf-8")
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0
