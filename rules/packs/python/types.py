# Kinds of objects.
class SimpleNamespace:
    _mc_has_nothing_else = True

    def __init__(self, **kwargs):
        self.__dict__.update(kwargs)


def MethodType(function, instance):
    return lambda *args, **kwargs: function(instance, *args, **kwargs)
