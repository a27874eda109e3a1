"""Old links of the Bias page open the state that they opened before."""

import pytest

# A link as an older version of the page wrote it, and the fields that it stands for.
OLD = {
    "a sentence with its average": (
        "bias_template=The+%7Bgroup%7D+is+%5BMASK%5D.&bias_groups=king%2C+queen&bias_lean=-0.5&bias_scope=input&bias_k=3"
        "&bias_hide=true",
        {
            "bias_template": "The {group} is [MASK].",
            "bias_groups": "king, queen",
            "bias_lean": -0.5,
            "bias_scope": "input",
            "bias_k": 3,
            "bias_hide": True,
        },
    ),
    "groups on lines of their own": (
        "bias_groups=christian%0Amuslim%0Ajewish&bias_lean=0.25",
        {"bias_tab": "Groups in a sentence", "bias_groups": "christian\nmuslim\njewish", "bias_lean": 0.25},
    ),
    "a swapped sentence": (
        "bias_tab=Whole+sentence&bias_text=The+young+man+was+too+slow.&bias_pairs=young%3Dold&bias_other=",
        {
            "bias_tab": "Whole sentence",
            "bias_text": "The young man was too slow.",
            "bias_pairs": "young=old",
            "bias_other": "",
        },
    ),
    "occupations that were asked for": (
        "bias_tab=Occupations&bias_first=james%2C+robert&bias_second=mary%2C+linda&bias_axis=ten+pairs&bias_run=1"
        "&bias_words=nurse%2C+judge&bias_templates=%7Bgroup%7D+is+the+%7Boccupation%7D.&bias_reference=poet",
        {
            "bias_tab": "Occupations",
            "bias_first": "james, robert",
            "bias_second": "mary, linda",
            "bias_axis": "ten pairs",
            "bias_words": "nurse, judge",
            "bias_templates": "{group} is the {occupation}.",
            "bias_reference": "poet",
        },
    ),
    "a test on sentences at a layer": (
        "bias_tab=Association+tests&bias_level=sentences+%28SEAT%29&bias_pooling=word&bias_layer=4&bias_x=he%2C+she"
        "&bias_y=king%2C+queen&bias_a=red%2C+green&bias_b=cold%2C+warm&bias_bleached=This+is+%7Bword%7D.",
        {
            "bias_level": "sentences (SEAT)",
            "bias_pooling": "word",
            "bias_layer": "4",
            "bias_x": "he, she",
            "bias_y": "king, queen",
            "bias_a": "red, green",
            "bias_b": "cold, warm",
            "bias_bleached": "This is {word}.",
        },
    ),
    "a test on words of several pieces": (
        "bias_tab=Association+tests&bias_pieces=mean",
        {"bias_tab": "Association tests", "bias_pieces": "mean", "bias_level": "words (WEAT)"},
    ),
    "mitigation of one pair": (
        "bias_tab=Mitigation&bias_axis_pairs=he%3Dshe&bias_reach=input&bias_side=100&bias_method=random+direction&bias_run=0",
        {
            "bias_tab": "Mitigation",
            "bias_axis_pairs": "he=she",
            "bias_reach": "input",
            "bias_side": 100,
            "bias_method": "random direction",
        },
    ),
}


@pytest.mark.parametrize("name", OLD)
def test_an_old_link_opens_the_same_state(visit, name):
    from urllib.parse import parse_qs

    link, fields = OLD[name]
    at = visit("bias", **parse_qs(link, keep_blank_values=True))
    assert {key: at.session_state[key] for key in fields} == fields
    assert at.charts and not at.problems
    assert "bias_run" not in at.query_params


@pytest.mark.parametrize(
    ("query", "key", "value"),
    [
        ({"bias_lean": "2"}, "bias_lean", 0.0),
        ({"bias_k": "1e400"}, "bias_k", 5),
        ({"bias_scope": "none"}, "bias_scope", "tied"),
        ({"bias_tab": "Nothing"}, "bias_tab", "Groups in a sentence"),
        ({"bias_side": "nan", "bias_tab": "Whole sentence"}, "bias_side", 200),
    ],
)
def test_what_no_hand_could_set_no_link_can(visit, query, key, value):
    at = visit("bias", **query)
    assert at.session_state[key] == value and not at.problems
