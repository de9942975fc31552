import torch
from torch.utils.data import TensorDataset, DataLoader

ROWS = [[1630175280000, 48946.15], [1630175281000, 48950.0], [1630175282000, 48951.5]]


def load_candles(rows):
    return torch.DoubleTensor(rows)


def gaps(candles):
    times = candles[:, 0]
    return times[1:] - times[:-1]


if __name__ == "__main__":
    candles = load_candles(ROWS)
    print(gaps(candles))
    for batch, in DataLoader(TensorDataset(candles), batch_size=2):
        print(batch[:, 1].mean())
