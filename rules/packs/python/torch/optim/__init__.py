# Optimizers.
from torch.optim import lr_scheduler, swa_utils
from torch.optim.optimizer import (
    ASGD, LBFGS, SGD, Adadelta, Adafactor, Adagrad, Adam, Adamax, AdamW, Muon, NAdam, Optimizer, RAdam, RMSprop,
    Rprop, SparseAdam,
)
