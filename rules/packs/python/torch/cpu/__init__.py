# torch.cpu
