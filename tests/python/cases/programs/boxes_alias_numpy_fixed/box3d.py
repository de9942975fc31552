import torch


class BaseInstance3DBoxes:
    def __init__(self, tensor, origin=(0.5, 0.5, 0)):
        tensor = torch.as_tensor(tensor, dtype=torch.float32).clone()
        self.tensor = tensor
        if origin != (0.5, 0.5, 0):
            shift = self.tensor.new_tensor((0.5, 0.5, 0)) - self.tensor.new_tensor(origin)
            self.tensor[:, :3] += self.tensor[:, 3:6] * shift

    @property
    def volume(self):
        return self.tensor[:, 3] * self.tensor[:, 4] * self.tensor[:, 5]
