# Wrappers that run their module; what they hold is in .module.
from torch.nn.parallel.data_parallel import DataParallel, data_parallel
from torch.nn.parallel.distributed import DistributedDataParallel
