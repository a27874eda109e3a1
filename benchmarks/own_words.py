"""Words and sentences that no two visitors share, and the addresses of all pages with them."""

import random
from collections.abc import Callable
from functools import cache
from pathlib import Path

from tokenizers import Tokenizer

import embtools
from embtools import wordlists

Query = dict[str, str]


@cache
def vocabulary() -> frozenset[str]:
    """The words of the bundled model, which is not loaded for this."""
    file = Path(embtools.__file__).parent / "bundled" / "tokenizer.json"
    return frozenset(Tokenizer.from_file(str(file)).get_vocab())


class Words:
    """Words and sentences that no two visitors share, drawn by a seed."""

    def __init__(self, seed: int) -> None:
        self.draw = random.Random(seed)
        known = vocabulary()
        self.words = sorted(w for w in known if w.isalpha() and w.isascii() and len(w) > 3)
        self.capitals = [w for w in wordlists.load("capitals")["capital"] if w in known]
        self.countries = [w for w in wordlists.load("capitals")["country"] if w in known]
        self.occupations = [w for w in wordlists.load("occupations")["occupation"] if w in known]
        self.sentences = wordlists.load("corpus")["sentence"].tolist()

    def some(self, n: int) -> list[str]:
        return self.draw.sample(self.words, n)

    def one(self, among: list[str]) -> str:
        return self.draw.choice(among)


def _arithmetic(w: Words) -> Query:
    city, first, second = w.one(w.capitals), w.one(w.countries), w.one(w.countries)
    text = f"{w.one(w.words).title()} said that {city} is the capital of [MASK]."
    return {"arithmetic_text": text, "arithmetic_edits": f"{city} = {city} - {first} + {second}"}


def _tracing(w: Words) -> Query:
    city, first, second = w.one(w.capitals), w.one(w.countries), w.one(w.countries)
    return {"tracing_text": f"{city} is in [MASK].", "tracing_edits": f"{city} = {city} - {first} + {second}"}


def _formula(w: Words) -> Query:
    return {"features_formula": "{} - {} + {}".format(*w.some(3)), "features_tab": "formula"}


def _evidence(w: Words) -> Query:
    sentence = f"The {w.one(w.words)} of {{a}} is in [MASK]."
    return {"evidence_sentences": sentence, "evidence_count": "4", "evidence_others": "2"}


QUERIES: dict[str, list[Callable[[Words], Query]]] = {
    "lessons": [lambda w: {"lesson": w.one(["numbers", "rome", "king", "it"]), "lesson_guesses": "a"}],
    "arithmetic": [_arithmetic],
    "similarity": [
        lambda w: {"similarity_words": ", ".join(w.some(14))},
        lambda w: {"similarity_tab": "nearest", "similarity_word": w.one(w.words)},
    ],
    "clusters": [lambda w: {"clusters_list": "own", "clusters_words_own": f"a: {', '.join(w.some(12))}"}],
    "bias": [lambda w: {"bias_template": f"{{group}} met the {w.one(w.words)} and works as a [MASK]."}],
    "inputs": [lambda w: {"inputs_first": f"I found a {w.words[0]}.", "inputs_second": f"{w.one(w.words)} is there."}],
    "layers": [lambda w: {"layers_lines": "money | The {} bank\nriver | The river bank is {}.".format(*w.some(2))}],
    "attention": [lambda w: {"attention_text": "The {} did not see the {} because it slept.".format(*w.some(2))}],
    "tracing": [_tracing],
    "pairs": [lambda w: {"pairs_first": w.one(w.sentences), "pairs_second": f"It was {w.one(w.words)}."}],
    "concepts": [
        lambda w: {"concepts_sentence": w.one(w.sentences)},
        lambda w: {"concepts_tab": "direction", "concepts_text": w.one(w.sentences)},
    ],
    "corpus": [lambda w: {"corpus_word": w.one(w.one(w.sentences).lower().strip(".?!").split())}],
    "features": [lambda w: {"features_tab": "word", "features_word": w.one(w.words)}, _formula],
    "evidence": [_evidence],
    "paper": [lambda w: {}],
}  # fmt: skip
