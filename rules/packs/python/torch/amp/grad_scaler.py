# The scaler of losses: gradients are scaled until unscale_() or step().
import _mc
import torch


class GradScaler:
    def __init__(self, device="cuda", init_scale=2.0**16, growth_factor=2.0, backoff_factor=0.5, growth_interval=2000,
                 enabled=True):
        self._enabled = True if _mc.is_unknown(enabled) else enabled  # one answer for all that ask
        self._init_scale = init_scale
        self._scaler = _mc.scaler() if self._enabled else None

    def scale(self, outputs):
        if not self._enabled:
            return outputs
        if isinstance(outputs, torch.Tensor) or _mc.is_open(outputs):  # what is not known is one loss
            return _mc.scale(self._scaler, outputs)
        return [_mc.scale(self._scaler, t) for t in outputs]

    def unscale_(self, optimizer):
        if self._enabled:
            _mc.unscale(self._scaler, optimizer._optimizer)

    def step(self, optimizer, *args, **kwargs):
        if not self._enabled:
            return optimizer.step(*args, **kwargs)
        _mc.scaler_step(self._scaler, optimizer._optimizer)

    def update(self, new_scale=None):
        if self._enabled:
            _mc.scaler_update(self._scaler)

    def get_scale(self):
        return float(_mc.unknown()) if self._enabled else 1.0

    def is_enabled(self):
        return self._enabled

    def get_growth_factor(self):
        return 2.0

    def get_backoff_factor(self):
        return 0.5

    def get_growth_interval(self):
        return 2000

    def set_growth_factor(self, new_factor):
        pass

    def set_backoff_factor(self, new_factor):
        pass

    def set_growth_interval(self, new_interval):
        pass

    def state_dict(self):
        return {"scale": self.get_scale()} if self._enabled else {}

    def load_state_dict(self, state_dict):
        pass
