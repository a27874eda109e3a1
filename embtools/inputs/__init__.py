"""The numbers of the Inputs page: what goes into the encoder and comes out of it, the vocabulary, the masking rule."""
