from .config import DTYPE

__all__ = ["DTYPE"]
