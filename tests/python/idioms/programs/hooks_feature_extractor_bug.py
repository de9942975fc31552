from collections import OrderedDict
from functools import partial

import torch
import torch.nn as nn


class FeatureExtractor:
    def __init__(self, model, layers):
        self.features = OrderedDict()
        self.handles = []
        modules = dict(model.named_modules())
        for name in layers:
            self.handles.append(modules[name].register_forward_hook(partial(self._save, name)))

    def _save(self, name, module, inputs, output):
        self.features[name] = output.detach().double().flatten(1)

    def close(self):
        for h in self.handles:
            h.remove()


class Probe(nn.Module):
    def __init__(self, dim, classes=3):
        super().__init__()
        self.fc = nn.Linear(dim, classes)

    def forward(self, feats):
        return self.fc(feats)


backbone = nn.Sequential(
    OrderedDict(
        conv1=nn.Conv2d(3, 4, 3, padding=1),
        act1=nn.ReLU(),
        conv2=nn.Conv2d(4, 2, 3, padding=1),
        act2=nn.ReLU(),
    )
)
extractor = FeatureExtractor(backbone, ["act1", "act2"])
probe = Probe(2 * 8 * 8)
images = torch.rand(2, 3, 8, 8)
backbone(images)
logits = probe(extractor.features["act2"])
print(logits.argmax(-1))
extractor.close()
