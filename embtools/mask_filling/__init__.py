"""Fill masks, with the embeddings as they are or edited."""
