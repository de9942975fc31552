# Of what is compared nothing is known: the answer may be a mask, and is inverted as one.
import torch


class Refinement:
    def __init__(self, threshold=0.5):
        self.threshold = threshold

    def step(self, probs, sample, mask_token_id, prompt_mask=None, length=4):
        active = sample == mask_token_id
        if prompt_mask is None:
            prompt_mask = torch.zeros(length, dtype=torch.bool)
        editable = (~active) & (~prompt_mask.unsqueeze(0))
        confidence = torch.where(editable, probs.float(), torch.full((1, length), -torch.inf))
        return (confidence > self.threshold) & editable
