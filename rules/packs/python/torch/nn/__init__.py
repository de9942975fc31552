# torch.nn; torch.nn.functional is in the packs.
from torch.nn.modules import *
from torch.nn.parameter import Buffer, Parameter, UninitializedBuffer, UninitializedParameter
from torch.nn.parallel import DataParallel
from torch.nn import init, utils
