/*
 * Writes an OTF2 archive from records on standard input, as "iolens export --format otf2" hands them over: a line each, a
 * letter and its fields, tabs between them. Events come first, those of a location in the order of time, then definitions,
 * then the line "." that says that nothing is missing. "-" is a reference to nothing. In texts \t, \n and \\ are escaped.
 *
 * Compiled on the user's machine with its OTF2 (2.1 or later): cc write-archive.c $(otf2-config --cflags --ldflags --libs)
 * usage: write-archive FOLDER, which must not hold an archive
 */
#include <inttypes.h>
#include <otf2/otf2.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { EVENT_CHUNK = 1 << 20, DEFINITION_CHUNK = 4 << 20 };

static OTF2_Archive *archive;
static OTF2_GlobalDefWriter *definitions;
static OTF2_AttributeList *attributes;
static unsigned long line_number;

/* Locations are numbered from 0. */
static OTF2_EvtWriter **writers;
static uint64_t *event_counts;
static size_t locations;

/* Fields of the record at hand. */
static char **fields;
static size_t field_count, field_room;

static void fail(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vfprintf(stderr, format, list);
    va_end(list);
    fputc('\n', stderr);
    exit(1);
}

static void check(OTF2_ErrorCode code, const char *what)
{
    if (code != OTF2_SUCCESS) fail("%s: %s", what, OTF2_Error_GetDescription(code));
}

static void *grown(void *memory, size_t bytes)
{
    void *larger = realloc(memory, bytes);
    if (larger == NULL) fail("there is no memory for %zu bytes", bytes);
    return larger;
}

/* ---- records ---- */

static void split(char *line)
{
    field_count = 0;
    for (char *at = line; at != NULL;) {
        if (field_count == field_room) fields = grown(fields, (field_room = field_room * 2 + 16) * sizeof *fields);
        fields[field_count++] = at;
        at = strchr(at, '\t');
        if (at != NULL) *at++ = 0;
    }
}

static const char *field(size_t number)
{
    if (number >= field_count) fail("line %lu: a record %s has %zu fields only", line_number, fields[0], field_count);
    return fields[number];
}

static uint64_t number(size_t at)
{
    const char *text = field(at);
    if (strcmp(text, "-") == 0) return UINT64_MAX;
    char *end;
    uint64_t value = strtoull(text, &end, 10);
    if (end == text || *end != 0) fail("line %lu: %s is no number", line_number, text);
    return value;
}

static uint32_t reference(size_t at)
{
    uint64_t value = number(at);
    return value == UINT64_MAX ? UINT32_MAX : (uint32_t)value;
}

/* In its place: it becomes shorter at most. */
static const char *text(size_t at)
{
    char *to = (char *)field(at);
    for (const char *from = to; *from != 0; from++) {
        if (*from != '\\') *to++ = *from;
        else if (*++from == 0) break;
        else *to++ = *from == 't' ? '\t' : *from == 'n' ? '\n' : *from;
    }
    *to = 0;
    return field(at);
}

/* ---- events ---- */

static OTF2_EvtWriter *writer_of(uint64_t location)
{
    if (location >= locations) {
        if (location > UINT32_MAX) fail("line %lu: there is no location %" PRIu64, line_number, location);
        size_t wanted = (size_t)location + 1;
        writers = grown(writers, wanted * sizeof *writers);
        event_counts = grown(event_counts, wanted * sizeof *event_counts);
        for (; locations < wanted; locations++) {
            writers[locations] = NULL;
            event_counts[locations] = 0;
        }
    }
    if (writers[location] == NULL) writers[location] = OTF2_Archive_GetEvtWriter(archive, location);
    if (writers[location] == NULL) fail("location %" PRIu64 " cannot be written", location);
    return writers[location];
}

/* An offset in the file is an attribute of the operation, named as Score-P does. */
static OTF2_AttributeList *offset_of(size_t at)
{
    if (strcmp(field(at), "-") == 0) return NULL;
    check(OTF2_AttributeList_AddUint64(attributes, 0, number(at)), "offset");
    return attributes;
}

static bool write_event(char kind)
{
    OTF2_EvtWriter *to = writer_of(number(1));
    uint64_t time = number(2);
    OTF2_ErrorCode code = OTF2_SUCCESS;
    switch (kind) {
    case 'e': code = OTF2_EvtWriter_CallingContextEnter(to, NULL, time, reference(3), 1); break;
    case 'x': code = OTF2_EvtWriter_CallingContextLeave(to, NULL, time, reference(3)); break;
    case 'b':
        code = OTF2_EvtWriter_IoOperationBegin(to, offset_of(8), time, reference(3), (OTF2_IoOperationMode)number(4),
                                               reference(5), number(6), number(7));
        break;
    case 'i': code = OTF2_EvtWriter_IoOperationIssued(to, NULL, time, reference(3), number(4)); break;
    case 'c': code = OTF2_EvtWriter_IoOperationComplete(to, NULL, time, reference(3), number(4), number(5)); break;
    case 'o':
        code = OTF2_EvtWriter_IoCreateHandle(to, NULL, time, reference(3), (OTF2_IoAccessMode)number(4), reference(5),
                                             reference(6));
        break;
    case 'd': code = OTF2_EvtWriter_IoDestroyHandle(to, NULL, time, reference(3)); break;
    case 's':
        code = OTF2_EvtWriter_IoSeek(to, NULL, time, reference(3), (int64_t)number(5), (OTF2_IoSeekOption)number(4), number(5));
        break;
    case 'r': code = OTF2_EvtWriter_IoDeleteFile(to, NULL, time, (OTF2_IoParadigmRef)number(3), reference(4)); break;
    case 'a': code = OTF2_EvtWriter_IoAcquireLock(to, NULL, time, reference(3), (OTF2_LockType)number(4)); break;
    case 'u': code = OTF2_EvtWriter_IoReleaseLock(to, NULL, time, reference(3), (OTF2_LockType)number(4)); break;
    case 't': code = OTF2_EvtWriter_IoTryLock(to, NULL, time, reference(3), (OTF2_LockType)number(4)); break;
    default: return false;
    }
    check(code, "event");
    return true;
}

/* Events are complete when the first definition comes: how many there are of a location is part of its definition. */
static void end_events(void)
{
    if (definitions != NULL) return;
    check(OTF2_Archive_OpenDefFiles(archive), "definitions of locations");
    for (size_t location = 0; location < locations; location++) {
        if (writers[location] == NULL) continue;
        check(OTF2_EvtWriter_GetNumberOfEvents(writers[location], &event_counts[location]), "number of events");
        check(OTF2_Archive_CloseEvtWriter(archive, writers[location]), "events");
        OTF2_DefWriter *own = OTF2_Archive_GetDefWriter(archive, location);
        if (own == NULL) fail("the definitions of location %zu cannot be written", location);
        check(OTF2_Archive_CloseDefWriter(archive, own), "definitions of a location");
    }
    check(OTF2_Archive_CloseDefFiles(archive), "definitions of locations");
    check(OTF2_Archive_CloseEvtFiles(archive), "events");
    definitions = OTF2_Archive_GetGlobalDefWriter(archive);
    if (definitions == NULL) fail("the definitions cannot be written");
}

/* ---- definitions ---- */

static OTF2_ErrorCode write_clock(void)
{
#if OTF2_VERSION_MAJOR >= 3
    return OTF2_GlobalDefWriter_WriteClockProperties(definitions, 1000000000, 0, number(1), number(2));
#else
    return OTF2_GlobalDefWriter_WriteClockProperties(definitions, 1000000000, 0, number(1));
#endif
}

static OTF2_ErrorCode write_process(void)
{
#if OTF2_VERSION_MAJOR >= 3
    return OTF2_GlobalDefWriter_WriteLocationGroup(definitions, reference(1), reference(2), OTF2_LOCATION_GROUP_TYPE_PROCESS,
                                                   reference(3), OTF2_UNDEFINED_LOCATION_GROUP);
#else
    return OTF2_GlobalDefWriter_WriteLocationGroup(definitions, reference(1), reference(2), OTF2_LOCATION_GROUP_TYPE_PROCESS,
                                                   reference(3));
#endif
}

static OTF2_ErrorCode write_location(void)
{
    uint64_t location = number(1);
    return OTF2_GlobalDefWriter_WriteLocation(definitions, location, reference(2), OTF2_LOCATION_TYPE_CPU_THREAD,
                                              location < locations ? event_counts[location] : 0, reference(3));
}

static OTF2_ErrorCode write_communicator(void)
{
#if OTF2_VERSION_MAJOR >= 3
    return OTF2_GlobalDefWriter_WriteComm(definitions, reference(1), reference(2), reference(3), OTF2_UNDEFINED_COMM,
                                          OTF2_COMM_FLAG_NONE);
#else
    return OTF2_GlobalDefWriter_WriteComm(definitions, reference(1), reference(2), reference(3), OTF2_UNDEFINED_COMM);
#endif
}

static OTF2_ErrorCode write_group(void)
{
    field(3);
    size_t count = field_count - 4;
    uint64_t *members = grown(NULL, (count + 1) * sizeof *members);
    for (size_t i = 0; i < count; i++) members[i] = number(i + 4);
    OTF2_ErrorCode code = OTF2_GlobalDefWriter_WriteGroup(definitions, reference(1), reference(2), (OTF2_GroupType)number(3),
                                                          OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, (uint32_t)count, members);
    free(members);
    return code;
}

static bool write_definition(char kind)
{
    end_events();
    OTF2_GlobalDefWriter *to = definitions;
    OTF2_ErrorCode code = OTF2_SUCCESS;
    switch (kind) {
    case 'K': code = write_clock(); break;
    case 'T': code = OTF2_GlobalDefWriter_WriteString(to, reference(1), text(2)); break;
    case 'A': code = OTF2_GlobalDefWriter_WriteAttribute(to, reference(1), reference(2), reference(2), OTF2_TYPE_UINT64); break;
    case 'N': code = OTF2_GlobalDefWriter_WriteSystemTreeNode(to, reference(1), reference(2), reference(3), reference(4)); break;
    case 'P': code = write_process(); break;
    case 'L': code = write_location(); break;
    case 'R':
        code = OTF2_GlobalDefWriter_WriteRegion(to, reference(1), reference(2), reference(2), reference(3),
                                                (OTF2_RegionRole)number(4), (OTF2_Paradigm)number(5), OTF2_REGION_FLAG_NONE,
                                                OTF2_UNDEFINED_STRING, 0, 0);
        break;
    case 'W': code = OTF2_GlobalDefWriter_WriteSourceCodeLocation(to, reference(1), reference(2), reference(3)); break;
    case 'C': code = OTF2_GlobalDefWriter_WriteCallingContext(to, reference(1), reference(2), reference(3), reference(4)); break;
    case 'G': code = write_group(); break;
    case 'M': code = write_communicator(); break;
    case 'F': code = OTF2_GlobalDefWriter_WriteIoRegularFile(to, reference(1), reference(2), reference(3)); break;
    case 'I':
        code = OTF2_GlobalDefWriter_WriteIoParadigm(to, (OTF2_IoParadigmRef)number(1), reference(2), reference(3),
                                                    (OTF2_IoParadigmClass)number(4), reference(5), 0, NULL, NULL, NULL);
        break;
    case 'H':
        code = OTF2_GlobalDefWriter_WriteIoHandle(to, reference(1), reference(2), reference(3), (OTF2_IoParadigmRef)number(4),
                                                  reference(5), reference(6), reference(7));
        break;
    case 'Q': code = OTF2_GlobalDefWriter_WriteIoPreCreatedHandleState(to, reference(1), OTF2_IO_ACCESS_MODE_READ_WRITE, 0); break;
    default: return false;
    }
    check(code, "definition");
    return true;
}

static OTF2_FlushType before_flush(void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool is_final)
{
    (void)user, (void)type, (void)location, (void)caller, (void)is_final;
    return OTF2_FLUSH;
}

int main(int count, char **arguments)
{
    if (count != 2) fail("usage: write-archive FOLDER");
    static const OTF2_FlushCallbacks FLUSH = {.otf2_pre_flush = before_flush, .otf2_post_flush = NULL};
    archive = OTF2_Archive_Open(arguments[1], "traces", OTF2_FILEMODE_WRITE, EVENT_CHUNK, DEFINITION_CHUNK,
                                OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (archive == NULL) fail("%s: no archive can be written there", arguments[1]);
    check(OTF2_Archive_SetFlushCallbacks(archive, &FLUSH, NULL), "archive");
    check(OTF2_Archive_SetSerialCollectiveCallbacks(archive), "archive");
    check(OTF2_Archive_SetCreator(archive, "I/O Lens"), "archive");
    check(OTF2_Archive_OpenEvtFiles(archive), "events");
    attributes = OTF2_AttributeList_New();
    char *line = NULL;
    size_t room = 0;
    bool is_whole = false;
    for (ssize_t length; !is_whole && (length = getline(&line, &room, stdin)) > 0;) {
        line_number++;
        if (line[length - 1] == '\n') line[length - 1] = 0;
        split(line);
        char kind = fields[0][0];
        is_whole = kind == '.';
        if (!is_whole && !(kind >= 'a' ? write_event(kind) : write_definition(kind)))
            fail("line %lu: %s is no record", line_number, fields[0]);
    }
    if (!is_whole) fail("the records end after %lu lines: something is missing", line_number);
    end_events();
    check(OTF2_Archive_CloseGlobalDefWriter(archive, definitions), "definitions");
    OTF2_AttributeList_Delete(attributes);
    check(OTF2_Archive_Close(archive), "archive");
    free(line);
    return 0;
}
