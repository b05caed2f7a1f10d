# FIX flush-after-every-record trade: the other modules only compute
def write_record(out, step):
    out.write("step %d\n" % step)
    out.flush()  # HERE
