/* The layer HDF5: attributes, except for their values (transfers.c). */
#include "hdf5.h"

HDF5_OPENS(H5Acreate1, (hid_t location, const char *name, hid_t type, hid_t space, hid_t creation),
           (location, name, type, space, creation), location, name)
HDF5_OPENS(H5Acreate2, (hid_t location, const char *name, hid_t type, hid_t space, hid_t creation, hid_t access),
           (location, name, type, space, creation, access), location, name)
HDF5_OPENS(H5Acreate_async,
           (HDF5_LATER_IN, hid_t location, const char *name, hid_t type, hid_t space, hid_t creation, hid_t access, hid_t events),
           (HDF5_LATER, location, name, type, space, creation, access, events), location, name)
HDF5_OPENS(H5Acreate_by_name,
           (hid_t location, const char *object, const char *name, hid_t type, hid_t space, hid_t creation, hid_t access, hid_t link),
           (location, object, name, type, space, creation, access, link), location, name)
HDF5_OPENS(H5Acreate_by_name_async,
           (HDF5_LATER_IN, hid_t location, const char *object, const char *name, hid_t type, hid_t space, hid_t creation,
            hid_t access, hid_t link, hid_t events),
           (HDF5_LATER, location, object, name, type, space, creation, access, link, events), location, name)
HDF5_OPENS(H5Aopen, (hid_t object, const char *name, hid_t access), (object, name, access), object, name)
HDF5_OPENS(H5Aopen_async, (HDF5_LATER_IN, hid_t object, const char *name, hid_t access, hid_t events),
           (HDF5_LATER, object, name, access, events), object, name)
HDF5_OPENS(H5Aopen_by_name, (hid_t location, const char *object, const char *name, hid_t access, hid_t link),
           (location, object, name, access, link), location, name)
HDF5_OPENS(H5Aopen_by_name_async,
           (HDF5_LATER_IN, hid_t location, const char *object, const char *name, hid_t access, hid_t link, hid_t events),
           (HDF5_LATER, location, object, name, access, link, events), location, name)
HDF5_OPENS(H5Aopen_by_idx,
           (hid_t location, const char *object, int index, int order, hsize_t at, hid_t access, hid_t link),
           (location, object, index, order, at, access, link), location, NULL)
HDF5_OPENS(H5Aopen_by_idx_async,
           (HDF5_LATER_IN, hid_t location, const char *object, int index, int order, hsize_t at, hid_t access, hid_t link,
            hid_t events),
           (HDF5_LATER, location, object, index, order, at, access, link, events), location, NULL)
HDF5_OPENS(H5Aopen_name, (hid_t object, const char *name), (object, name), object, name)
HDF5_OPENS(H5Aopen_idx, (hid_t object, unsigned at), (object, at), object, NULL)
HDF5_CLOSES(H5Aclose, (hid_t attribute), (attribute), attribute)
HDF5_CLOSES(H5Aclose_async, (HDF5_LATER_IN, hid_t attribute, hid_t events), (HDF5_LATER, attribute, events), attribute)
HDF5_DOES_NAMED(H5Adelete, (hid_t object, const char *name), (object, name), object, name)
HDF5_DOES_NAMED(H5Adelete_by_name, (hid_t location, const char *object, const char *name, hid_t link),
                (location, object, name, link), location, name)
HDF5_DOES_NAMED(H5Aexists, (hid_t object, const char *name), (object, name), object, name)
HDF5_DOES_NAMED(H5Aexists_by_name, (hid_t location, const char *object, const char *name, hid_t link),
                (location, object, name, link), location, name)
HDF5_DOES_NAMED(H5Arename, (hid_t object, const char *name, const char *to), (object, name, to), object, name)
