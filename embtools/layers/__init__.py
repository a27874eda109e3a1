"""Layer combinations and poolings compared: the senses of one word, and of fifty words."""
