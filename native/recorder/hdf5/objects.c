/* The layer HDF5: data sets, groups and other objects, and the links that lead to them. */
#include "hdf5.h"

/* Functions that call back the program (H5Literate and its like) are not recorded: what the program calls there is. */

/* ---- data sets ---- */

HDF5_OPENS(H5Dcreate1, (hid_t location, const char *name, hid_t type, hid_t space, hid_t creation),
           (location, name, type, space, creation), location, name)
HDF5_OPENS(H5Dcreate2,
           (hid_t location, const char *name, hid_t type, hid_t space, hid_t link, hid_t creation, hid_t access),
           (location, name, type, space, link, creation, access), location, name)
HDF5_OPENS(H5Dcreate_anon, (hid_t location, hid_t type, hid_t space, hid_t creation, hid_t access),
           (location, type, space, creation, access), location, NULL)
HDF5_OPENS(H5Dcreate_async,
           (HDF5_LATER_IN, hid_t location, const char *name, hid_t type, hid_t space, hid_t link, hid_t creation,
            hid_t access, hid_t events),
           (HDF5_LATER, location, name, type, space, link, creation, access, events), location, name)
HDF5_OPENS(H5Dopen1, (hid_t location, const char *name), (location, name), location, name)
HDF5_OPENS(H5Dopen2, (hid_t location, const char *name, hid_t access), (location, name, access), location, name)
HDF5_OPENS(H5Dopen_async, (HDF5_LATER_IN, hid_t location, const char *name, hid_t access, hid_t events),
           (HDF5_LATER, location, name, access, events), location, name)
HDF5_CLOSES(H5Dclose, (hid_t set), (set), set)
HDF5_CLOSES(H5Dclose_async, (HDF5_LATER_IN, hid_t set, hid_t events), (HDF5_LATER, set, events), set)
HDF5_RESIZES(H5Dset_extent, (hid_t set, const hsize_t *size), (set, size), set, false)
HDF5_RESIZES(H5Dset_extent_async, (HDF5_LATER_IN, hid_t set, const hsize_t *size, hid_t events),
             (HDF5_LATER, set, size, events), set, true)
HDF5_RESIZES(H5Dextend, (hid_t set, const hsize_t *size), (set, size), set, false)
HDF5_DOES(H5Dflush, (hid_t set), (set), set)
HDF5_RESIZES(H5Drefresh, (hid_t set), (set), set, false)

/* ---- groups ---- */

HDF5_OPENS(H5Gcreate1, (hid_t location, const char *name, size_t hint), (location, name, hint), location, name)
HDF5_OPENS(H5Gcreate2, (hid_t location, const char *name, hid_t link, hid_t creation, hid_t access),
           (location, name, link, creation, access), location, name)
HDF5_OPENS(H5Gcreate_anon, (hid_t location, hid_t creation, hid_t access), (location, creation, access), location, NULL)
HDF5_OPENS(H5Gcreate_async,
           (HDF5_LATER_IN, hid_t location, const char *name, hid_t link, hid_t creation, hid_t access, hid_t events),
           (HDF5_LATER, location, name, link, creation, access, events), location, name)
HDF5_OPENS(H5Gopen1, (hid_t location, const char *name), (location, name), location, name)
HDF5_OPENS(H5Gopen2, (hid_t location, const char *name, hid_t access), (location, name, access), location, name)
HDF5_OPENS(H5Gopen_async, (HDF5_LATER_IN, hid_t location, const char *name, hid_t access, hid_t events),
           (HDF5_LATER, location, name, access, events), location, name)
HDF5_CLOSES(H5Gclose, (hid_t group), (group), group)
HDF5_CLOSES(H5Gclose_async, (HDF5_LATER_IN, hid_t group, hid_t events), (HDF5_LATER, group, events), group)
HDF5_DOES(H5Gflush, (hid_t group), (group), group)
HDF5_DOES(H5Grefresh, (hid_t group), (group), group)
HDF5_DOES(H5Gget_info, (hid_t location, void *info), (location, info), location)
HDF5_DOES(H5Gget_num_objs, (hid_t location, hsize_t *count), (location, count), location)
HDF5_DOES_NAMED(H5Gget_info_by_name, (hid_t location, const char *name, void *info, hid_t access),
                (location, name, info, access), location, name)
HDF5_DOES_NAMED(H5Gget_objinfo, (hid_t location, const char *name, int follows, void *info),
                (location, name, follows, info), location, name)
HDF5_DOES_NAMED(H5Gunlink, (hid_t location, const char *name), (location, name), location, name)
HDF5_DOES_NAMED(H5Gmove, (hid_t location, const char *name, const char *to), (location, name, to), location, name)
HDF5_DOES_NAMED(H5Gmove2, (hid_t location, const char *name, hid_t to, const char *to_name),
                (location, name, to, to_name), location, name)

/* ---- objects of any kind ---- */

HDF5_OPENS(H5Oopen, (hid_t location, const char *name, hid_t access), (location, name, access), location, name)
HDF5_OPENS(H5Oopen_async, (HDF5_LATER_IN, hid_t location, const char *name, hid_t access, hid_t events),
           (HDF5_LATER, location, name, access, events), location, name)
HDF5_OPENS(H5Oopen_by_idx, (hid_t location, const char *group, int index, int order, hsize_t at, hid_t access),
           (location, group, index, order, at, access), location, group)
HDF5_OPENS(H5Oopen_by_idx_async,
           (HDF5_LATER_IN, hid_t location, const char *group, int index, int order, hsize_t at, hid_t access, hid_t events),
           (HDF5_LATER, location, group, index, order, at, access, events), location, group)
HDF5_OPENS(H5Oopen_by_addr, (hid_t location, haddr_t address), (location, address), location, NULL)
/* H5O_token_t */
struct token {
    uint8_t bytes[16];
};
HDF5_OPENS(H5Oopen_by_token, (hid_t location, struct token token), (location, token), location, NULL)
HDF5_OPENS(H5Rdereference1, (hid_t location, int kind, const void *reference), (location, kind, reference), location, NULL)
HDF5_OPENS(H5Rdereference2, (hid_t location, hid_t access, int kind, const void *reference),
           (location, access, kind, reference), location, NULL)
HDF5_CLOSES(H5Oclose, (hid_t object), (object), object)
HDF5_CLOSES(H5Oclose_async, (HDF5_LATER_IN, hid_t object, hid_t events), (HDF5_LATER, object, events), object)
HDF5_DOES(H5Oflush, (hid_t object), (object), object)
HDF5_DOES(H5Oflush_async, (HDF5_LATER_IN, hid_t object, hid_t events), (HDF5_LATER, object, events), object)
HDF5_RESIZES(H5Orefresh, (hid_t object), (object), object, false)
HDF5_DOES(H5Oget_info, (hid_t location, void *info), (location, info), location)
HDF5_DOES(H5Oget_info1, (hid_t location, void *info), (location, info), location)
HDF5_DOES(H5Oget_info2, (hid_t location, void *info, unsigned fields), (location, info, fields), location)
HDF5_DOES(H5Oget_info3, (hid_t location, void *info, unsigned fields), (location, info, fields), location)
HDF5_DOES_NAMED(H5Oget_info_by_name, (hid_t location, const char *name, void *info, hid_t access),
                (location, name, info, access), location, name)
HDF5_DOES_NAMED(H5Oget_info_by_name1, (hid_t location, const char *name, void *info, hid_t access),
                (location, name, info, access), location, name)
HDF5_DOES_NAMED(H5Oget_info_by_name2, (hid_t location, const char *name, void *info, unsigned fields, hid_t access),
                (location, name, info, fields, access), location, name)
HDF5_DOES_NAMED(H5Oget_info_by_name3, (hid_t location, const char *name, void *info, unsigned fields, hid_t access),
                (location, name, info, fields, access), location, name)
HDF5_DOES_NAMED(H5Oexists_by_name, (hid_t location, const char *name, hid_t access), (location, name, access), location, name)
HDF5_DOES_NAMED(H5Olink, (hid_t object, hid_t location, const char *name, hid_t link, hid_t access),
                (object, location, name, link, access), location, name)

/* Named types live in the file; opened, they are used like others and are not followed. */
HDF5_DOES_NAMED(H5Tcommit1, (hid_t location, const char *name, hid_t type), (location, name, type), location, name)
HDF5_DOES_NAMED(H5Tcommit2, (hid_t location, const char *name, hid_t type, hid_t link, hid_t creation, hid_t access),
                (location, name, type, link, creation, access), location, name)

/* Writes at `location`, from `source`, whose name is not kept. */
FUNCTION(H5Ocopy, LAYER_HDF5, "hNHx");
EXPORTED herr_t H5Ocopy(hid_t source, const char *source_name, hid_t location, const char *name, hid_t copying, hid_t link)
{
    LINKED(H5Ocopy);
    struct call call;
    if (!call_begin(&call, &function_H5Ocopy)) return real(source, source_name, location, name, copying, link);
    herr_t result = real(source, source_name, location, name, copying, link);
    if (call_end(&call)) {
        put(&call, hdf5_handle(site->library, location));
        put_text(&call, name);
        put(&call, hdf5_handle(site->library, source));
        put_signed(&call, result);
        call_commit(&call);
    }
    return result;
}

/* ---- links ---- */

HDF5_DOES_NAMED(H5Lcreate_hard, (hid_t from, const char *from_name, hid_t location, const char *name, hid_t link, hid_t access),
                (from, from_name, location, name, link, access), location, name)
HDF5_DOES_NAMED(H5Lcreate_soft, (const char *target, hid_t location, const char *name, hid_t link, hid_t access),
                (target, location, name, link, access), location, name)
HDF5_DOES_NAMED(H5Lcreate_external,
                (const char *path, const char *target, hid_t location, const char *name, hid_t link, hid_t access),
                (path, target, location, name, link, access), location, name)
HDF5_DOES_NAMED(H5Lmove, (hid_t location, const char *name, hid_t to, const char *to_name, hid_t link, hid_t access),
                (location, name, to, to_name, link, access), location, name)
HDF5_DOES_NAMED(H5Lcopy, (hid_t location, const char *name, hid_t to, const char *to_name, hid_t link, hid_t access),
                (location, name, to, to_name, link, access), location, name)
HDF5_DOES_NAMED(H5Ldelete, (hid_t location, const char *name, hid_t access), (location, name, access), location, name)
HDF5_DOES_NAMED(H5Ldelete_async, (HDF5_LATER_IN, hid_t location, const char *name, hid_t access, hid_t events),
                (HDF5_LATER, location, name, access, events), location, name)
HDF5_DOES_NAMED(H5Lexists, (hid_t location, const char *name, hid_t access), (location, name, access), location, name)
HDF5_DOES_NAMED(H5Lget_info, (hid_t location, const char *name, void *info, hid_t access), (location, name, info, access),
                location, name)
HDF5_DOES_NAMED(H5Lget_info1, (hid_t location, const char *name, void *info, hid_t access), (location, name, info, access),
                location, name)
HDF5_DOES_NAMED(H5Lget_info2, (hid_t location, const char *name, void *info, hid_t access), (location, name, info, access),
                location, name)
