/* The frame around a workload in Fortran. */
#define WORKLOAD extern
#include "workload.h"
