"""Examples that load in one click: name → values of fields that differ from their defaults."""

from typing import Any

State = dict[str, Any]
EDIT_TAB, FORMULA_TAB, MANY_TAB = "Edit and ask again", "Formula and analogy", "Many at once"


def _edit(text: str, *edits: str, scope: str = "input", leave_out: str = "") -> State:
    return {
        "arithmetic_text": text,
        "arithmetic_edits": "\n".join(edits),
        "arithmetic_scope": scope,
        "arithmetic_leave_out": leave_out,
    }


def _rows(*lines: str, scope: str = "input") -> State:
    return {"arithmetic_rows": "\n".join(lines), "arithmetic_many_scope": scope}


def _formula(formula: str, expected: str) -> State:
    return {"arithmetic_formula": formula, "arithmetic_expected": expected}


EDITED: dict[str, State] = {
    "Rome in France": _edit("Rome is the capital of [MASK].", "rome = rome - italy + france"),
    "He, averaged with she": _edit("He works as a [MASK].", "he = (he + she) / 2", scope="tied"),
    "Orange grass": _edit(
        "I love the color of grass - it's a beautiful shade of [MASK].", "grass = grass - green + orange"
    ),
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
    "Berlin in Greece": _edit("Berlin is the capital of [MASK].", "berlin = berlin - germany + greece"),
    "Danube in Africa": _edit("The Danube runs through [MASK].", "danube = danube - europe + africa"),
    "YouTube at Microsoft": _edit("YouTube is owned by [MASK].", "youtube = youtube - google + microsoft"),
    "She, averaged with he": _edit("She works as a [MASK].", "she = (he + she) / 2", scope="tied"),
    "A stronger John": _edit("John was a [MASK].", "john = john + strong + dangerous + quick"),
    "A female man": _edit("The man worked as a [MASK].", "man = man + female - male"),
    "Boys and girls": _edit("At school, I used to play [MASK] with the other boys.", "boys = (boys + girls) / 2"),
}
FORMULAS: dict[str, State] = {
    "king - man + woman": _formula("king - man + woman", "queen"),
    "queen - woman + man": _formula("queen - woman + man", "king"),
    "paris - france + italy": _formula("paris - france + italy", "rome"),
    "0.7 autumn + 0.3 summer": _formula("0.7*autumn + 0.3*summer", ""),
    "nurse without gender": _formula("reject(nurse, she - he)", ""),
}
TABLES: dict[str, State] = {
    "Five capitals": _rows(
        "Rome is the capital of ___. | rome = rome - italy + france",
        "Paris is the capital of ___. | paris = paris - france + italy",
        "Berlin is the capital of ___. | berlin = berlin - germany + greece",
        "Madrid is the capital of ___. | madrid = madrid - spain + portugal",
        "Vienna is the capital of ___. | vienna = vienna - austria + hungary",
    ),
    "Pakistan on four continents": _rows(
        *(
            f"Pakistan is the south of ___. | pakistan = pakistan - asia + {continent}"
            for continent in ("africa", "europe", "oceania", "america")
        ),
        scope="tied",
    ),
    "He and she at work": _rows(
        *(
            f"{who} {does} as a ___. | {who.lower()} = (he + she) / 2"
            for who in ("He", "She")
            for does in ("works", "worked", "trained")
        ),
        scope="tied",
    ),
}
