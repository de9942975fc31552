# A softmax for many classes: a head for the frequent ones, a tail of clusters for the others.
import collections

import torch
import torch.nn.functional as F
from torch.nn.modules.container import ModuleList, Sequential
from torch.nn.modules.linear import Linear
from torch.nn.modules.module import Module

_ASMoutput = collections.namedtuple("_ASMoutput", ["output", "loss"])


class AdaptiveLogSoftmaxWithLoss(Module):
    def __init__(self, in_features, n_classes, cutoffs, div_value=4.0, head_bias=False, device=None, dtype=None):
        super().__init__()
        made = {"device": device, "dtype": dtype}
        self.in_features = in_features
        self.n_classes = n_classes
        self.cutoffs = list(cutoffs) + [n_classes]
        self.n_clusters = len(self.cutoffs) - 1
        self.shortlist_size = self.cutoffs[0]
        self.head_size = self.shortlist_size + self.n_clusters
        self.head = Linear(in_features, self.head_size, bias=head_bias, **made)
        self.tail = ModuleList()
        for i in range(self.n_clusters):
            hidden = int(in_features // (div_value ** (i + 1)))
            size = self.cutoffs[i + 1] - self.cutoffs[i]
            self.tail.append(Sequential(Linear(in_features, hidden, bias=False, **made),
                                        Linear(hidden, size, bias=False, **made)))

    def log_prob(self, input):
        parts = [F.log_softmax(self.head(input), dim=1)]
        for cluster in self.tail:
            parts.append(F.log_softmax(cluster(input), dim=1))
        return torch.cat(parts, dim=1)

    def predict(self, input):
        return torch.argmax(self.log_prob(input), dim=1)

    def forward(self, input_, target_):
        output = self.log_prob(input_).gather(1, target_.unsqueeze(1)).squeeze(1)
        return _ASMoutput(output, (-output).mean())
