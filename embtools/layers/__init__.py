"""The numbers of the Layers page: recipes of layers and pooling, senses, questions, the fifty words."""
