"""Code that pages offer to copy, and links."""


def test_a_snippet_imports_what_it_names_and_no_word_of_a_visitor():
    from embtools.ui.share import snippet

    code = snippet(["text = 'likelihood.bias wordlists'", "print(group_answers(text), residual)"])
    assert code.splitlines()[:2] == [
        "from embtools.bias import residual",
        "from embtools.bias.groups import group_answers",
    ]
