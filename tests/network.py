"""Hidden states straight from transformers, without the wrapper."""


def network_states(folder, tiny, text, segment=0):
    """Hidden states straight from transformers: (l + 1, t, d)."""
    import torch
    from transformers import AutoTokenizer, BertModel

    encoding = AutoTokenizer.from_pretrained(folder)(text, return_tensors="pt")
    encoding["token_type_ids"] = torch.full_like(encoding["token_type_ids"], segment)
    with torch.no_grad():
        return BertModel.from_pretrained(folder)(**encoding, output_hidden_states=True).hidden_states
