"""The examples of the Clusters page."""

from typing import Any

from embtools.charts.maps import FOUND as FOUND_CLUSTERS
from embtools.ui.clusters import sentences
from embtools.ui.clusters.inputs import (
    COLOUR,
    DENSITY,
    FIND,
    FORMULAS,
    FOUND,
    LABEL,
    LIST,
    METHOD,
    NORMALISE,
    NOTHING,
    OF,
    OWN,
    PANEL,
    PERPLEXITY,
    PICK,
    SENTENCE,
    SHUFFLE,
    SOURCE,
    TYPED,
    VOCABULARY,
)
from embtools.ui.corpora.text_vectors import OCCURRENCES, SENTENCES, TEXT
from embtools.ui.corpora.words import WORD
from embtools.words import groups

_FORMULA = "rome - italy + france"
_MIXED = tuple(
    word
    for name in ("months", "numbers", "animals", "sports")
    for word in [w for _, members in groups.preset(name) for w in members][:12]
)
PRESETS: dict[str, dict[str, Any]] = {
    "Cities from Figure 1": {},
    "Move Rome to France": {
        LIST.key: "cities of 15 countries",
        FORMULAS.key: f"rome = {_FORMULA}",
        PICK.key: f"rome, {_FORMULA}",
        PANEL.key: "Selected",
    },
    "Cities in a sentence": {LIST.key: "cities of 15 countries", SOURCE.key: SENTENCE},
    "Professions on two axes": {LIST.key: "professions", METHOD.key: "axes", PANEL.key: "Settings"},
    "Numbers": {LIST.key: "numbers", METHOD.key: "PCA"},
    "Verbs by tense": {LIST.key: "verbs by tense", METHOD.key: "PCA"},
    "Shuffled countries": {METHOD.key: "group means", SHUFFLE.key: True},
    "Four topics without labels": {
        LIST.key: OWN,
        TYPED[OWN].key: groups.write_groups((("everything", _MIXED),)),
        FOUND.key: 4,
        COLOUR.key: FOUND_CLUSTERS,
        DENSITY.key: True,
        PANEL.key: "Settings",
    },
    "Whole vocabulary": {
        LIST.key: VOCABULARY,
        METHOD.key: "PCA",
        LABEL.key: NOTHING,
        FIND.key: "*ology, *ism",
        PANEL.key: "Selected",
    },
}
PRESETS |= {
    f"Occurrences of “{word}”": {
        OF.source.key: OCCURRENCES,
        WORD.key: word,
        METHOD.key: "PCA",
        NORMALISE.key: True,
        LABEL.key: NOTHING,
    }
    for word in ("bank", "letter", "table", "spring", "match")
}
PRESETS["Occurrences of “cold”"] = {
    OF.source.key: OCCURRENCES,
    WORD.key: "cold",
    LABEL.key: NOTHING,
    PERPLEXITY.key: 30,
}
_CLUSTERED: dict[str, Any] = {
    OF.source.key: SENTENCES,
    METHOD.key: "PCA",
    NORMALISE.key: True,
    COLOUR.key: FOUND_CLUSTERS,
}
PRESETS |= {
    "Sentences on four topics": _CLUSTERED,
    "Praise and complaints": {**_CLUSTERED, TEXT.key: sentences.REVIEWS, sentences.COUNT.key: 2},
    "Unrelated sentences": {**_CLUSTERED, TEXT.key: sentences.UNRELATED},
}
