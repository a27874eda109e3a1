"""Short groups of words for the tests."""

from embtools.wordlists import load

BAD = ("bad", "terrible", "awful", "horrible", "ugly", "nasty", "worthless", "stupid", "miserable", "cruel")
GOOD = ("good", "great", "excellent", "wonderful", "beautiful", "nice", "perfect", "brilliant", "lovely", "kind")
FIRST_SENTENCES, SECOND_SENTENCES = (
    tuple(load("labelled_sentences").query("label == @tense")["sentence"][:10]) for tense in ("present", "past")
)
MALE = ("he", "man", "boy", "king", "prince", "father", "son", "brother", "uncle", "husband")
FEMALE = ("she", "woman", "girl", "queen", "princess", "mother", "daughter", "sister", "aunt", "wife")
