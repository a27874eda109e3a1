"""What a lesson can ask about attention."""

from embtools.attention.attended import NOW, VERSUS, AttendedWords, attended_words
from embtools.attention.attribution import ATTENTION, LEFT_OUT, Attribution, attribute
from embtools.mask_filling.typed_input import mask_last_word, normalise_masks
from embtools.messages import column_name
from embtools.ui.attention import attribution, reading
from embtools.ui.call import Call
from embtools.ui.lesson_answers import Reading, result
from embtools.ui.shown import Model


def _attended(model: Model) -> AttendedWords:
    read = reading.query()
    query = Call(
        attended_words,
        control=read["control"],
        **{key: read[key] for key in ("text", "second", "edits")},
        source=tuple(reading.FROM.value),
        target=tuple(reading.TO.value),
        versus=tuple(reading.VERSUS.value),
        heads=reading.chosen_heads(),
    )
    attended: AttendedWords = result(query, model)
    return attended


def _share(model: Model) -> float:
    words = _attended(model).words
    return 100 * float(words.loc[words["word"].isin(tuple(reading.TO.value)), NOW].sum())


def _more(model: Model) -> str:
    """Return the target that gets more attention in more heads; "" if both do in equally many."""
    attended = _attended(model)
    if not attended.versus:
        raise ValueError("There is no second target to compare with.")
    first, second = ((attended.cells[a] > attended.cells[b]).sum() for a, b in ((NOW, VERSUS), (VERSUS, NOW)))
    return "" if first == second else (attended.target if first > second else attended.versus)[0]


def _attribution(model: Model) -> Attribution:
    text, _ = mask_last_word(normalise_masks(attribution.TEXT.value))
    found: Attribution = result(Call(attribute, text=text, answer=attribution.ANSWER.value.strip()), model)
    return found


def _most(measure: str, model: Model) -> str:
    tokens = _attribution(model).tokens
    counted = tokens[tokens["compared"]]
    if counted.empty:
        raise ValueError("There is no word except the mask.")
    return str(counted.loc[counted[column_name(measure)].idxmax(), "token"])


READINGS = {
    "words": {
        "share": Reading("Attention that the target gets", "number", _share, "%"),
        "more": Reading("Target that gets more attention in more heads", "word", _more),
        "special": Reading(
            "Attention that [CLS] and [SEP] get", "number", lambda model: 100 * _attended(model).special, "%"
        ),
    },
    "attribution": {
        "needed": Reading("Word that the answer depends on most", "word", lambda model: _most(LEFT_OUT, model)),
        "attended": Reading("Word that gets the most attention", "word", lambda model: _most(ATTENTION, model)),
        "agree": Reading(
            "Whether the word with the most attention is also needed most",
            "yes or no",
            lambda model: _most(LEFT_OUT, model) == _most(ATTENTION, model),
        ),
    },
}
