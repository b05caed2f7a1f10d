/* Datatypes of MPI by name. */
#ifndef REPLAYER_DATATYPES_H
#define REPLAYER_DATATYPES_H

#include <mpi.h>

/* One of MPI's own, or that was defined. */
MPI_Datatype type_named(const char *name);
/* type NAME OF KIND numbers… */
void define_type(void);

#endif
