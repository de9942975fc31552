import torch


class ByteTokenizer:
    vocab_size = 256

    def encode(self, text):
        return torch.tensor(list(text.encode()), dtype=torch.uint8)


def check_ids(ids, vocab_size):
    valid = ids < 256
    return ids[valid]


def collect(texts):
    tokenizer = ByteTokenizer()
    out = []
    for text in texts:
        ids = tokenizer.encode(text)
        out.append(check_ids(ids, tokenizer.vocab_size).numel())
    return out


print(collect(["hello", "world!"]))
