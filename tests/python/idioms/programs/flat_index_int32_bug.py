import torch


class SparseGrid:
    def __init__(self, height, width):
        self.height, self.width = height, width

    def flatten(self, rows, cols):
        return rows * self.width + cols

    def unique_cells(self, n):
        rows = torch.arange(self.height)[:n].int()
        cols = torch.randint(0, self.width, (n,)).int()
        return torch.unique(self.flatten(rows, cols))


grid = SparseGrid(100000, 100000)
print(grid.unique_cells(100000).numel())
