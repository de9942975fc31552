import torch
from torch import nn
from torch.utils.data import DataLoader

from data import LabelEncoder, Pages


class Recognizer(nn.Module):
    def __init__(self, vocab, length):
        super().__init__()
        self.length = length
        self.encoder = nn.Linear(64, 32)
        self.out = nn.Linear(32, vocab)
        self.loss_fn = nn.CrossEntropyLoss()

    def forward(self, imgs):
        h = torch.relu(self.encoder(imgs.flatten(1)))
        return self.out(h).unsqueeze(1).repeat(1, self.length, 1)

    def training_step(self, imgs, targets):
        logits = self(imgs)
        return self.loss_fn(logits.transpose(1, 2), targets)


model = Recognizer(3, 4)
loader = DataLoader(Pages(["abca", "ccba"], LabelEncoder("abc")), batch_size=2)
for imgs, targets in loader:
    model.training_step(imgs, targets).backward()
