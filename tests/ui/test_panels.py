"""The panels: found by permanent keys."""

from embtools.models.catalogue import CATALOGUE
from embtools.ui import menu, panels
from embtools.ui.fields import Choice


def test_tabs_and_options_have_keys_that_are_no_labels() -> None:
    """A key is short and without spaces, that of a tab in small letters too, so that nobody takes it for a label."""
    for page in menu.IDEAS:  # the pages with panels of their own
        found = panels.of(page.name)
        assert found and all(key.isascii() and key == key.lower() and " " not in key for key in found)
        fields = [field for panel in found.values() for field in panel.FIELDS if isinstance(field, Choice)]
        keys = {key for field in fields for key, _ in field.keys} - set(CATALOGUE)
        assert not [key for key in keys if " " in key or len(key) > 24]
