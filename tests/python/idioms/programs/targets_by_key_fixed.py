import torch


def collate(batch, box_keys):
    """Boxes are padded to ten rows of floats; everything else is a number for each image."""
    target = {}
    for i, annotations in enumerate(batch):
        for name, value in annotations.items():
            if name in box_keys:
                value = torch.tensor(value, dtype=torch.float32)
                if i == 0:
                    rows = torch.full((len(batch), 10), -1.0)
                    target[name] = rows
                else:
                    rows = target[name]
                n = min(value.shape[0], 10)
                rows[i, :n] = value[:n]
            else:
                if i == 0:
                    dtype = torch.float32 if isinstance(value, float) else torch.int64
                    rows = torch.zeros(len(batch), dtype=dtype)
                    target[name] = rows
                else:
                    rows = target[name]
                rows[i] = value
    return target


def counted(names):
    table = {}
    for name in names:
        if name.startswith("count"):
            table[name] = torch.zeros(3, dtype=torch.int64)
        else:
            table[name] = torch.zeros(3)
    for name in names:
        if not name.startswith("count"):
            entry = table[name]
            entry[0] = torch.rand(1)[0] + 0.5
    return table


batch = [
    {"boxes": [0.5, 1.5], "scale": 1.5, "id": 7},
    {"boxes": [2.5], "scale": 0.5, "id": 8},
]
print(collate(batch, {"boxes"}))
print(counted(["count.a", "mean.a"]))
