"""Make training text from other text.

    python -m embtools.pretrain.sentences articles wiki.txt.xz more.txt.xz --vocabulary embtools/bundled --out a.txt

articles   openings of articles about words of one piece
capitals   countries and their capitals in many wordings; the first file is the Factbook
countries  the World Factbook's fields as sentences
everyday   sentences of common words about things in general
glosses    a dictionary's lines as sentences: definitions, kinds, parts, young animals, what people do
relations  whose young an animal is and what people do at work, from a dictionary
kin        what a father's sister is called, from a dictionary
order      what comes after what: days, months and numbers from a dictionary, and sums
opposites  words that texts set against each other and that stand side by side in the dictionary, named first
places     cities and their countries in many wordings; the first file is the Factbook
colours    the colours of things, from comparisons
uses       what things are for, from a dictionary
mixtures   what two colours give when they are mixed; the first file is the dictionary
statements brief sentences that relate things and names to each other

Only words of one piece are asked for, since a single [MASK] can be answered by them alone. Documents that
`embtools.pretrain` holds out are left out, and sentences of the scoring suites are refused.
"""

import argparse
import sys
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path

from embtools.pretrain.sentences import (
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
from embtools.pretrain.sentences.apart import of_a_suite
from embtools.pretrain.text import is_held_out, split_sentences

Rewrite = Callable[[Sequence[Path], Collection[str]], Iterator[list[str]]]
"""From files and the words of one piece to documents, each a list of paragraphs."""

KINDS: dict[str, Rewrite] = {
    "articles": articles.rewrite,
    "capitals": capitals.rewrite,
    "colours": colours.rewrite,
    "countries": countries.rewrite,
    "everyday": everyday.rewrite,
    "glosses": glosses.rewrite,
    "kin": kin.rewrite,
    "mixtures": mixtures.rewrite,
    "opposites": opposites.rewrite,
    "order": order.rewrite,
    "places": places.rewrite,
    "relations": relations.rewrite,
    "statements": statements.rewrite,
    "uses": uses.rewrite,
}


def kept(documents: Iterator[list[str]]) -> Iterator[list[str]]:
    """The documents without sentences of the suites, and without those that would pass for held out.

    They were made from what is trained on, so none of them may count as unseen.
    """
    for document in documents:
        paragraphs = [" ".join(s for s in split_sentences(p) if not of_a_suite(s)) for p in document]
        left = [p for p in paragraphs if p]
        if left and not is_held_out(left):
            yield left


def main(arguments: list[str] | None = None) -> int:
    """The command line; 1 with a sentence on stderr when a file cannot be read or written."""
    from transformers import AutoTokenizer

    parser = argparse.ArgumentParser(
        prog="python -m embtools.pretrain.sentences",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("files", type=Path, nargs="+", metavar="FILE", help="UTF-8 text or .xz, as for pretrain")
    parser.add_argument("--vocabulary", required=True, help="the model whose words of one piece are meant")
    parser.add_argument("--out", required=True, type=Path)
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
