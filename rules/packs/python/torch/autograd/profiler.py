from torch.profiler import profile, record_function
