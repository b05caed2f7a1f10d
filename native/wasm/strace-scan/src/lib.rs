//! Reads the usual lines of strace text into records of numbers; every other line is handed back by its place. What goes in
//! and out, and what "usual" is: README.md.
#![no_std]

mod bytes;
mod calls;
mod line;
mod names;
mod record;

use bytes::{find, starts_with, NEWLINE};
use record::{kind, Record};

#[panic_handler]
fn panic(_: &core::panic::PanicInfo) -> ! {
    core::arch::wasm32::unreachable()
}

/// Bytes of text that are looked at at once.
pub const WINDOW: usize = 1 << 17;
const MOST_RECORDS: usize = 1024;
/// Steps of 16 bytes and comparisons may read so far behind the text.
const SLACK: usize = 64;
/// Two decorations of arguments, and that of the result or an error.
const NAMES_OF_RECORD: usize = 3;
const FRAME: &[u8] = b" > ";

#[repr(align(16))]
struct Text([u8; WINDOW + SLACK]);
static mut TEXT: Text = Text([0; WINDOW + SLACK]);
static mut RECORDS: [Record; MOST_RECORDS] = [record::EMPTY; MOST_RECORDS];
static mut NEW_CALL: [u8; calls::MOST_ARGUMENTS + calls::LONGEST + SLACK] = [0; calls::MOST_ARGUMENTS + calls::LONGEST + SLACK];
static mut FORGOTTEN: u32 = 0;
static mut STOPPED: usize = 0;
/// The block of frames that came behind the last one the time before.
static mut FOLLOWERS: [i32; names::MOST] = [0; names::MOST];
static mut LAST_BLOCK: i32 = names::NONE;

/// Where the text is written to: `WINDOW` bytes.
#[no_mangle]
pub unsafe extern "C" fn window() -> *mut u8 {
    TEXT.0.as_mut_ptr()
}

#[no_mangle]
pub unsafe extern "C" fn records() -> *const Record {
    RECORDS.as_ptr()
}

/// How often the numbers of names began anew.
#[no_mangle]
pub unsafe extern "C" fn forgotten() -> u32 {
    FORGOTTEN
}

/// Where the last scan stopped.
#[no_mangle]
pub unsafe extern "C" fn stopped() -> usize {
    STOPPED
}

/// Where a call that is to be made known is written to: its roles, then its name.
#[no_mangle]
pub unsafe extern "C" fn new_call() -> *mut u8 {
    NEW_CALL.as_mut_ptr()
}

/// Makes a call known that the lines from now on may have. @returns whether there was room for it.
#[no_mangle]
pub unsafe extern "C" fn add_call(length: usize) -> u32 {
    calls::add(NEW_CALL.as_ptr().add(calls::MOST_ARGUMENTS), length, NEW_CALL.as_ptr()) as u32
}

/// Fills the records with whole lines from `from` on. A block of frames whose end is not certain is left, as is a line
/// without one; what stands at `end` counts as the beginning of a line when `is_boundary`.
/// @returns the number of records.
#[no_mangle]
pub unsafe extern "C" fn scan(from: usize, end: usize, is_boundary: u32) -> usize {
    let text = TEXT.0.as_ptr();
    if names::make_room(MOST_RECORDS * NAMES_OF_RECORD) {
        FORGOTTEN += 1;
        LAST_BLOCK = names::NONE;
        FOLLOWERS.fill(0);
        line::forget_names();
    }
    let (mut at, mut count) = (from, 0);
    while at < end && count < MOST_RECORDS {
        let record = RECORDS.get_unchecked_mut(count);
        record.from = at as i32;
        if starts_with(text, at, end, FRAME) {
            let stop = block(text, at, end, is_boundary != 0, record);
            if stop == at {
                break;
            }
            at = stop;
        } else {
            let newline = find(text, at, end, NEWLINE);
            if newline == end {
                break;
            }
            let stop = if newline > at && *text.add(newline - 1) == b'\r' { newline - 1 } else { newline };
            record.end = stop as i32;
            record.kind = if line::read(text, at, stop, record) { record.kind } else { kind::OTHER };
            at = newline + 1;
        }
        count += 1;
    }
    STOPPED = at;
    count
}

/// Reads the block of frame lines at `from`. @returns the position behind it, `from` when its end is not in the window.
unsafe fn block(text: *const u8, from: usize, end: usize, is_boundary: bool, record: &mut Record) -> usize {
    let ends_at = |stop: usize| {
        if stop + FRAME.len() <= end {
            !starts_with(text, stop, end, FRAME)
        } else {
            stop == end && is_boundary
        }
    };
    let mut name = names::NONE;
    let mut stop = from;
    let known = names::count();
    if LAST_BLOCK != names::NONE {
        let expected = FOLLOWERS[LAST_BLOCK as usize];
        let length = names::length_of(expected);
        stop = from + length;
        let is_block = stop <= end && *text.add(stop - 1) == NEWLINE && ends_at(stop);
        if is_block && names::begins_with(text.add(from), expected) {
            name = expected;
        }
    }
    if name == names::NONE {
        stop = from;
        loop {
            let newline = find(text, stop, end, NEWLINE);
            if newline == end {
                return from;
            }
            stop = newline + 1;
            if ends_at(stop) {
                break;
            }
            if stop + FRAME.len() > end {
                return from;
            }
        }
        name = names::intern(text.add(from), stop - from);
    }
    if LAST_BLOCK != names::NONE {
        FOLLOWERS[LAST_BLOCK as usize] = name;
    }
    // A new one is expected to come again.
    if name as usize == known {
        FOLLOWERS[name as usize] = name;
    }
    LAST_BLOCK = name;
    record.kind = kind::FRAMES;
    record.end = stop as i32;
    record.decoration = name;
    stop
}

/// Where the bytes of the names stand.
#[no_mangle]
pub unsafe extern "C" fn name_bytes() -> *const u8 {
    names::places().0
}

/// Where each name begins in them, and where the last ends.
#[no_mangle]
pub unsafe extern "C" fn name_starts() -> *const u32 {
    names::places().1
}
