/*
 * Frames of CPython 3.11 to 3.13, read without its lock and without running its code, but for two functions that only read.
 *
 * Why that is safe: the frames belong to the thread that is in the middle of an I/O call, so nobody changes or frees them
 * meanwhile. Two things could: the end of the interpreter, which frees the state of threads that still run (all threads but
 * the first one therefore ask of each page whether it can be read, and stop when the interpreter is ending), and a signal
 * handler that interrupted the interpreter itself (the caller asks for no frames then). That the offsets below are those of
 * this interpreter is not only told by its version: the first stacks are read in the careful way, and all code objects and
 * names must have the types that they should.
 */
#include "python.h"
#include "../machine/memory.h"
#include "../recorder.h"
#include "../machine/symbols.h"

/* Offsets in bytes, as the headers of a release have them, on 64-bit machines and without options for debugging. */
struct layout {
    /* Py_Version without its lower bytes. */
    uint16_t version;
    /* PyThreadState: the innermost call of the evaluation loop (with `loop_frame` in it), or the innermost frame itself. */
    uint16_t thread_loop;
    bool has_loops;
    uint16_t loop_frame;
    /* _PyCFrame.previous, where calls of the loop are told apart by it; else frames on the machine's stack do that. */
    uint16_t loop_previous;
    /* _PyInterpreterFrame */
    uint16_t frame_code;
    uint16_t frame_previous;
    uint16_t frame_instruction;
    /* A byte: whether the frame is the outermost of its loop (3.11); who owns it. */
    uint16_t frame_kind;
    /* PyCodeObject */
    uint16_t code_line;
    uint16_t code_instructions;
    /* Bytes in front of the characters of a text: PyASCIIObject, PyCompactUnicodeObject. */
    uint16_t text_plain;
    uint16_t text_wide;
};

static const struct layout LAYOUTS[] = {
    {0x030b, 56, true, 8, 16, 32, 48, 56, 68, 72, 184, 48, 72},
    {0x030c, 56, true, 0, 0, 0, 8, 56, 70, 68, 192, 40, 56},
    {0x030d, 72, false, 0, 0, 0, 8, 56, 70, 68, 200, 40, 56},
};

/* Alike in all of them. */
enum { OBJECT_TYPE = 8, CODE_FILE = 112, CODE_NAME = 128, CODE_LINES = 136, TEXT_LENGTH = 16, TEXT_HASH = 24, TEXT_STATE = 32 };
/* In the state of a text: bytes of a character, all its parts in one piece, only ASCII. */
enum { STATE_KIND_SHIFT = 2, STATE_KIND = 7, STATE_COMPACT = 32, STATE_ASCII = 64 };
enum { OWNED_BY_MACHINE_STACK = 3 };

#define MOST_TEXT 1024
/* Stacks that are read in the careful way at first. */
#define PROBATION 16
/* Frames without end would be damage. */
#define MOST_STEPS 4096

bool python_is_known;

static const struct layout *layout;
static uintptr_t code_type, text_type;
static void *(*this_thread_state)(void);
static int (*line_of)(void *code, int offset);
static int (*is_ending)(void);
static unsigned sound_stacks;

void python_begin(void)
{
    const unsigned long *version = symbol_of_any("Py_Version");
    // Counts references in the debugging build, whose objects have other offsets.
    if (version == NULL || sizeof(void *) != 8 || symbol_of_any("_Py_RefTotal") != NULL) return;
    for (unsigned i = 0; i < sizeof LAYOUTS / sizeof *LAYOUTS; i++)
        if (*version >> 16 == LAYOUTS[i].version) layout = &LAYOUTS[i];
    code_type = (uintptr_t)symbol_of_any("PyCode_Type");
    text_type = (uintptr_t)symbol_of_any("PyUnicode_Type");
    *(void **)&this_thread_state = symbol_of_any("PyGILState_GetThisThreadState");
    *(void **)&line_of = symbol_of_any("PyCode_Addr2Line");
    *(void **)&is_ending = symbol_of_any("_Py_IsFinalizing");
    if (is_ending == NULL) *(void **)&is_ending = symbol_of_any("Py_IsFinalizing");
    bool is_complete = code_type != 0 && text_type != 0 && this_thread_state != NULL && line_of != NULL && is_ending != NULL;
    python_is_known = layout != NULL && is_complete;
}

/* Reads memory of the interpreter: at once, or after asking. */
struct look {
    bool is_careful;
    struct readable known;
    bool is_damaged;
};

static inline uintptr_t word(struct look *look, uintptr_t address)
{
    uintptr_t value = 0;
    if (LIKELY(!look->is_careful)) return *(const uintptr_t *)address;
    if (!look->is_damaged && !memory_read_page(address, &look->known, &value)) look->is_damaged = true;
    return value;
}

static inline uint8_t byte(struct look *look, uintptr_t address)
{
    uintptr_t aligned = address & ~(uintptr_t)7, value = word(look, aligned);
    return ((const uint8_t *)&value)[address - aligned];
}

static inline uint64_t mixed(uint64_t sum, uint64_t value)
{
    sum = (sum ^ value) * 0x9e3779b97f4a7c15u;
    return sum ^ sum >> 32;
}

/* Of texts and code objects there may be others at the same place later; what they consist of moves with them. */
static uint64_t identity_of(struct look *look, uintptr_t code, uintptr_t instruction)
{
    uintptr_t file = word(look, code + CODE_FILE);
    uint64_t sum = mixed(code, instruction - code);
    sum = mixed(sum, word(look, code + CODE_NAME));
    sum = mixed(sum, word(look, code + CODE_LINES));
    sum = mixed(sum, word(look, (code + layout->code_line) & ~(uintptr_t)7));
    sum = mixed(sum, file);
    if (look->is_damaged || file == 0) return 0;
    return mixed(mixed(sum, word(look, file + TEXT_HASH)), word(look, file + TEXT_LENGTH));
}

static bool is_code(struct look *look, uintptr_t code)
{
    return code != 0 && code % 8 == 0 && word(look, code + OBJECT_TYPE) == code_type && !look->is_damaged;
}

struct walk {
    struct look look;
    struct python_frame *frames;
    unsigned most;
    unsigned count;
};

static void add(struct walk *walk, uintptr_t code, uintptr_t place, uint64_t identity)
{
    if (walk->count < walk->most) walk->frames[walk->count++] = (struct python_frame){code, place, identity};
}

/* From a frame outwards. `loop` is the call of the evaluation loop that it belongs to, where there are such. */
static void walk_frames(struct walk *walk, uintptr_t frame, uintptr_t loop)
{
    struct look *look = &walk->look;
    for (unsigned step = 0; frame != 0 && walk->count < walk->most && step < MOST_STEPS; step++) {
        if (frame % 8 != 0) look->is_damaged = true;
        uint8_t kind = byte(look, frame + layout->frame_kind);
        if (look->is_damaged) return;
        bool is_on_machine_stack = layout->loop_previous == 0 && kind == OWNED_BY_MACHINE_STACK;
        if (is_on_machine_stack) add(walk, 0, frame, 0);
        else {
            uintptr_t code = word(look, frame + layout->frame_code);
            if (!is_code(look, code)) look->is_damaged = true;
            uintptr_t instruction = word(look, frame + layout->frame_instruction);
            if (look->is_damaged) return;
            add(walk, code, instruction, identity_of(look, code, instruction));
        }
        if (layout->loop_previous != 0 && kind != 0) {
            add(walk, 0, loop, 0);
            loop = word(look, loop + layout->loop_previous);
            if (look->is_damaged || loop == 0) return;
        }
        frame = word(look, frame + layout->frame_previous);
    }
}

unsigned python_frames(struct python_frame *frames, unsigned most)
{
    uintptr_t state = (uintptr_t)this_thread_state();
    if (state == 0 || is_ending()) return 0;
    bool is_careful = __atomic_load_n(&sound_stacks, __ATOMIC_RELAXED) < PROBATION || !memory_is_main_thread();
    struct walk walk = {.look = {.is_careful = is_careful}, .frames = frames, .most = most};
    uintptr_t inner = word(&walk.look, state + layout->thread_loop);
    if (inner == 0 || walk.look.is_damaged) return 0;
    walk_frames(&walk, layout->has_loops ? word(&walk.look, inner + layout->loop_frame) : inner, inner);
    if (walk.look.is_damaged) {
        // Not what it should be, or a thread whose interpreter has ended.
        if (memory_is_main_thread()) python_is_known = false;
        return 0;
    }
    if (is_careful && walk.count > 0) __atomic_fetch_add(&sound_stacks, 1, __ATOMIC_RELAXED);
    return walk.count;
}

/* ---- what a frame is ---- */

static char *put_character(char *at, uint32_t character)
{
    if (character < 0x80) {
        *at++ = (char)character;
        return at;
    }
    unsigned bytes = character < 0x800 ? 1 : character < 0x10000 ? 2 : 3;
    static const uint8_t FIRST[] = {0, 0xc0, 0xe0, 0xf0};
    *at++ = (char)(FIRST[bytes] | character >> (6 * bytes));
    while (bytes-- > 0) *at++ = (char)(0x80 | (character >> (6 * bytes) & 0x3f));
    return at;
}

/* Number of the text that a str object holds, 0: it is none. */
static uint32_t text_of(struct look *look, uintptr_t object)
{
    if (object == 0 || object % 8 != 0 || word(look, object + OBJECT_TYPE) != text_type) return 0;
    uintptr_t length = word(look, object + TEXT_LENGTH);
    uint32_t state = (uint32_t)word(look, object + TEXT_STATE);
    unsigned size = state >> STATE_KIND_SHIFT & STATE_KIND;
    if (look->is_damaged || (state & STATE_COMPACT) == 0 || (size != 1 && size != 2 && size != 4)) return 0;
    if (length > MOST_TEXT) length = MOST_TEXT;
    uintptr_t at = object + (state & STATE_ASCII ? layout->text_plain : layout->text_wide);
    char text[MOST_TEXT + 8], *end = text;
    for (; length > 0 && end < text + MOST_TEXT; length--, at += size) {
        uintptr_t around = word(look, at & ~(uintptr_t)7);
        uint32_t character = 0;
        memcpy(&character, (const uint8_t *)&around + at % 8, size);
        if (look->is_damaged || character == 0) break;
        end = put_character(end, character);
    }
    *end = 0;
    return text_number(text);
}

bool python_describe(const struct python_frame *frame, struct python_line *line)
{
    // Asks, also later: this is done once for each place in the program.
    struct look look = {.is_careful = true};
    if (!is_code(&look, frame->code)) return false;
    uintptr_t file = word(&look, frame->code + CODE_FILE), name = word(&look, frame->code + CODE_NAME);
    line->function = text_of(&look, name);
    line->file = text_of(&look, file);
    if (look.is_damaged || line->function == 0 || line->file == 0) return false;
    uintptr_t offset = frame->place - frame->code - layout->code_instructions;
    int number = line_of((void *)frame->code, (int)offset);
    line->line = number > 0 ? (uint32_t)number : 0;
    return true;
}
