# A library: whoever builds the matcher decides where it is, and the features of both images are there, too. Each of them
# is asked for its device, and what follows from one answer does not contradict the other.
import torch
from torch import nn


class Exchange(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.to_query = nn.Linear(width, width)
        self.to_value = nn.Linear(width, width)

    def attend(self, query, key, value):
        if query.device.type == "cuda":
            query, key, value = [t.half().contiguous() for t in (query, key, value)]
            return torch.softmax(query @ key.transpose(-1, -2), -1) @ value
        return torch.softmax(query @ key.transpose(-1, -2), -1) @ value

    def forward(self, left, right):
        query, key = self.to_query(left), self.to_query(right)
        if query.device.type == "cuda":
            return self.attend(query, key, self.to_value(right)), self.attend(key, query, self.to_value(left))
        return self.to_value(left), self.to_value(right)


class Matcher(nn.Module):
    def __init__(self, config):
        super().__init__()
        self.project = nn.Linear(config.features, config.width) if config.features != config.width else nn.Identity()
        self.exchange = Exchange(config.width)

    def forward(self, data):
        left, right = self.project(data["left"]), self.project(data["right"])
        changed = self.exchange(left, right)
        return left + changed[0].float(), right + changed[1].float()
