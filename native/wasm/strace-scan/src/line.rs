//! One line of strace text. Each function gives `None` where the line is not usual.

use crate::bytes::*;
use crate::calls::{self, role};
use crate::names;
use crate::record::{kind, seen, Place, Record, MOST_PLACES};

const UNFINISHED: &[u8] = b"<unfinished ...>";
const STARTS_RESUMED: &[u8] = b"<... ";
const RESUMED: &[u8] = b" resumed>";
const WORKING: &[u8] = b"AT_FDCWD";
/// `fd` of AT_FDCWD.
const WORKING_FOLDER: i32 = -100;
/// Digits of numbers that are exact.
const MOST_DIGITS: usize = 15;
const DIGITS_OF_PID: usize = 8;
const LARGEST_PID: i32 = 4_194_304;
const DIGITS_OF_FD: usize = 9;

const DESCRIPTORS: usize = 1 << 12;
/// The decoration that a process's descriptor had when it was seen last, plus 1: most often it has it again.
static mut DECORATIONS: [i32; DESCRIPTORS] = [0; DESCRIPTORS];

const PROCESSES: usize = 1 << 12;
#[derive(Clone, Copy)]
struct Begun {
    /// Plus 1.
    pid: i32,
    call: i32,
    state: i32,
}
/// The call that a process is in, by the process's last digits. Whoever takes a record of a second half compares.
static mut BEGUN: [Begun; PROCESSES] = [Begun { pid: 0, call: 0, state: 0 }; PROCESSES];

/// The seconds that were read last, as they were printed.
struct Seconds {
    first: u64,
    last: u16,
    value: i32,
}
static mut SECONDS: Seconds = Seconds { first: 0, last: 0, value: 0 };

pub unsafe fn forget_names() {
    DECORATIONS.fill(0);
}

/// Fills the record of the line between `from` and `end`. @returns whether the line is usual.
pub unsafe fn read(text: *const u8, from: usize, end: usize, record: &mut Record) -> bool {
    read_line(&Line { text, end }, from, record).is_some()
}

/// Text up to where it is read.
struct Line {
    text: *const u8,
    end: usize,
}

unsafe fn read_line(line: &Line, from: usize, record: &mut Record) -> Option<()> {
    let at = line.prefix(from, record)?;
    record.seen = 0;
    record.place_count = 0;
    let first = line.byte(at);
    if first == b'<' {
        return line.second_half(at, record);
    }
    let open = end_of_name(line.text, at, line.end);
    if open == at || open >= line.end || line.byte(open) != b'(' {
        return None;
    }
    record.call = calls::find(line.text.add(at), open - at);
    if record.call < 0 {
        return None;
    }
    // Most lines that end in `>` end in a duration.
    if line.byte(line.end - 1) == b'>' && line.byte(line.end - 2) == b'.' {
        return line.first_half(open + 1, record);
    }
    let after = line.arguments(open + 1, &mut 1, record)??;
    line.result(after, record)?;
    record.kind = kind::WHOLE;
    Some(())
}

impl Line {
    #[inline(always)]
    unsafe fn byte(&self, at: usize) -> u8 {
        *self.text.add(at)
    }

    /// `123  1795252180.926168 `, `[pid   123] 12:00:00.926168 `, also without the pid. @returns the position behind it.
    #[inline(always)]
    unsafe fn prefix(&self, from: usize, record: &mut Record) -> Option<usize> {
        let (pid, at) = self.pid(from)?;
        record.pid = pid;
        // Ten digits of seconds, six of microseconds, a blank on each side; or eight with colons.
        if at + 18 >= self.end {
            return None;
        }
        let point = if self.byte(at + 2) == b':' { at + 8 } else { at + 10 };
        if self.byte(point) != b'.' || self.byte(point + 7) != b' ' {
            return None;
        }
        // Larger numbers in front of a time of day are no pids.
        if point == at + 8 && pid > LARGEST_PID {
            return None;
        }
        record.is_time_of_day = (point == at + 8) as i32;
        record.seconds = if point == at + 8 { self.time_of_day(at)? } else { self.seconds(at)? };
        record.microseconds = six_digits(self.text, point + 1)? as i32;
        let next = self.byte(point + 8);
        if next == b'<' || next == b'_' || next.is_ascii_alphabetic() {
            Some(point + 8)
        } else {
            None
        }
    }

    /// @returns the pid, −1 where there is none, and the position of the time behind it.
    #[inline(always)]
    unsafe fn pid(&self, from: usize) -> Option<(i32, usize)> {
        let in_brackets = starts_with(self.text, from, self.end, b"[pid ");
        let first = if in_brackets { skip_blanks(self.text, from + 5, self.end) } else { from };
        let mut at = first;
        let mut pid = 0;
        while at < self.end && is_digit(self.byte(at)) && at < first + DIGITS_OF_PID {
            pid = pid * 10 + (self.byte(at) - b'0') as i32;
            at += 1;
        }
        if at == first || at >= self.end {
            return None;
        }
        if in_brackets {
            let is_closed = self.byte(at) == b']' && self.byte(at + 1) == b' ';
            return if is_closed { Some((pid, at + 2)) } else { None };
        }
        match self.byte(at) {
            b' ' => Some((pid, skip_blanks(self.text, at, self.end))),
            b':' if at == from + 2 => Some((-1, from)),
            _ if at == from + DIGITS_OF_PID => Some((-1, from)),
            _ => None,
        }
    }

    /// `12:00:59`, in seconds.
    unsafe fn time_of_day(&self, at: usize) -> Option<i32> {
        let mut value = 0;
        for (place, below) in [(at, 24), (at + 3, 60), (at + 6, 61)] {
            let tens = self.byte(place).wrapping_sub(b'0') as i32;
            let ones = self.byte(place + 1).wrapping_sub(b'0') as i32;
            if tens > 9 || ones > 9 || tens * 10 + ones >= below {
                return None;
            }
            value = value * 60 + tens * 10 + ones;
        }
        if self.byte(at + 5) == b':' {
            Some(value)
        } else {
            None
        }
    }

    /// Ten digits, from 1973 to 2033: what is beyond them is unusual.
    #[inline(always)]
    unsafe fn seconds(&self, at: usize) -> Option<i32> {
        let first = core::ptr::read_unaligned(self.text.add(at) as *const u64);
        let last = core::ptr::read_unaligned(self.text.add(at + 8) as *const u16);
        // Most lines have those of the line before.
        if first == SECONDS.first && last == SECONDS.last {
            return Some(SECONDS.value);
        }
        let mut value = 0u32;
        for i in at..at + 10 {
            let digit = self.byte(i).wrapping_sub(b'0');
            if digit > 9 {
                return None;
            }
            value = value.wrapping_mul(10).wrapping_add(digit as u32);
        }
        let is_usual = self.byte(at) < b'2' && value >= 100_000_000;
        if !is_usual {
            return None;
        }
        SECONDS = Seconds { first, last, value: value as i32 };
        Some(value as i32)
    }

    unsafe fn first_half(&self, from: usize, record: &mut Record) -> Option<()> {
        let mut cut = self.end.checked_sub(UNFINISHED.len())?;
        if cut < from || !starts_with(self.text, cut, self.end, UNFINISHED) {
            return None;
        }
        while cut > from && self.byte(cut - 1) == b' ' {
            cut -= 1;
        }
        let mut state = 1;
        Line { text: self.text, end: cut }.arguments(from, &mut state, record)?;
        record.state = state;
        record.kind = kind::BEGUN;
        BEGUN[record.pid as usize & (PROCESSES - 1)] = Begun { pid: record.pid + 1, call: record.call, state };
        Some(())
    }

    unsafe fn second_half(&self, from: usize, record: &mut Record) -> Option<()> {
        if !starts_with(self.text, from, self.end, STARTS_RESUMED) {
            return None;
        }
        let name = from + STARTS_RESUMED.len();
        let name_end = end_of_name(self.text, name, self.end);
        if !starts_with(self.text, name_end, self.end, RESUMED) {
            return None;
        }
        record.call = calls::find(self.text.add(name), name_end - name);
        let begun = &mut BEGUN[record.pid as usize & (PROCESSES - 1)];
        if record.call < 0 || begun.pid != record.pid + 1 || begun.call != record.call {
            return None;
        }
        begun.pid = 0;
        record.state_before = begun.state;
        let mut state = begun.state;
        let after = self.arguments(name_end + RESUMED.len(), &mut state, record)??;
        self.result(after, record)?;
        record.state = state;
        record.kind = kind::RESUMED;
        Some(())
    }

    /// Reads arguments from `from` on, by the roles that the call gives them.
    /// @param state as in the record; of the text that goes on.
    /// @returns the position behind the closing `)`; None inside when the text ends before it.
    #[inline(never)]
    unsafe fn arguments(&self, from: usize, state: &mut i32, record: &mut Record) -> Option<Option<usize>> {
        let Line { text, end } = *self;
        let mut argument = *state >> 1;
        let mut at = skip_blanks(text, from, end);
        if *state & 1 == 0 {
            // It goes on behind an argument, or inside one: `[0]` … ` => [50], 50) = 50`.
            at = end_of_argument(text, at, end);
            if at < end && self.byte(at) == b',' {
                at += 1;
            }
        }
        loop {
            at = skip_blanks(text, at, end);
            if at >= end {
                *state = argument * 2 + 1;
                return Some(None);
            }
            let first = self.byte(at);
            let role = calls::role(record.call, argument);
            let stop = if first == b',' || first == b')' {
                at
            } else if role == 0 || role == role::PLACE {
                let stop = end_of_argument(text, at, end);
                if role != 0 && stop > at {
                    self.place(argument, at, stop, record)?;
                }
                stop
            } else {
                let stop = self.value(role, at, record)?;
                if stop < end && self.byte(stop) != b',' && self.byte(stop) != b')' {
                    return None;
                }
                stop
            };
            argument += 1;
            if stop >= end {
                *state = argument * 2;
                return Some(None);
            }
            at = stop + 1;
            if self.byte(stop) == b')' {
                *state = argument * 2 + 1;
                return Some(Some(at));
            }
        }
    }

    unsafe fn place(&self, argument: i32, from: usize, end: usize, record: &mut Record) -> Option<()> {
        let count = record.place_count as usize;
        if count == MOST_PLACES {
            return None;
        }
        record.places[count] = Place { argument, from: from as i32, end: end as i32 };
        record.place_count += 1;
        Some(())
    }

    /// Reads an argument that the record has a field for. @returns the position behind it.
    #[inline(always)]
    unsafe fn value(&self, role: u8, from: usize, record: &mut Record) -> Option<usize> {
        match role {
            role::FD => {
                record.seen |= seen::FD;
                let (fd, decoration, stop) = self.descriptor(from, record.pid)?;
                record.fd = fd;
                record.decoration = decoration;
                Some(stop)
            }
            role::FOLDER => {
                record.seen |= seen::FOLDER;
                let (fd, decoration, stop) = self.descriptor(from, record.pid)?;
                record.folder = fd;
                record.folder_decoration = decoration;
                Some(stop)
            }
            role::SIZE => {
                record.seen |= seen::SIZE;
                let (value, stop) = self.number(from, MOST_DIGITS)?;
                record.size = value as f64;
                Some(stop)
            }
            role::OFFSET => {
                record.seen |= seen::OFFSET;
                let is_negative = self.byte(from) == b'-';
                let (value, stop) = self.number(from + is_negative as usize, MOST_DIGITS)?;
                record.offset = if is_negative { -(value as f64) } else { value as f64 };
                Some(stop)
            }
            role::WHENCE => {
                record.seen |= seen::WHENCE;
                record.whence = match () {
                    _ if starts_with(self.text, from, self.end, b"SEEK_SET") => 0,
                    _ if starts_with(self.text, from, self.end, b"SEEK_CUR") => 1,
                    _ if starts_with(self.text, from, self.end, b"SEEK_END") => 2,
                    _ => return None,
                };
                Some(from + 8)
            }
            _ => None,
        }
    }

    /// Decimal digits, at most `most`.
    #[inline(always)]
    unsafe fn number(&self, from: usize, most: usize) -> Option<(u64, usize)> {
        let mut at = from;
        let mut value = 0;
        while at < self.end && is_digit(self.byte(at)) {
            value = value * 10 + (self.byte(at) - b'0') as u64;
            at += 1;
            if at - from > most {
                return None;
            }
        }
        // `0x` is a number of another kind.
        if at == from || self.byte(at) | 32 == b'x' {
            return None;
        }
        Some((value, at))
    }

    /// `3`, `3</path>`, `AT_FDCWD</cwd>`. @returns number, decoration, position behind it.
    #[inline(always)]
    unsafe fn descriptor(&self, from: usize, pid: i32) -> Option<(i32, i32, usize)> {
        let (fd, at) = if starts_with(self.text, from, self.end, WORKING) {
            (WORKING_FOLDER, from + WORKING.len())
        } else {
            let (fd, at) = self.number(from, DIGITS_OF_FD)?;
            (fd as i32, at)
        };
        if at >= self.end || self.byte(at) != b'<' {
            return Some((fd, names::NONE, at));
        }
        let last = &mut DECORATIONS[(fd.wrapping_add(pid.wrapping_mul(61))) as usize & (DESCRIPTORS - 1)];
        if *last > 0 {
            let close = at + 1 + names::length_of(*last - 1);
            if close + 1 < self.end
                && self.byte(close) == b'>'
                && can_follow_decoration(self.byte(close + 1))
                && names::begins_with(self.text.add(at + 1), *last - 1)
            {
                return Some((fd, *last - 1, close + 1));
            }
        }
        let (close, is_certain) = end_of_decoration(self.text, at, self.end);
        if !is_certain {
            return None;
        }
        let decoration = names::intern(self.text.add(at + 1), close - at - 1);
        *last = decoration + 1;
        Some((fd, decoration, close + 1))
    }

    /// ` = 5 <0.000012>`, ` = 3</path> <0.000012>`, ` = -1 ENOENT (No such file) <0.000012>`, also without the duration.
    #[inline(never)]
    unsafe fn result(&self, from: usize, record: &mut Record) -> Option<()> {
        let at = skip_blanks(self.text, from, self.end);
        if at >= self.end || self.byte(at) != b'=' {
            return None;
        }
        let at = skip_blanks(self.text, at + 1, self.end);
        if at >= self.end {
            return None;
        }
        record.duration = self.duration(at)?;
        record.result_decoration = names::NONE;
        record.error = names::NONE;
        let is_negative = self.byte(at) == b'-';
        let (value, stop) = self.number(at + is_negative as usize, MOST_DIGITS)?;
        if is_negative && value == 0 {
            return None;
        }
        record.result = if is_negative { -(value as f64) } else { value as f64 };
        if stop < self.end && self.byte(stop) == b'<' {
            let (_, decoration, _) = self.descriptor(at, record.pid)?;
            record.result_decoration = decoration;
        } else if is_negative {
            let error = skip_blanks(self.text, stop, self.end);
            if error < self.end && self.byte(error) == b'E' {
                record.error = names::intern(self.text.add(error), find(self.text, error, self.end, b' ') - error);
            }
        }
        Some(())
    }

    /// `<0.000123>` at the end of the line, in microseconds; −1 when the line does not end in `>`.
    #[inline(always)]
    unsafe fn duration(&self, from: usize) -> Option<i32> {
        let end = self.end;
        if self.byte(end - 1) != b'>' {
            return Some(-1);
        }
        if end - from <= 10 || self.byte(end - 10) != b'<' || self.byte(end - 8) != b'.' {
            return None;
        }
        let seconds = self.byte(end - 9).wrapping_sub(b'0');
        if seconds > 9 {
            return None;
        }
        Some(seconds as i32 * 1_000_000 + six_digits(self.text, end - 7)? as i32)
    }
}
