"""Links to the Layers page from before it had its present shape open the same state."""

from urllib.parse import parse_qs

import pytest

from embtools.ui.layers import questions, word

ROCK = "stone | I found a rock.\nmusic | I only listen to rock.\nmusic | Loud rock shook the hall."
LINKS = {
    "layers_word=rock&layers_lines=stone+%7C+I+found+a+rock.%0Amusic+%7C+I+only+listen+to+rock.%0Amusic+%7C+Loud+rock+shook+the+hall."
    "&layers_recipe=layer+2&layers_pooling=first+piece&layers_keep=1+a+rock&layers_keep=2+to+rock": {
        "layers_word": "rock", "layers_lines": ROCK, "layers_recipe": "layer 2", "layers_pooling": "first piece",
        "layers_keep": [1, 2], "layers_first": (),
    },
    "layers_lines=The+bank+was+robbed.%0AHe+left+the+bank.%0AThe+muddy+bank+of+the+river."
    "&layers_first=1+The+bank+was&layers_first=2+the+bank": {
        "layers_word": "bank", "layers_lines": "The bank was robbed.\nHe left the bank.\nThe muddy bank of the river.",
        "layers_first": [1, 2], "layers_keep": (),
    },
    "layers_keep=1+the+bank+on&layers_keep=8+the+bank+near&layers_pooling=sentence%3A+mean": {
        "layers_word": "bank", "layers_lines": word.FIELDS[1].default, "layers_keep": [1, 8],
        "layers_pooling": "sentence: mean",
    },
    "layers_tab=Fifty+words&layers_run=1": {"layers_tab": "Fifty words"},
    "layers_tab=Questions+and+answers&layers_question=Why+is+the+sky+blue%3F&layers_answer_recipe=layer+1"
    "&layers_answer_pooling=sentence%3A+max": {
        "layers_tab": "Questions and answers", "layers_question": "Why is the sky blue?",
        "layers_answer_recipe": "layer 1", "layers_answer_pooling": "sentence: max",
        "layers_answers": questions.ANSWERS.default,
    },
    "layers_tab=One+word&layers_lines=money%2C+money%2C+river+%7C+After+stealing+money+from+the+bank+vault%2C+the+bank"
    "+robber+was+seen+fishing+on+the+Mississippi+river+bank.&model=bundled&tables=true&picture=png": {
        "layers_tab": "One word", "layers_lines": word.PRESETS["The bank robber"]["layers_lines"], "tables": True,
        "picture": "png", "model": "bundled",
    },
    "layers_recipe=second-to-last+layer&layers_keep=nobody": {"layers_recipe": "second-to-last layer", "layers_keep": []},
}  # fmt: skip


@pytest.mark.parametrize("link", LINKS)
def test_an_old_link_opens_the_same_state(visit, link):
    at = visit("layers", **parse_qs(link))
    assert {key: at.session_state[key] for key in LINKS[link]} == LINKS[link]
    assert not at.problems and at.charts


def test_an_old_link_shows_what_it_showed(visit, bundled):
    from embtools.layers import recipes, senses

    at = visit("layers", **parse_qs(next(iter(LINKS))))
    found = recipes.compare_word(ROCK.splitlines(), "rock", bundled)
    expected = senses.pair_lines(found, "first piece", (1, 2))
    assert at.table("layer", "cosine", "pair")["cosine"].tolist() == pytest.approx(expected["cosine"].tolist())
