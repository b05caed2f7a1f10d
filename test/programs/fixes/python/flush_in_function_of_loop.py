# FIX flush-after-every-record trade: the script passes one file that it opens and closes itself
import json


def record(file, step, **values):
    file.write(json.dumps({"step": step, **values}))
    file.write("\n")
    file.flush()  # HERE


def main():
    out = open("out", "w", encoding="utf-8")
    for step in range(30):
        record(out, step, value=step * 0.5)
    out.close()


if __name__ == "__main__":
    main()
