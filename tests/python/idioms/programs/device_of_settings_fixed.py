"""A device that settings name is no dtype."""
import json

import torch
import torch.nn as nn

SETTINGS = json.loads('{"hidden": 24, "device": "cpu"}')


class Net(nn.Module):
    def __init__(self, hidden):
        super().__init__()
        self.body = nn.Linear(8, hidden)

    def forward(self, x):
        return self.body(x)


device = torch.device(SETTINGS["device"])
model = Net(SETTINGS["hidden"]).to(device)
print(model(torch.randn(4, 8).to(device)))
