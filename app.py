"""Home: a guess, a card for each page, the model in use."""

from embtools.ui import home, page

model = page.begin("", home.FIELDS)
place = home.question(model)
home.cards()
home.model_in_use(model)
home.privacy()
home.answer(place, model)
