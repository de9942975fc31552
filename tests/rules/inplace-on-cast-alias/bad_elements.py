import torch


def normalized(rows):
    rows = [row.float() for row in rows]
    for row in rows:
        row.sub_(row.mean())  # expect: inplace-on-cast-alias warning
    return rows


def doubled(state):
    out = {name: value.to(torch.float32) for name, value in state.items()}
    for name in out:
        out[name].mul_(2)  # expect: inplace-on-cast-alias warning
    return out


rows = [torch.randn(4) for _ in range(3)]
print(normalized(rows), rows)
state = {"weight": torch.randn(3)}
print(doubled(state), state)
