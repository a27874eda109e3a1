"""Make sentences for training from other texts.

    python -m training.sentences articles wiki.txt.xz more.txt.xz --vocabulary embtools/bundled --out a.txt

Only words that are a single token are used as answers, because a single [MASK] can only stand for one token. Documents
that are held out of training are skipped, and sentences of the scoring suites are refused.
"""

import argparse
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path
from types import ModuleType

from embtools.documents import is_held_out
from training.sentences import (
    articles,
    capitals,
    colours,
    countries,
    everyday,
    glosses,
    kin,
    mixtures,
    opposites,
    order,
    places,
    relations,
    statements,
    uses,
)
from training.sentences.apart import of_a_suite
from training.text import split_sentences

Rewrite = Callable[[Sequence[Path], Collection[str]], Iterator[list[str]]]
"""A function of files and known words that yields documents, each a list of paragraphs."""

DESCRIBED: dict[ModuleType, str] = {
    articles: "the first sentences of articles about words of one token",
    capitals: "countries and their capitals in many wordings; the first file is the Factbook",
    colours: "the colours of things, from comparisons",
    countries: "the fields of the World Factbook as sentences",
    everyday: "general sentences with common words",
    glosses: "the entries of a dictionary as sentences: definitions, kinds, parts, young animals, what people do",
    kin: "family relations, such as the word for a father's sister, from a dictionary",
    mixtures: "what two colours give when they are mixed; the first file is the dictionary",
    opposites: "words that texts contrast and that are similar in the dictionary, which is the first file",
    order: "what comes after what: days, months and numbers from a dictionary, and sums",
    places: "cities and their countries in many wordings; the first file is the Factbook",
    relations: "whose young an animal is, and what people do at work, from a dictionary",
    statements: "short statements about relations of things and names",
    uses: "what things are used for, from a dictionary",
}
"""The sentences that each module of this package writes."""

KINDS: dict[str, Rewrite] = {module.__name__.rpartition(".")[2]: module.rewrite for module in DESCRIBED}


def kept(documents: Iterator[list[str]]) -> Iterator[list[str]]:
    """Yield the documents without sentences of the suites, and without those that would count as held out, because all
    of them are made from training texts.
    """
    for document in documents:
        paragraphs = [" ".join(s for s in split_sentences(p) if not of_a_suite(s)) for p in document]
        left = [p for p in paragraphs if p]
        if left and not is_held_out(left):
            yield left


def main(arguments: list[str] | None = None) -> int:
    """Run the command line and return its exit status; 1 if a file cannot be read or written."""
    from transformers import AutoTokenizer

    listed = "\n".join(f"{kind:<10} {what}" for kind, what in zip(KINDS, DESCRIBED.values(), strict=True))
    parser = argparse.ArgumentParser(
        prog="python -m training.sentences",
        description=f"{__doc__}\nkinds of text:\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("kind", choices=KINDS, help="the kind of text, see above")
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help="UTF-8 text, plain or .xz, as for training")
    parser.add_argument("--vocabulary", required=True, help="the model that decides which words are single tokens")
    parser.add_argument("--out", required=True, type=Path, help="the file to write")
    chosen = parser.parse_args(arguments)
    try:
        known = frozenset(AutoTokenizer.from_pretrained(chosen.vocabulary).get_vocab())
        documents = kept(KINDS[chosen.kind](chosen.files, known))
        chosen.out.write_text("\n\n".join("\n".join(d) for d in documents) + "\n", encoding="utf-8")
    except (OSError, ValueError) as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
