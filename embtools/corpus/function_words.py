"""English words of the closed classes: articles, pronouns, prepositions, conjunctions, auxiliary verbs and numerals."""

# fmt: off
FUNCTION_WORDS = frozenset((
    # articles, determiners and numerals
    "a", "all", "an", "another", "any", "both", "each", "eight", "either", "enough", "every", "few", "fewer", "five",
    "four", "half", "hundred", "less", "many", "million", "more", "most", "much", "neither", "nine", "no", "none",
    "one", "other", "others", "own", "same", "seven", "several", "six", "some", "such", "ten", "that", "the", "these",
    "this", "those", "thousand", "three", "twelve", "twenty", "two", "what", "which", "whose",
    # pronouns
    "anybody", "anyone", "anything", "everybody", "everyone", "everything", "he", "her", "hers", "herself", "him",
    "himself", "his", "i", "it", "its", "itself", "me", "mine", "my", "myself", "nobody", "nothing", "our", "ours",
    "ourselves", "she", "somebody", "someone", "something", "their", "theirs", "them", "themselves", "they", "us",
    "we", "who", "whom", "you", "your", "yours", "yourself", "yourselves",
    # prepositions and particles
    "about", "above", "across", "after", "against", "along", "among", "around", "as", "at", "before", "behind",
    "below", "beneath", "beside", "besides", "between", "beyond", "by", "despite", "down", "during", "except", "for",
    "from", "in", "inside", "into", "like", "near", "of", "off", "on", "onto", "out", "outside", "over", "past", "per",
    "round", "since", "through", "throughout", "till", "to", "toward", "towards", "under", "until", "up", "upon",
    "via", "with", "within", "without",
    # conjunctions, question words and negation
    "although", "and", "because", "but", "how", "if", "nor", "not", "or", "so", "than", "though", "unless", "when",
    "where", "whether", "while", "why", "yet",
    # auxiliary verbs
    "am", "are", "be", "been", "being", "can", "cannot", "could", "did", "do", "does", "doing", "done", "had", "has",
    "have", "having", "is", "may", "might", "must", "ought", "shall", "should", "was", "were", "will", "would",
))
# fmt: on


def is_function_word(word: str) -> bool:
    """Return whether a word belongs to a closed class, has only one letter, or contains another character.

    >>> is_function_word("The"), is_function_word("s"), is_function_word("1999"), is_function_word("bank")
    (True, True, True, False)
    """
    return word.casefold() in FUNCTION_WORDS or len(word) < 2 or not word.isalpha()
