import torch
from torch import nn


class StoryModel(nn.Module):
    def __init__(self, vocab=64, dim=16):
        super().__init__()
        self.wte = nn.Embedding(vocab, dim)
        self.head = nn.Linear(dim, vocab)

    def forward(self, ids):
        return self.head(self.wte(ids))


class Generator:
    def __init__(self, device="cuda", temperature=0.7):
        self.device = torch.device(device)
        self.temperature = temperature
        self.model = StoryModel()
        self.model.to(self.device)
        self.model.eval()

    def sample_sequence(self, context, length):
        tokens = torch.tensor(context, dtype=torch.long).unsqueeze(0)
        tokens = tokens.to(self.device)
        with torch.no_grad():
            for _ in range(length):
                logits = self.model(tokens)[:, -1, :] / self.temperature
                next_token = torch.multinomial(torch.softmax(logits, dim=-1), num_samples=1)
                tokens = torch.cat((tokens, next_token), dim=1)
        return tokens[0].tolist()


if __name__ == "__main__":
    print(Generator().sample_sequence([5, 9, 2], 4))
