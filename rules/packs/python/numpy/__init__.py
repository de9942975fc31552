# Limits of dtypes, which NumPy shares with PyTorch. Functions are in the packs.
from torch import finfo, iinfo
