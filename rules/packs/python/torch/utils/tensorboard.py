# Writes numbers and images to files.
class SummaryWriter:
    def __init__(self, *args, **kwargs):
        pass

    def add_scalar(self, tag, scalar_value, global_step=None, *args, **kwargs):
        pass

    def add_scalars(self, main_tag, tag_scalar_dict, global_step=None, *args, **kwargs):
        pass

    def add_histogram(self, tag, values, global_step=None, *args, **kwargs):
        pass

    def add_image(self, tag, img_tensor, global_step=None, *args, **kwargs):
        pass

    def add_images(self, tag, img_tensor, global_step=None, *args, **kwargs):
        pass

    def add_figure(self, tag, figure, global_step=None, *args, **kwargs):
        pass

    def add_text(self, tag, text_string, global_step=None, *args, **kwargs):
        pass

    def add_graph(self, model, input_to_model=None, *args, **kwargs):
        pass

    def add_hparams(self, *args, **kwargs):
        pass

    def flush(self):
        pass

    def close(self):
        pass

    def __enter__(self):
        return self

    def __exit__(self, *exception):
        pass
