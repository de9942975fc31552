import json
import tempfile
from pathlib import Path

import torch
import torch.nn as nn

DTYPES = {"float32": torch.float32, "bfloat16": torch.bfloat16, "float64": torch.float64}


class Embedder(nn.Module):
    def __init__(self, vocab, dim):
        super().__init__()
        self.emb = nn.Embedding(vocab, dim)
        self.ln = nn.LayerNorm(dim)

    def forward(self, ids):
        return self.ln(self.emb(ids)).mean(1)

    def save(self, folder: Path):
        folder.mkdir(parents=True, exist_ok=True)
        dtype = str(self.emb.weight.dtype).replace("torch.", "")
        (folder / "meta.json").write_text(json.dumps({"dtype": dtype, "size": list(self.emb.weight.shape)}))
        torch.save(self.state_dict(), folder / "weights.pt")


class Classifier(nn.Module):
    def __init__(self, embedder, classes):
        super().__init__()
        self.embedder = embedder
        self.fc = nn.Linear(embedder.emb.embedding_dim, classes)

    def forward(self, ids):
        return self.fc(self.embedder(ids))


def main():
    folder = Path(tempfile.mkdtemp()) / "ckpt"
    emb = Embedder(40, 8).to(DTYPES["bfloat16"])
    emb.save(folder)
    clf = Classifier(emb, 3)
    out = clf(torch.randint(0, 40, (2, 6)))
    print(out.shape)


if __name__ == "__main__":
    main()
