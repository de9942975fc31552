"""The parts of the simulated cuda device (../simulate.py): tensors have labels, data is on the CPU.

    labels.py     which tensors are labelled as on cuda
    creation.py   tensors that are made there, moved there, or read back
    rules.py      an operation, and which devices may meet in it
    dtypes.py     which dtypes may, and PyTorch's words for those that may not
    autocast.py   casts inside regions of autocast
    compute.py    runs an operation on the CPU, in float32 where the CPU has no half precision
    training.py   backward, custom functions, gradient scaling, fused optimizers
    saving.py     torch.save, torch.load and copies
    device.py     torch.cuda: queries, streams, events, generators, memory
    tools.py      profilers, markers, several devices, transforms
    ops.py        what is known of each operation: names in lists
"""
