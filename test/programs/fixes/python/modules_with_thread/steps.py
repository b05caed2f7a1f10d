import os
import threading


def size():
    print(os.path.getsize("run.log"))


def look(step):
    if step == 50:
        thread = threading.Thread(target=size)
        thread.start()
        thread.join()
