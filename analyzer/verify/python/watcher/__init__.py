"""What runs in the user's interpreter: it starts a program, sees the tensor operations that the
program makes, and sends records of them to miscast. It needs torch and nothing else, and works with
Python 3.8 to 3.13 and torch 1.13 to 2.11.

    __main__.py   loads this package under a name of its own, and starts
    start.py      the program as __main__, with modes around it
    serve.py      one interpreter for many runs
    cases.py      runs of a bundle, on another machine
    harness/      a function, called with arguments that are made up
    texts.py      files with changes that are not saved
    places.py     which expression of the project an operation is in
    observe.py    the mode that sees operations
    calls.py      which calls are operations, and those that no mode sees
    measure.py    what a call loses
    arrays.py     what an operation of NumPy loses
    branches.py   which branches are taken
    state.py      autocast regions, scalers, optimizers
    training.py   which tensors optimizers train, and which they do not
    records.py    what is reported, and how
    tensors.py    tensors as records describe them
    plain.py      turns off what would hide operations
    compatible.py what differs from one version of torch to another
    simulate.py   the mode that simulates cuda; its parts are in cuda/
    channel.py    sends sealed records to miscast
    shadow/       the mode that keeps shadow values, and what they show to be lost
    sanitize.py   `miscast run`: shadow values in a program that starts by itself
    attach.py     `miscast verify --run`: an interpreter that a command starts
    after_import.py  begins with either of these once torch is imported
    inject/       how every interpreter of such a program gets there
"""
