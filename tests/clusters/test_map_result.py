"""A map describes itself: what it shows, with which settings, and how far it can be trusted."""

from dataclasses import replace

from embtools.clusters import maps, trust
from embtools.clusters.points import Words
from embtools.clusters.view import View

WORDS = Words(
    (("places", ("rome", "italy", "france", "paris", "bank", "river")), ("people", ("king", "queen", "man", "woman")))
)


def test_a_map_says_what_it_shows(tiny):
    drawn = maps.word_map(replace(WORDS, groups=(*WORDS.groups, ("more", ("kings",)))), tiny, view=View("PCA"))
    assert drawn.left_out == ("kings",) and drawn.several == () and len(drawn) == 10
    assert drawn.settings == (
        "10 points · static embeddings · not centred · not normalised · cosine distances · PCA · seed 0"
    )
    assert drawn.headline.endswith("which could be chance (48% with shuffled groups).") and drawn.reading.startswith(
        "On average, the map keeps "
    )
    mean = maps.word_map(Words((("a", ("rome", "paris", "kings")),), pieces="mean"), tiny, view=View("PCA"))
    assert mean.several == ("kings",) and mean.headline == "A map of 3 points"
    shuffled = maps.word_map(replace(WORDS, shuffled=0), tiny, view=View("PCA"))
    assert shuffled.headline.startswith("The groups are shuffled")
    assert drawn.reading == trust.reading(drawn.trust, 10)


def test_a_map_names_the_settings_of_its_method(tiny):
    words = replace(WORDS, template="the {word} is red", layer=1)
    view = View(perplexity=3, centre=True, normalise=True, metric="euclidean", start="random", seed=2)
    assert maps.word_map(words, tiny, view=view).settings == (
        "10 points · layer 1 in a sentence · centred · normalised · Euclidean distances"
        " · t-SNE, perplexity 3, start random · seed 2"
    )
