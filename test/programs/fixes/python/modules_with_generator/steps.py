import os


def numbers():
    for step in range(100):
        if step % 50 == 0:
            print(os.path.getsize("run.log"))
        yield step
