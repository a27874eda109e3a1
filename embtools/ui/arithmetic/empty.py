"""What the page shows while there is no sentence: the first steps and example sentences."""

import streamlit as st

from embtools.ui import page, state, texts
from embtools.ui.arithmetic import edit_query

EXAMPLES = (
    "Amazon is a ___.",
    "My brother bought an apple because he likes fresh ___.",
    "The nurse said that ___ was tired.",
)
# The field may be drawn after this, or drawn again, so this tries for two seconds. It never moves the cursor while
# someone is typing.
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
    """Show what to type and where, offer example sentences, and put the cursor into the sentence field."""
    st.header("Type a sentence with a missing word", anchor=False)
    page.caption(
        "Type a sentence above, write **___** where BERT should guess a word, and press Enter. Then change the"
        " embedding of a word with an edit and see whether BERT's answer changes."
    )
    with st.container(horizontal=True, gap="small", key="use-sentence"):
        for example in EXAMPLES:
            st.button(
                texts.plain(example),
                type="tertiary",
                key=f"begin-{example}",
                on_click=state.put,
                args=({edit_query.TEXT.key: example},),
            )
    st.components.v2.component("focus", html="<span></span>", js=_FOCUS)(key="focus")
