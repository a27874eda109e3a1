"""The catalogue: what is offered, and the sentence for what is not."""

import pytest

from embtools.models.catalogue import BUNDLED, CATALOGUE, entry


def test_names_and_figures():
    assert next(iter(CATALOGUE)) == BUNDLED  # the default comes first in every picker
    for name, chosen in CATALOGUE.items():
        assert chosen.name == name
        assert chosen.title and chosen.licence and chosen.note.endswith(".")
        assert chosen.megabytes > 0


def test_an_unknown_name_is_refused_with_the_nearest():
    with pytest.raises(
        ValueError, match=r"no model 'bert-base-uncased' .* Did you mean google-bert/bert-base-uncased\?"
    ):
        entry("bert-base-uncased")
    with pytest.raises(ValueError, match=r"Did you mean bundled\?"):
        entry("../../etc/passwd")
    with pytest.raises(ValueError) as error:
        entry("x" * 10_000)
    assert len(str(error.value)) < 200
