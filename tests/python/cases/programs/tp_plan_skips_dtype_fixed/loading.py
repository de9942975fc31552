import torch


def load_sharded(model, checkpoint, tp_plan, dtype):
    params = dict(model.named_parameters())
    for name, value in checkpoint.items():
        target = params[name]
        if name in tp_plan:
            shard = value.to(dtype)
            target.data = shard
        else:
            target.data = value.to(dtype)
    return model
