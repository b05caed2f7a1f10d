# Calls from Python in many shapes. Each `checkpoint` notes down the frames as Python itself knows them and reads a number of
# bytes of its own, 1048576 and the checkpoint's number, on one line; they are printed in the end.
import asyncio
import ctypes
import functools
import json
import os
import sys
import threading

expected = []
zero = os.open('/dev/zero', os.O_RDONLY)
lock = threading.Lock()


def frames(frame):
    found = []
    while frame is not None:
        found.append(f'{frame.f_code.co_filename}:{frame.f_lineno} {frame.f_code.co_qualname}')
        frame = frame.f_back
    return found


def checkpoint():
    with lock:
        number = len(expected)
        expected.append(frames(sys._getframe())); os.read(zero, 1048576 + number)
    return number


class Shape:
    inside = checkpoint()

    def method(self, depth):
        return self.method(depth - 1) if depth else self.property

    @property
    def property(self):
        return checkpoint()

    def __del__(self):
        checkpoint()

    def __enter__(self):
        return checkpoint()

    def __exit__(self, *_):
        checkpoint()

    def größe(self):
        return checkpoint()


def numbers():
    for i in range(2):
        yield checkpoint() + i


async def later(depth):
    await asyncio.sleep(0)
    if depth:
        return await later(depth - 1)
    return checkpoint()


def wrapped(function):
    @functools.wraps(function)
    def inner(*arguments):
        return function(
            *arguments,
        )

    return inner


@wrapped
def through_wrapper(n):
    return checkpoint() + n


def fail():
    try:
        raise ValueError
    except ValueError:
        checkpoint()
        raise
    finally:
        checkpoint()


def deep(n):
    return deep(n - 1) + 1 if n else checkpoint()


shape = Shape()
shape.method(3)
shape.größe()
with shape:
    checkpoint()
del shape
list(numbers())
[checkpoint() for _ in range(2)]
sorted([2, 1], key=lambda n: checkpoint())
functools.reduce(lambda a, b: through_wrapper(a) + b, [1, 2, 3])
asyncio.run(later(3))
try:
    fail()
except ValueError:
    checkpoint()
callback = ctypes.CFUNCTYPE(ctypes.c_int, ctypes.c_int)(lambda n: deep(n))
callback(2)
# Code that is thrown away again and again: the next one often lies at the same place.
for i in range(30):
    exec(compile(f'def made{i}():\n' + '\n' * i + '    return checkpoint()\nmade%d()' % i, f'made-{i}.py', 'exec'))
threads = [threading.Thread(target=lambda: [deep(n) for n in range(5)]) for _ in range(4)]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
deep(20)
with open(sys.argv[1], 'w') as file:
    json.dump(expected, file)
