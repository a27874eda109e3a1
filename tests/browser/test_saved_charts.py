"""A saved chart says what it shows: title, what was typed, the model and the app; the page itself stays as it is."""

import html
import re

import nbformat
import pytest

TEXT = "Rome <b>&</b> Milan are in [MASK]."


def saved(tab, name):
    """The SVG file that the camera button of a chart saves, and the texts in it."""
    with tab.page.expect_download() as waiting:
        tab.page.locator(f".st-key-chart-{name} .modebar-btn[data-title^='Download plot']").click()
    content = waiting.value.path().read_text(encoding="utf-8")
    return content, html.unescape(
        " ".join(re.sub(r"<[^>]+>", " ", part) for part in re.findall(r"<text.*?</text>", content))
    )


# Texts of a picture that overlap another text or leave the picture; without the labels of marks.
OVERLAPS = """
() => {
  const picture = document.querySelector('svg').getBoundingClientRect();
  const texts = [...document.querySelectorAll('svg text')].filter(text => text.textContent.trim() && !text.closest('.scatterlayer'));
  const boxes = texts.map(text => [text.textContent, text.getBoundingClientRect()]);
  const over = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1 && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 3;
  return boxes.flatMap(([text, box], i) => [
    ...(box.left < picture.left - 1 || box.right > picture.right + 1 || box.bottom > picture.bottom + 1 ? [`${text} is cut`] : []),
    ...boxes.slice(i + 1).filter(([, other]) => over(box, other)).map(([other]) => `${text} / ${other}`),
  ]);
}
"""


def size(svg):
    return tuple(float(re.search(rf'<svg[^>]* {side}="([\d.]+)"', svg)[1]) for side in ("width", "height"))


@pytest.mark.slow
def test_a_saved_chart_names_its_page_what_was_typed_the_model_and_the_app(tab):
    tab.open("arithmetic", arithmetic_text=TEXT, arithmetic_edits="rome = rome - italy + france")
    chart = tab.page.locator("[class*='st-key-chart-']").first
    name = re.search(r"st-key-chart-([\w-]+)", chart.get_attribute("class"))[1]
    before = chart.bounding_box()
    svg, texts = saved(tab, name)
    for part in ("Arithmetic › ", TEXT, "rome = rome - italy + france", "Model: Pocket", "BERT Embedding Explorer 20"):
        assert part in texts, texts
    assert "<b>" not in svg
    assert size(svg)[1] > before["height"] + 30
    assert chart.bounding_box() == before
    assert saved(tab, name)[1] == texts  # nothing of the first caption is left


@pytest.mark.slow("arithmetic-edit-names0", "layers-fifty-names1")
@pytest.mark.parametrize(
    ("page", "tab_of_page", "names"),
    [("arithmetic", "edit", ("answers", "controls")), ("layers", "fifty", ("fifty-words",))],
)
def test_legend_axis_titles_and_caption_of_a_saved_chart_do_not_overlap(tab, page, tab_of_page, names):
    tab.open(page, **{f"{page}_tab": tab_of_page})
    for name in names:
        svg = saved(tab, name)[0]
        assert "Source Sans" not in svg  # measured in a font that the picture would not have elsewhere
        picture = tab.page.context.new_page()
        picture.set_content(f"<body>{svg}</body>")
        assert not picture.evaluate(OVERLAPS), name
        picture.close()


@pytest.mark.slow
def test_a_chart_that_is_saved_as_png_has_the_caption_too(tab):
    tab.open("arithmetic", picture="png")
    chart = tab.page.locator("[class*='st-key-chart-']").first
    with tab.page.expect_download() as waiting:
        chart.locator(".modebar-btn[data-title^='Download plot']").click()
    content = waiting.value.path().read_bytes()
    assert content.startswith(b"\x89PNG")
    width, height = (int.from_bytes(content[start : start + 4], "big") / 2 for start in (16, 20))  # two pixels for one
    box = chart.bounding_box()
    assert box["width"] - 30 < width < box["width"] + 100 and height > box["height"] + 30


@pytest.mark.slow
def test_python_offers_a_notebook_with_the_texts_and_figures_of_the_page(tab):
    tab.open("tracing", tracing_tab="components")
    headline, link = tab.finding.inner_text(), tab.copied_link()
    popover = tab.popover("Python")
    with tab.page.expect_download() as waiting:
        popover.get_by_role("button", name="Jupyter notebook").click()
    assert waiting.value.suggested_filename == "tracing-components.ipynb"
    notebook = nbformat.read(waiting.value.path(), as_version=4)
    nbformat.validate(notebook)
    figures = [cell.metadata["figure"] for cell in notebook.cells if "figure" in cell.metadata]
    assert figures == ["tracing-heads", "tracing-parts", "tracing-knockout"]
    texts = [cell.source.replace("\\", "") for cell in notebook.cells if cell.cell_type == "markdown"]
    assert texts[0].startswith("# Tracing › Components") and f"({link})" in texts[0]
    assert any(headline in text for text in texts) and "activation patching" in texts[-1].lower()
