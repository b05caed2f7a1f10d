#include "datatypes.h"
#include "failure.h"
#include "operands.h"
#include <string.h>

#define MOST_TYPES 1000

static struct { char *name; MPI_Datatype type; } types[MOST_TYPES];
static int type_count;

MPI_Datatype type_named(const char *name) {
  static const struct { const char *name; MPI_Datatype type; } basic[] = {
      {"MPI_BYTE", MPI_BYTE},       {"MPI_CHAR", MPI_CHAR},     {"MPI_SHORT", MPI_SHORT},
      {"MPI_INT", MPI_INT},         {"MPI_LONG", MPI_LONG},     {"MPI_LONG_LONG", MPI_LONG_LONG},
      {"MPI_FLOAT", MPI_FLOAT},     {"MPI_DOUBLE", MPI_DOUBLE}, {"MPI_INT8_T", MPI_INT8_T},
      {"MPI_INT16_T", MPI_INT16_T}, {"MPI_INT32_T", MPI_INT32_T}, {"MPI_INT64_T", MPI_INT64_T},
      {"MPI_C_DOUBLE_COMPLEX", MPI_C_DOUBLE_COMPLEX}};
  for (int i = 0; i < type_count; i++)
    if (strcmp(types[i].name, name) == 0) return types[i].type;
  for (size_t i = 0; i < sizeof basic / sizeof *basic; i++)
    if (strcmp(basic[i].name, name) == 0) return basic[i].type;
  fail("there is no datatype %s", name);
}

void define_type(void) {
  int first[1000], second[1000], third[1000];
  const char *kind = operand(2);
  MPI_Datatype of = type_named(operand(1)), made = MPI_DATATYPE_NULL;
  if (type_count == MOST_TYPES) fail("more than %d datatypes", MOST_TYPES);
  if (strcmp(kind, "contiguous") == 0) check_mpi(MPI_Type_contiguous(count_at(3, "count"), of, &made), kind);
  else if (strcmp(kind, "vector") == 0)
    check_mpi(MPI_Type_vector(count_at(3, "count"), count_at(4, "blocklength"), (int)number_at(5), of, &made), kind);
  else if (strcmp(kind, "subarray") == 0) {
    int dimensions = numbers_at(3, first, 1000);
    if (numbers_at(4, second, 1000) != dimensions || numbers_at(5, third, 1000) != dimensions) fail("lists of different length");
    for (int i = 0; i < dimensions; i++)
      if (first[i] < 1 || second[i] < 1 || third[i] < 0 || third[i] > first[i] - second[i])
        fail("a part of %d from %d does not fit into %d", second[i], third[i], first[i]);
    check_mpi(MPI_Type_create_subarray(dimensions, first, second, third, MPI_ORDER_C, of, &made), kind);
  } else if (strcmp(kind, "indexed") == 0) {
    int blocks = numbers_at(3, first, 1000);
    if (numbers_at(4, second, 1000) != blocks) fail("lists of different length");
    for (int i = 0; i < blocks; i++)
      if (first[i] < 0) fail("a block of %d elements", first[i]);
    check_mpi(MPI_Type_indexed(blocks, first, second, of, &made), kind);
  } else
    check_mpi(MPI_Type_create_resized(of, (MPI_Aint)number_at(3), (MPI_Aint)size_at(4, "extent"), &made), kind);
  check_mpi(MPI_Type_commit(&made), kind);
  types[type_count].name = strdup(operand(0));
  types[type_count++].type = made;
}
