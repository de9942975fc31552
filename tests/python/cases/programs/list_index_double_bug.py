import numpy as np
import torch


def make_offsets(n):
    table = np.linspace(-1.0, 1.0, n)
    return torch.from_numpy(table)


def shift_keypoints(batch, joints, offset):
    """Moves the y coordinate of the given joints."""
    batch = batch.clone()
    batch[joints, :, 1] = offset
    return batch


def main():
    batch = torch.zeros(5, 7, 2)
    offsets = make_offsets(9)
    batch[:, :, 0] = offsets[0]
    for i in range(3):
        batch = shift_keypoints(batch, [0, 1, 2], offsets[i])
    print(batch.sum())


if __name__ == "__main__":
    main()
