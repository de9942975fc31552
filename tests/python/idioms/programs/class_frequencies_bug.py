import torch


class Voxels:
    def __init__(self, points, size):
        self.points, self.size = points, size

    def cells(self):
        scaled = (self.points - self.points.min(0).values) / self.size
        return scaled.floor()

    def keys(self):
        c = self.cells()
        return c[:, 0] * 1000 + c[:, 1]

    def occupancy(self):
        return torch.bincount(self.keys(), minlength=10)


cloud = Voxels(torch.rand(128, 2) * 4, 0.5)
counts = cloud.occupancy()
print((counts > 0).sum())
