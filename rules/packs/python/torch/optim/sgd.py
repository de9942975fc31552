from torch.optim.optimizer import SGD
