"""The Corpus page as a visitor clicks it: what needs a browser; everything else is in tests/corpus/test_page.py."""

import pytest

pytestmark = pytest.mark.slow


def test_back_and_forward_show_the_state_of_their_address(tab):
    tab.open("corpus").press("A savings bank").shows("all have the sense money")
    tab.back()
    tab.shows("all have the sense river")
