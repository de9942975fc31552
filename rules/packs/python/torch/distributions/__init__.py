# Distributions. What they draw has the dtype and device of their parameters; numbers are of the default dtype.
import _mc
import torch


# Parameters as one tensor, of the shape that they have together.
def _together(*params):
    given = [p for p in params if p is not None]
    if len([p for p in given if isinstance(p, torch.Tensor)]) == 0:
        return torch.zeros(())
    out = given[0]
    for p in given[1:]:
        out = out + p
    return out


def _drawn(like, sample_shape):
    if isinstance(sample_shape, (tuple, list)) and len(sample_shape) == 0:
        return like
    return like.expand(*sample_shape, *like.shape)


class Distribution:
    def __init__(self, like):
        self._like = like

    def sample(self, sample_shape=()):
        like = _drawn(self._like, sample_shape)
        with torch.no_grad():
            return torch._draw(like)

    def rsample(self, sample_shape=()):
        like = _drawn(self._like, sample_shape)
        return torch.randn_like(like) * like

    def log_prob(self, value):
        return torch._density(self._like, value)

    def entropy(self):
        return self._like * 1.0

    @property
    def mean(self):
        return self._like * 1.0

    @property
    def stddev(self):
        return self._like * 1.0

    @property
    def variance(self):
        return self._like * 1.0


class Normal(Distribution):
    def __init__(self, loc, scale, validate_args=None):
        super().__init__(_together(loc, scale))
        self.loc, self.scale = loc, scale


# Numbers from 0 to 1.
class Beta(Distribution):
    def __init__(self, concentration1, concentration0, validate_args=None):
        super().__init__(_together(concentration1, concentration0))

    def sample(self, sample_shape=()):
        return torch.rand_like(_drawn(self._like.detach(), sample_shape))


class Bernoulli(Distribution):
    def __init__(self, probs=None, logits=None, validate_args=None):
        super().__init__(_together(probs, logits))

    def sample(self, sample_shape=()):
        return torch.rand_like(_drawn(self._like.detach(), sample_shape)).round()


class Uniform(Distribution):
    def __init__(self, low, high, validate_args=None):
        super().__init__(_together(low, high))


class Categorical(Distribution):
    def __init__(self, probs=None, logits=None, validate_args=None):
        super().__init__(_together(probs, logits))
        self.probs = self._like.softmax(-1)
        self.logits = self._like.log_softmax(-1)

    def sample(self, sample_shape=()):
        return _drawn(self.logits.detach().argmax(-1), sample_shape)

    def log_prob(self, value):
        return self.logits.gather(-1, value.long().unsqueeze(-1)).squeeze(-1)

    def entropy(self):
        return (self.logits * self.probs).sum(-1)
