"""Short groups of words for the tests."""

BAD = ("bad", "terrible", "awful", "horrible", "ugly", "nasty", "worthless", "stupid", "miserable", "cruel")
GOOD = ("good", "great", "excellent", "wonderful", "beautiful", "nice", "perfect", "brilliant", "lovely", "kind")
MALE = ("he", "man", "boy", "king", "prince", "father", "son", "brother", "uncle", "husband")
FEMALE = ("she", "woman", "girl", "queen", "princess", "mother", "daughter", "sister", "aunt", "wife")
