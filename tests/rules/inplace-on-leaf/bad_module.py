from torch import nn

layer = nn.Linear(4, 4)
layer.weight[0].fill_(1.0)  # expect: inplace-on-leaf error
