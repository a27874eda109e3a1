"""Lessons: guess, see the answer of the model, and find out why; with worksheets, and a form to write lessons."""

from embtools.ui.lessons import screen

EXPLANATION = """
A lesson has five to eight steps. Most steps ask a question before they show anything. **Guess first**: people remember
an answer better if they have tried to predict it, even if the guess was wrong (the *pretesting effect*). Then the step
shows the answer together with the headline and the figure of the page that computed it. *Open the page* leads to that
page with the same values; there you can change everything.

**Answers are computed, not stored.** A lesson says which panel answers a question and which part of its result counts.
With another model in the settings, the answers can be different, and so can the right choice. The texts of the lessons
describe what to look for, and they say where models differ.

**For teachers.** Each lesson has notes, a link for pupils, and a one-page worksheet with or without solutions. The
address contains the lesson, the step and the guesses, so pupils can bookmark their place. You can write a lesson of
your own under *Write a lesson*. Its link contains the whole lesson; if it is too long for a link, you can pass it on as
a file. The server does not store it.

**Limits.** The lessons show one small model, a few sentences and a few words. What they show is an example and not a
measurement of how language models behave in general. The pages of this app have the controls and the larger tests.
"""
SOURCES = (
    "[Richland, Kornell & Kao 2009](https://doi.org/10.1037/a0016496) (the pretesting effect)",
    "[Crouch et al. 2004](https://doi.org/10.1119/1.1707018) (demonstrations teach more after a prediction)",
)

screen.show(EXPLANATION, SOURCES)
