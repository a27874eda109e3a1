"""Examples that load in one click: name → values of widgets. The groups of the texts the app is built on."""

from typing import Any

State = dict[str, Any]


def _edit(text: str, *edits: str, scope: str = "input", leave_out: str = "") -> State:
    return {
        "arithmetic_text": text,
        "arithmetic_edits": "\n".join(edits),
        "arithmetic_scope": scope,
        "arithmetic_strength": 1.0,
        "arithmetic_keep": False,
        "arithmetic_positions": [],
        "arithmetic_leave_out": leave_out,
        "arithmetic_tab": EDIT_TAB,
        # An example is shown as it was meant, whatever was set before.
        "arithmetic_candidates": "",
        "arithmetic_curve": "",
        "arithmetic_curve_as": "probability",
        "arithmetic_k": 8,
        "arithmetic_temperature": 1.0,
        "arithmetic_draws": 5,
        "arithmetic_hide": False,
    }


def _formula(formula: str, expected: str) -> State:
    return {
        "arithmetic_formula": formula,
        "arithmetic_expected": expected,
        "arithmetic_tab": FORMULA_TAB,
        "arithmetic_inputs": True,
        "arithmetic_whole": False,
        "arithmetic_metric": "cosine",
        "arithmetic_neighbours": 10,
    }


EDIT_TAB, FORMULA_TAB = "Edit and ask again", "Formula and analogy"

EXAMPLES: dict[str, dict[str, State]] = {
    "Cities and countries": {
        "Rome in France": _edit("Rome is the capital of [MASK].", "rome = rome - italy + france"),
        "Berlin in Greece": _edit("Berlin is the capital of [MASK].", "berlin = berlin - germany + greece"),
        "Danube in Africa": _edit("The Danube runs through [MASK].", "danube = danube - europe + africa"),
    },
    "Continents": {
        **{
            f"Pakistan in {continent.title()}": _edit(
                "Pakistan is the south of [MASK].",
                f"pakistan = pakistan - asia + {continent}",
                scope="tied",
                leave_out="pakistan",
            )
            for continent in ("africa", "europe", "oceania")
        },
        "Pakistan unchanged": _edit("Pakistan is the south of [MASK].", scope="tied", leave_out="pakistan"),
        "… is south of, Africa": _edit(
            "Pakistan is south of [MASK].", "pakistan = pakistan - asia + africa", scope="tied", leave_out="pakistan"
        ),
    },
    "People and work": {
        "He, averaged with she": _edit("He works as a [MASK].", "he = (he + she) / 2", scope="tied"),
        "She, averaged with he": _edit("She works as a [MASK].", "she = (he + she) / 2", scope="tied"),
        "A stronger John": _edit("John was a [MASK].", "john = john + strong + dangerous + quick"),
        "A female man": _edit("The man worked as a [MASK].", "man = man + female - male"),
        "Boys and girls": _edit("At school, I used to play [MASK] with the other boys.", "boys = (boys + girls) / 2"),
    },
    "Things": {
        "Orange grass": _edit(
            "I love the color of grass - it's a beautiful shade of [MASK].", "grass = grass - green + orange"
        ),
        "YouTube at Microsoft": _edit("YouTube is owned by [MASK].", "youtube = youtube - google + microsoft"),
    },
    "Analogies": {
        "king - man + woman": _formula("king - man + woman", "queen"),
        "queen - woman + man": _formula("queen - woman + man", "king"),
        "paris - france + italy": _formula("paris - france + italy", "rome"),
        "0.7 autumn + 0.3 summer": _formula("0.7*autumn + 0.3*summer", ""),
        "nurse without gender": _formula("reject(nurse, she - he)", ""),
    },
}
FIRST = (
    "Rome in France",
    "Pakistan in Africa",
    "He, averaged with she",
    "Orange grass",
    "king - man + woman",
)
FIRST_TEXT, FIRST_EDIT = "Rome is the capital of [MASK].", "rome = rome - italy + france"
