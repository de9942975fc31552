from torch.optim.optimizer import Adam
