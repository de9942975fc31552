import torch
from torch import nn
from torch.utils.data import TensorDataset
from trainer import Trainer, TrainerConfig


class GPT(nn.Module):
    def __init__(self, vocab=32, dim=16):
        super().__init__()
        self.tok_emb = nn.Embedding(vocab, dim)
        self.head = nn.Linear(dim, vocab, bias=False)

    def forward(self, idx, targets=None):
        logits = self.head(self.tok_emb(idx))
        loss = nn.functional.cross_entropy(logits.view(-1, 32), targets.view(-1))
        return logits, loss


def main():
    model = GPT()
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-4)
    ids = torch.randint(0, 32, (8, 6))
    Trainer(TrainerConfig(), model, optimizer, TensorDataset(ids, ids)).train()


if __name__ == "__main__":
    main()
