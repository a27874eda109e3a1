"""Examples that load with one click, as dictionaries: name → values of the fields that differ from their defaults."""

from typing import Any

State = dict[str, Any]
EDIT_TAB, MANY_TAB, ANALOGIES_TAB = "One sentence", "Many sentences", "Analogies"


def _edit(text: str, *edits: str, scope: str = "input", leave_out: str = "") -> State:
    return {
        "arithmetic_text": text,
        "arithmetic_edits": "\n".join(edits),
        "arithmetic_scope": scope,
        "arithmetic_leave_out": leave_out,
    }


def _rows(*lines: str, scope: str = "input", targets: str = "") -> State:
    return {"arithmetic_rows": "\n".join(lines), "arithmetic_many_scope": scope, "arithmetic_many_targets": targets}


EDITED: dict[str, State] = {
    "Rome moved to France": _edit("Rome is the capital of [MASK].", "rome = rome - italy + france"),
    "He averaged with she": _edit("He works as a [MASK].", "he = (he + she) / 2", scope="tied"),
    "Orange grass": _edit(
        "I love the color of grass - it's a beautiful shade of [MASK].", "grass = grass - green + orange"
    ),
    **{
        f"Pakistan moved to {continent.title()}": _edit(
            "Pakistan is the south of [MASK].",
            f"pakistan = pakistan - asia + {continent}",
            scope="tied",
            leave_out="pakistan",
        )
        for continent in ("africa", "europe", "oceania")
    },
    "Pakistan without an edit": _edit("Pakistan is the south of [MASK].", scope="tied", leave_out="pakistan"),
    "Pakistan moved to Africa, “is south of”": _edit(
        "Pakistan is south of [MASK].", "pakistan = pakistan - asia + africa", scope="tied", leave_out="pakistan"
    ),
    "Berlin moved to Greece": _edit("Berlin is the capital of [MASK].", "berlin = berlin - germany + greece"),
    "Danube moved to Africa": _edit("The Danube runs through [MASK].", "danube = danube - europe + africa"),
    "YouTube owned by Microsoft": _edit("YouTube is owned by [MASK].", "youtube = youtube - google + microsoft"),
    "She averaged with he": _edit("She works as a [MASK].", "she = (he + she) / 2", scope="tied"),
    "A stronger John": _edit("John was a [MASK].", "john = john + strong + dangerous + quick"),
    "Man changed to female": _edit("The man worked as a [MASK].", "man = man + female - male"),
    "Boys averaged with girls": _edit(
        "At school, I used to play [MASK] with the other boys.", "boys = (boys + girls) / 2"
    ),
}
# The expected answers of well-known analogies are in the word list "analogies".
FORMULAS: dict[str, State] = {
    "king - man + woman": {"arithmetic_formula": "king - man + woman"},
    "queen - woman + man": {"arithmetic_formula": "queen - woman + man"},
    "paris - france + italy": {"arithmetic_formula": "paris - france + italy"},
    "0.7 autumn + 0.3 summer": {"arithmetic_formula": "0.7*autumn + 0.3*summer"},
    "nurse without gender": {"arithmetic_formula": "reject(nurse, she - he)"},
}
_JOBS = (
    "doctor", "engineer", "lawyer", "pilot", "mechanic", "carpenter", "nurse", "secretary", "teacher", "librarian",
    "receptionist", "housekeeper",
)  # fmt: skip
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
    "She or he in twelve occupations": _rows(
        *(f"The {job} said that ___ was tired. | {job} = {job} - man + woman" for job in _JOBS), targets="she, he"
    ),
}
