import subprocess


def look(step):
    if step == 50:
        print(subprocess.run(["wc", "-c", "run.log"], capture_output=True, text=True).stdout)
