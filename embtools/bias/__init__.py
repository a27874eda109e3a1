"""The numbers of the Bias page: groups in sentences, published tests, remedies and what they leave."""
