# Warnings change nothing.
def warn(message, category=None, stacklevel=1, source=None):
    pass


def filterwarnings(action, *args, **kwargs):
    pass


def simplefilter(action, *args, **kwargs):
    pass


class catch_warnings:
    def __init__(self, *, record=False, **options):
        pass

    def __enter__(self):
        return []

    def __exit__(self, *exception):
        pass
