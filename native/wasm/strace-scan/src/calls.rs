//! The calls that the scanner knows: their names, and what their arguments mean. The reader makes them known, by its own table
//! (`src/readers/strace/system-calls.ts`), when it has met them.

use crate::bytes::{hash, same};

pub const MOST_ARGUMENTS: usize = 8;
/// Of a call, each with a decoration.
const MOST_DESCRIPTORS: usize = 2;
const MOST: usize = 512;
const SLOTS: usize = 2048;
pub const LONGEST: usize = 32;

/// What is done with an argument; its numbers are those of `src/core/strace-scan.ts`.
pub mod role {
    pub const FD: u8 = 1;
    pub const FOLDER: u8 = 2;
    pub const SIZE: u8 = 3;
    pub const OFFSET: u8 = 4;
    pub const WHENCE: u8 = 5;
    /// It is handed out by its place.
    pub const PLACE: u8 = 6;
}

#[derive(Clone, Copy)]
struct Call {
    name: [u8; LONGEST],
    length: usize,
    roles: [u8; MOST_ARGUMENTS],
}

static mut CALLS: [Call; MOST] = [Call { name: [0; LONGEST], length: 0, roles: [0; MOST_ARGUMENTS] }; MOST];
static mut COUNT: usize = 0;
/// Numbers of calls, plus 1; 0 is a free slot.
static mut TABLE: [u16; SLOTS] = [0; SLOTS];

/// @returns whether there was room, and its lines bring no more names than a record has room for.
pub unsafe fn add(name: *const u8, length: usize, roles: *const u8) -> bool {
    let descriptors = (0..MOST_ARGUMENTS).filter(|&i| matches!(*roles.add(i), role::FD | role::FOLDER)).count();
    if COUNT == MOST || length > LONGEST || descriptors > MOST_DESCRIPTORS {
        return false;
    }
    let call = &mut CALLS[COUNT];
    core::ptr::copy_nonoverlapping(name, call.name.as_mut_ptr(), length);
    core::ptr::copy_nonoverlapping(roles, call.roles.as_mut_ptr(), MOST_ARGUMENTS);
    call.length = length;
    let mut slot = hash(name, length) as usize & (SLOTS - 1);
    while TABLE[slot] != 0 {
        slot = (slot + 1) & (SLOTS - 1);
    }
    COUNT += 1;
    TABLE[slot] = COUNT as u16;
    true
}

/// The number of a call; −1 when it is none of those that were added.
#[inline(always)]
pub unsafe fn find(name: *const u8, length: usize) -> i32 {
    if length > LONGEST {
        return -1;
    }
    let mut slot = hash(name, length) as usize & (SLOTS - 1);
    loop {
        let entry = *TABLE.get_unchecked(slot) as usize;
        if entry == 0 {
            return -1;
        }
        let call = CALLS.get_unchecked(entry - 1);
        if call.length == length && same(name, call.name.as_ptr(), length) {
            return entry as i32 - 1;
        }
        slot = (slot + 1) & (SLOTS - 1);
    }
}

#[inline(always)]
pub unsafe fn role(call: i32, argument: i32) -> u8 {
    if argument as usize >= MOST_ARGUMENTS {
        return 0;
    }
    *CALLS.get_unchecked(call as usize).roles.get_unchecked(argument as usize)
}
