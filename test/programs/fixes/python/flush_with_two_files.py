# FIX flush-after-every-record trade: two files of different names
with open("out", "w") as first, open("other", "w") as second:
    for i in range(20):
        print(i, file=first)
        print(-i, file=second)
        first.flush()  # HERE
