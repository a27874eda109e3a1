"""The page on which each claim can be tried, and the field values of the link to it.

The panels of other pages are not imported. The keys are those of their fields; a test opens every link and looks for
the figure.
"""

from embtools.layers.published import BANK_LINE
from embtools.mask_filling.relations import relation

Link = tuple[str, dict[str, str | list[str]]]
_BANK: dict[str, str | list[str]] = {"layers_lines": BANK_LINE}
_SENTENCE = BANK_LINE.partition("|")[2].strip()
_EMBEDDINGS = "Here is the sentence I want embeddings for."

LINKS: dict[str, Link] = {
    "A1": ("clusters", {}),
    "A2": ("arithmetic", {"arithmetic_scope": "tied", "arithmetic_draws": "30"}),  # all words, as on the card
    "A3": (
        "arithmetic",
        {
            "arithmetic_text": "Pakistan is the south of [MASK].",
            "arithmetic_edits": "pakistan = pakistan - asia + africa",
            "arithmetic_scope": "tied",
            "arithmetic_leave_out": "pakistan",
        },
    ),
    "A4": ("similarity", {"similarity_linkage": "ward"}),
    "A5": ("arithmetic", {"arithmetic_tab": "analogies"}),
    "A6": ("bias", {}),
    "A7": ("evidence", {}),
    "B1": (
        "inputs",
        {"inputs_first": _EMBEDDINGS, "inputs_second": "", "inputs_piece": "##bed"},
    ),
    "B2": (
        "inputs",
        {
            "inputs_first": "I went to the store.",
            "inputs_second": "They were closed.",
            "inputs_reading": "pair",
            "inputs_piece": "they",
        },
    ),
    "B3": ("inputs", {"inputs_first": _SENTENCE, "inputs_second": "", "inputs_piece": "robber"}),
    "B4": ("layers", {**_BANK, "open": "states"}),
    "B5": ("layers", {**_BANK, "open": "states"}),
    "B6": ("layers", {**_BANK, "open": "segments"}),
    "B7": ("layers", {"layers_tab": "fifty", "open": "published"}),
    "B8": ("pairs", {"pairs_tab": "questions"}),
    "C1": ("corpus", {}),
    "C2": ("corpus", {"corpus_word": "cold", "corpus_occurrence": "1", "corpus_others": "true"}),
    "C3": ("features", {"features_tab": "word"}),
    "C4": (
        "arithmetic",
        {
            "arithmetic_tab": "analogies",
            "arithmetic_analogies": "sentences",
            "arithmetic_pick_a": "1",
            "arithmetic_pick_b": "1",
            "arithmetic_pick_c": "1",
            "arithmetic_kept": "true",
        },
    ),
    "C5": ("clusters", {"clusters_tab": "isotropy"}),
    "D1": ("inputs", {"inputs_tab": "lookup"}),
    "D2": (
        "inputs",
        {
            "inputs_first": "my dog is cute",
            "inputs_second": "he likes playing",
            "inputs_reading": "pair",
            "inputs_piece": "he",
        },
    ),
    "D3": (
        "inputs",
        {
            "inputs_tab": "lookup",
            "inputs_sentence": "The cat sat on the [MASK].",
            "inputs_word": "mat",
        },
    ),
    "D4": ("pairs", {}),
    "D5": ("concepts", {}),
    "D6": ("attention", {"attention_tab": "tasks"}),
    "D7": ("", {"open": "model"}),
    "E1": ("inputs", {}),
}

_ANALOGIES: dict[str, str | list[str]] = {"arithmetic_tab": "analogies", "arithmetic_analogies": "many"}
MANY: dict[str, tuple[tuple[str, Link], ...]] = {
    "A2": (("Many capitals", ("evidence", {})),),
    "A3": (
        (
            "Many countries",
            (
                "evidence",
                {
                    "evidence_relation": "continent",
                    "evidence_sentences": relation("continent").sentences[0],
                    "evidence_stay": "",
                    "evidence_others": "3",
                },
            ),
        ),
    ),
    "A5": (("Many analogies", ("arithmetic", _ANALOGIES | {"arithmetic_inputs": "allowed"})),),
    "A7": (("Many analogies", ("arithmetic", _ANALOGIES)),),
}
"""Links to where a claim about one example is measured over many: label, page and field values."""

STUDIES = {
    "A3": ("All capitals and countries", "ties"),
    "A4": ("All colours, by use", "colours"),
    "A6": ("More words and sentences", "averages"),
}
"""The study of a claim: the label of the button on its card, and its key."""
