import torch


class ModelCache:
    def __init__(self, storage="cpu", execution="cuda"):
        self.storage, self.execution = storage, execution
        self.saved = {}

    def offload(self, name, tensor):
        self.saved[name] = tensor.to(self.storage)

    def checksum(self, name):
        return self.saved[name].sum().item()
