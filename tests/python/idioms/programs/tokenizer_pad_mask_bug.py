from typing import Dict, List

import torch
import torch.nn as nn


class WordTokenizer:
    def __init__(self, corpus: List[str], pad="<pad>"):
        self.vocab: Dict[str, int] = {pad: 0}
        for line in corpus:
            for w in line.split():
                self.vocab.setdefault(w, len(self.vocab))

    def __call__(self, lines: List[str], max_len: int = 6):
        rows, masks = [], []
        for line in lines:
            ids = [self.vocab.get(w, 0) for w in line.split()][:max_len]
            pad = max_len - len(ids)
            rows.append(ids + [0] * pad)
            masks.append([1] * len(ids) + [0] * pad)
        return {"input_ids": torch.tensor(rows), "attention_mask": torch.tensor(masks)}


class Encoder(nn.Module):
    def __init__(self, vocab, dim=16, heads=2):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.attn = nn.MultiheadAttention(dim, heads, batch_first=True)
        self.pool = nn.Linear(dim, dim)

    def forward(self, input_ids, attention_mask):
        x = self.emb(input_ids)
        h, _ = self.attn(x, x, x, key_padding_mask=attention_mask == 0)
        m = attention_mask.unsqueeze(-1)
        pooled = torch.bmm(m.transpose(1, 2), h) / m.sum(1, keepdim=True)
        return self.pool(pooled.squeeze(1))


corpus = ["the cat sat", "a dog ran far away"]
tok = WordTokenizer(corpus)
model = Encoder(len(tok.vocab))
print(model(**tok(corpus)).shape)
