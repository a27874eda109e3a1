"""Attention: what a word looks at in every head, and what that says about the answer."""

from embtools.ui import page
from embtools.ui.attention import head, word

EXPLANATION = """
TODO
"""
SOURCES = ("x",)

page.show("attention", [word, head], EXPLANATION, SOURCES)
