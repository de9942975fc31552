import torch
import torch.nn as nn


class Backbone(nn.Module):
    def __init__(self, dim=8):
        super().__init__()
        self.stem = nn.Sequential(nn.Linear(4, dim), nn.ReLU())
        self.fc = nn.Linear(dim, 10)

    def forward(self, x):
        return self.fc(self.stem(x))


def replace_head(model, classes, name="fc", **kwargs):
    old = getattr(model, name)
    new = nn.Linear(old.in_features, classes, **kwargs)
    setattr(model, name, new)
    return model


def build(pretrained=True, precision=torch.bfloat16):
    model = Backbone().to(precision)
    if pretrained:
        state = {k: torch.randn_like(v) for k, v in model.state_dict().items()}
        model.load_state_dict(state)
    return model


net = replace_head(build(), 3)
x = torch.randn(2, 4, dtype=torch.bfloat16)
print(net(x))
