"""The page before there is a sentence: what to do first."""

import streamlit as st

from embtools.ui import page, state, texts
from embtools.ui.arithmetic import asking

EXAMPLES = (
    "Amazon is a ___.",
    "My brother bought an apple because he likes fresh ___.",
    "The nurse said that ___ was tired.",
)
# The field may be drawn after this, and drawn anew: tried for two seconds. Nobody loses the cursor while typing.
_FOCUS = """
export default function () {
  let tries = 20;
  const timer = setInterval(() => {
    const field = document.querySelector('.st-key-arithmetic_text input');
    if (!tries-- || field?.value || document.activeElement?.matches('input, textarea')) clearInterval(timer);
    else field?.focus();
  }, 100);
  return () => clearInterval(timer);
}
"""


def show() -> None:
    """Say what to type and where, offer sentences to begin with, and put the cursor into the field."""
    st.header("Which word should BERT guess?", anchor=False)
    page.seen(
        "Type a sentence above, put **___** where BERT should guess a word, and press Enter. Then change a word with an"
        " edit, and see whether BERT's answer changes."
    )
    with st.container(horizontal=True, gap="small", key="use-sentence"):
        for example in EXAMPLES:
            st.button(
                texts.plain(example),
                type="tertiary",
                key=f"begin-{example}",
                on_click=state.put,
                args=({asking.TEXT.key: example},),
            )
    st.components.v2.component("focus", html="<span></span>", js=_FOCUS)(key="focus")
