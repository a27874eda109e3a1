"""Links that people kept from before the page was rebuilt: they open the same map, with the same numbers."""

from urllib.parse import parse_qs

import pytest

ORDER = ("trustworthiness", "continuity", "neighbours kept", "distances in order")
GROUPS = ("silhouette in the space", "silhouette on the map", "nearest of own group", "k-means agreement")
# The link, the line that said what was computed, and the figures shown, as the page had them before.
LINKS = [
    (
        "clusters_list=cities+of+15+countries&clusters_formulas=rome+%3D+rome+-+italy+%2B+france&clusters_method=PCA"
        "&clusters_seed=7&clusters_centre=true&clusters_metric=euclidean&clusters_colour=neighbours+kept"
        "&clusters_pick=rome",
        "122 points · static embeddings · centred · not normalised · euclidean distances · PCA · seed 7",
        ("0.69", "0.74", "0.19", "0.62"),
        ("0.00", "-0.23", "0.66", "0.23"),
    ),
    (
        "clusters_list=own+words&clusters_words_own_words=warm%3A+red%2C+orange%2C+yellow%2C+pink%0Acold%3A+blue%2C"
        "+green%2C+grey%2C+white&clusters_perplexity=3&clusters_found=2&clusters_density=true"
        "&clusters_colour=found+clusters",
        "8 points · static embeddings · not centred · not normalised · cosine distances · t-SNE, perplexity 3, start pca"
        " · seed 0",
        ("0.82", "0.89", "0.79", "0.80"),
        ("0.03", "0.07", "0.50", "0.00"),
    ),
    (
        "clusters_list=months&clusters_source=in+a+sentence&clusters_layer_6=2&clusters_sentence_months=See+you+in"
        "+%7Bword%7D.&clusters_perplexity=4&clusters_start=random&clusters_seed=12&clusters_normalise=true",
        "12 points · layer 2 in a sentence · not centred · normalised · cosine distances · t-SNE, perplexity 4, start"
        " random · seed 12",
        ("0.78", "0.84", "0.75", "0.65"),
        ("0.04", "0.01", "0.42", "0.05"),
    ),
    (
        "clusters_list=whole+vocabulary&clusters_method=PCA&clusters_label=nothing&clusters_find=%2Aology%2C+%2Aism",
        "29,523 points · static embeddings · not centred · not normalised · cosine distances · PCA · seed 0",
        ("0.59", "0.43", "0.02", "0.40"),
        ("-0.18", "-0.07", "0.43", "0.12"),
    ),
    (
        "clusters_method=group+means&clusters_shuffle=true&clusters_beside=PCA&clusters_pick=rome%2C+paris"
        "&clusters_only=rome%2C+paris%2C+madrid%2C+berlin%2C+london%2C+leeds%2C+cork%2C+milan%2C+lyon",
        "9 points · static embeddings · not centred · not normalised · cosine distances · group means · seed 0",
        ("0.83", "0.79", "0.83", "0.72"),
        ("-0.04", "-0.05", "0.22", "0.21"),
    ),
    (
        "clusters_list=animals&clusters_pieces=first&clusters_stability=true&clusters_run=2c26b46b"
        "&clusters_perplexity=10",
        "69 points · static embeddings · not centred · not normalised · cosine distances · t-SNE, perplexity 10, start"
        " pca · seed 0",
        ("0.83", "0.79", "0.48", "0.47"),
        ("0.03", "0.20", "0.87", "0.19"),
    ),
]


@pytest.mark.parametrize(("link", "headline", "trust", "groups"), LINKS)
def test_an_old_link_opens_the_same_map(visit, link: str, headline: str, trust, groups) -> None:
    test = visit("clusters", **parse_qs(link), open="groups")
    assert not test.problems and test.says(headline)
    assert test.says(*(f"{name} {value} " for name, value in zip(ORDER, trust, strict=True)))
    table = test.table("measure", "low", "p").set_index("measure")["value"]
    assert tuple(f"{table[name]:.2f}" for name in GROUPS) == groups
    kept = {key for key in parse_qs(link) if key != "clusters_run"}
    # What an old link spelt out although it was the default has left the address; nothing else has.
    assert set(test.query_params) - {"tables", "open"} <= kept
    lost = kept - set(test.query_params)
    assert all(test.session_state[key] == visit("clusters").session_state[key] for key in lost)


def test_old_links_in_three_dimensions(visit) -> None:
    link = (
        "clusters_list=professions&clusters_method=axes&clusters_dimensions=3&clusters_x=she+-+he&clusters_y=rich+-+poor"
        "&clusters_z=old+-+young&clusters_label=group"
    )
    test = visit("clusters", **parse_qs(link))
    assert not test.problems and test.says("54 points · static embeddings", "axes · seed 0")
    assert {"x", "y", "z"} <= set(test.table("word", "group", "x"))


def test_what_an_old_link_looked_at_and_looked_for_is_marked(visit) -> None:
    test = visit("clusters", clusters_pick="rome, paris", clusters_find="l*", clusters_panel="Selected")
    assert test.says("2 selected", "of 73 match: london, liverpool")
    assert test.field("clusters_pick").value == "rome, paris"
