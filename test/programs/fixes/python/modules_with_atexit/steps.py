import os


def look(step):
    if step == 50:
        os._exit(3)
