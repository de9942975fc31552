# Kinds of objects.
class SimpleNamespace:
    def __init__(self, **kwargs):
        self.__dict__.update(kwargs)


def MethodType(function, instance):
    return lambda *args, **kwargs: function(instance, *args, **kwargs)
