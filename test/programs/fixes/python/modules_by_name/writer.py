# FIX flush-after-every-record trade: the module is named at the call
def write_record(out, step):
    out.write("step %d\n" % step)
    out.flush()  # HERE
