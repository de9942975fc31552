from torch.optim.optimizer import AdamW
