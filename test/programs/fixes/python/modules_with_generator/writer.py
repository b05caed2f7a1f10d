# FIX flush-after-every-record example: the generator of another module reads the file at each turn
def write_record(out, step):
    out.write("step %d\n" % step)
    out.flush()  # HERE
