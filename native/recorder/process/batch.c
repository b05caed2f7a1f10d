#include "batch.h"
#include <string.h>

enum { JOB, STEP, NODE, USER, ACCOUNT, FACTS };

/* Of Slurm, PBS, LSF, Grid Engine, Cobalt and Flux; the first that is set counts. */
static const char *const VARIABLES[FACTS][7] = {
    [JOB] = {"SLURM_JOB_ID", "PBS_JOBID", "LSB_JOBID", "JOB_ID", "COBALT_JOBID", "FLUX_JOB_ID"},
    [STEP] = {"SLURM_STEP_ID"},
    [NODE] = {"SLURMD_NODENAME"},
    [USER] = {"SLURM_JOB_USER", "PBS_O_LOGNAME", "LOGNAME", "USER"},
    [ACCOUNT] = {"SLURM_JOB_ACCOUNT", "PBS_ACCOUNT", "LSB_PROJECT_NAME"},
};
static char started_in[FACTS][128];

/* A text that is too long is none: half a number is another one. Outside of a job nobody is named. */
void batch_read(void)
{
    for (size_t fact = 0; fact < FACTS; fact++) {
        started_in[fact][0] = 0;
        if (fact != JOB && started_in[JOB][0] == 0) continue;
        for (const char *const *name = VARIABLES[fact]; *name != NULL && started_in[fact][0] == 0; name++) {
            const char *text = own_variable(*name);
            if (text != NULL && strlen(text) < sizeof started_in[fact]) strcpy(started_in[fact], text);
        }
    }
}

const char *batch_job(void)
{
    return started_in[JOB];
}

void define_batch(struct definition *definition)
{
    for (size_t fact = STEP; fact < FACTS; fact++) define_text(definition, started_in[fact], strlen(started_in[fact]));
}
