import torch
from torch import nn


class Speller(nn.Module):
    def __init__(self, letters=12, width=16):
        super().__init__()
        self.embed = nn.Embedding(letters, width)
        self.listener = nn.GRU(width, width, batch_first=True)
        self.cell = nn.GRUCell(width, width)
        self.out = nn.Linear(width, letters)

    def listen(self, sounds):
        return self.listener(self.embed(sounds))[1][0]

    def step(self, letters, state):
        state = self.cell(self.embed(letters), state)
        return self.out(state).log_softmax(-1), state


def train(model, words, epochs):
    optimizer = torch.optim.Adam(model.parameters())
    criterion = nn.NLLLoss()
    for _ in range(epochs):
        for sounds, word in words:
            state, loss = model.listen(sounds), 0.0
            for t in range(word.size(1) - 1):
                scores, state = model.step(word[:, t], state)
                loss = loss + criterion(scores, word[:, t + 1])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()


@torch.no_grad()
def spell(model, sounds, width=3):
    tokens, scores, state = torch.zeros(1, 1, dtype=torch.long), torch.zeros(1), model.listen(sounds)
    for _ in range(4):
        one, state = model.step(tokens[:, -1], state)
        scores, flat = (scores[:, None] + one).flatten().topk(width)
        parent = flat // one.size(-1)
        state = state.index_select(0, parent)
        tokens = torch.cat([tokens[parent], flat[:, None] % one.size(-1)], dim=1)
    return tokens


model = Speller()
sounds = torch.randint(0, 12, (2, 6))
first, word, last = torch.ones(2, 1, dtype=torch.long), torch.randint(3, 12, (2, 4)), torch.full((2, 1), 2)
train(model, [(sounds, torch.cat([first, word, last], 1))], 3)
print(spell(model, sounds[:1]))
