class StopWordsLogitsProcessor:
    def __init__(self, eos_token_id, stop_words_ids):
        self.eos_token_id = eos_token_id
        self.stop_words_ids = stop_words_ids

    def _calc_stopped(self, tokens):
        return [tokens[-1] in self.stop_words_ids]

    def __call__(self, input_ids, scores):
        for i, stopped in enumerate(self._calc_stopped(input_ids[0].tolist())):
            if stopped:
                scores[i, self.eos_token_id] = float(2 ** 30)
        return scores
