//! Gives each different run of bytes a number. The memory is fixed: `make_room` forgets everything when little is left, and
//! says so, so that the other side forgets its own knowledge of the numbers, too.

use crate::bytes::{hash, same};
use crate::WINDOW;

const TEXT: usize = 1 << 21;
pub const MOST: usize = 1 << 14;
const SLOTS: usize = 1 << 15;
pub const NONE: i32 = -1;

static mut BYTES: [u8; TEXT + 32] = [0; TEXT + 32];
/// Name `i` stands at `STARTS[i] .. STARTS[i + 1]`.
static mut STARTS: [u32; MOST + 1] = [0; MOST + 1];
static mut HASHES: [u32; MOST] = [0; MOST];
/// Numbers of names, plus 1; 0 is a free slot.
static mut TABLE: [u32; SLOTS] = [0; SLOTS];
static mut COUNT: usize = 0;

/// Room for all names that one window can bring. @returns whether everything was forgotten.
pub unsafe fn make_room(names_in_window: usize) -> bool {
    if STARTS[COUNT] as usize + WINDOW <= TEXT && COUNT + names_in_window <= MOST {
        return false;
    }
    TABLE.fill(0);
    COUNT = 0;
    true
}

pub unsafe fn count() -> usize {
    COUNT
}

/// Where the bytes of all names stand, and where they begin.
pub unsafe fn places() -> (*const u8, *const u32) {
    (BYTES.as_ptr(), STARTS.as_ptr())
}

#[inline(always)]
pub unsafe fn length_of(name: i32) -> usize {
    (*STARTS.get_unchecked(name as usize + 1) - *STARTS.get_unchecked(name as usize)) as usize
}

/// Whether the bytes at `text` begin with this name.
#[inline(always)]
pub unsafe fn begins_with(text: *const u8, name: i32) -> bool {
    let start = *STARTS.get_unchecked(name as usize) as usize;
    same(text, BYTES.as_ptr().add(start), length_of(name))
}

#[inline(never)]
pub unsafe fn intern(text: *const u8, length: usize) -> i32 {
    let hash = hash(text, length);
    let mut slot = hash as usize & (SLOTS - 1);
    loop {
        let entry = *TABLE.get_unchecked(slot);
        if entry == 0 {
            break;
        }
        let name = entry as i32 - 1;
        if *HASHES.get_unchecked(name as usize) == hash && length_of(name) == length && begins_with(text, name) {
            return name;
        }
        slot = (slot + 1) & (SLOTS - 1);
    }
    let start = STARTS[COUNT] as usize;
    core::ptr::copy_nonoverlapping(text, BYTES.as_mut_ptr().add(start), length);
    COUNT += 1;
    STARTS[COUNT] = (start + length) as u32;
    HASHES[COUNT - 1] = hash;
    TABLE[slot] = COUNT as u32;
    COUNT as i32 - 1
}
