/* What the batch system says of the recorded process. */
#pragma once
#include "../recorder.h"

/* Looks at the environment when the process starts: the program may change it later. */
void batch_read(void);
/* The job's number; "" when there is none. */
const char *batch_job(void);
/* Step of the job, node by its name, user, account: a text each, "" where nobody says it. */
void define_batch(struct definition *definition);
