//! Searching in the window, 16 bytes a step. Behind the window's end there are 16 bytes more, so a step never leaves it.
//! The functions of `src/readers/text/bytes.ts` have the same names there, and the same results.

use core::arch::wasm32::*;

pub const NEWLINE: u8 = b'\n';

#[inline(always)]
pub fn is_digit(byte: u8) -> bool {
    byte.wrapping_sub(b'0') < 10
}

/// One bit for each of the 16 bytes at `at` that is `byte`.
#[inline(always)]
unsafe fn equal(text: *const u8, at: usize, byte: u8) -> u32 {
    u8x16_bitmask(u8x16_eq(v128_load(text.add(at) as *const v128), u8x16_splat(byte))) as u32
}

/// Position of the first `byte` from `at` on; `end` when there is none before it.
#[inline(always)]
pub unsafe fn find(text: *const u8, mut at: usize, end: usize, byte: u8) -> usize {
    while at < end {
        let mask = equal(text, at, byte);
        if mask != 0 {
            return (at + mask.trailing_zeros() as usize).min(end);
        }
        at += 16;
    }
    end
}

/// Whether `length` bytes are the same; either side may be read up to 15 bytes further.
#[inline(always)]
pub unsafe fn same(a: *const u8, b: *const u8, length: usize) -> bool {
    let mut at = 0;
    while at < length {
        let equal = u8x16_eq(v128_load(a.add(at) as *const v128), v128_load(b.add(at) as *const v128));
        let differing = !(u8x16_bitmask(equal) as u32) & 0xffff;
        if differing != 0 {
            return at + differing.trailing_zeros() as usize >= length;
        }
        at += 16;
    }
    true
}

#[inline(always)]
pub unsafe fn hash(text: *const u8, length: usize) -> u32 {
    let mut sum: u64 = 0x9e37_79b9_7f4a_7c15 ^ length as u64;
    let mut at = 0;
    while at + 8 <= length {
        sum = (sum ^ core::ptr::read_unaligned(text.add(at) as *const u64)).wrapping_mul(0xff51_afd7_ed55_8ccd);
        sum ^= sum >> 32;
        at += 8;
    }
    while at < length {
        sum = (sum ^ *text.add(at) as u64).wrapping_mul(0x0100_0000_01b3);
        at += 1;
    }
    (sum ^ (sum >> 29)) as u32
}

#[inline(always)]
pub unsafe fn starts_with(text: *const u8, at: usize, end: usize, word: &[u8]) -> bool {
    end >= at + word.len() && {
        let mut i = 0;
        while i < word.len() && *text.add(at + i) == *word.get_unchecked(i) {
            i += 1;
        }
        i == word.len()
    }
}

/// Six decimal digits; None when one of them is none.
#[inline(always)]
pub unsafe fn six_digits(text: *const u8, at: usize) -> Option<u32> {
    let word = core::ptr::read_unaligned(text.add(at) as *const u64) & 0xffff_ffff_ffff;
    let digits = word ^ 0x3030_3030_3030;
    if (digits | digits.wrapping_add(0x7676_7676_7676)) & 0x8080_8080_8080 != 0 {
        return None;
    }
    // Pairs, then hundreds, all at once.
    let pairs = (digits * 10 + (digits >> 8)) & 0x00ff_00ff_00ff;
    Some((pairs as u32 & 0xff) * 10_000 + (pairs as u32 >> 16) * 100 + (pairs >> 32) as u32)
}

/// Position of the first byte from `at` on that no name has (letters, digits, `_`); `end` when there is none before it.
#[inline(always)]
pub unsafe fn end_of_name(text: *const u8, mut at: usize, end: usize) -> usize {
    while at < end {
        let bytes = v128_load(text.add(at) as *const v128);
        let letters = u8x16_lt(u8x16_sub(v128_or(bytes, u8x16_splat(32)), u8x16_splat(b'a')), u8x16_splat(26));
        let digits = u8x16_lt(u8x16_sub(bytes, u8x16_splat(b'0')), u8x16_splat(10));
        let lines = u8x16_eq(bytes, u8x16_splat(b'_'));
        let others = !(u8x16_bitmask(v128_or(v128_or(letters, digits), lines)) as u32) & 0xffff;
        if others != 0 {
            return (at + others.trailing_zeros() as usize).min(end);
        }
        at += 16;
    }
    end
}

#[inline(always)]
pub unsafe fn skip_blanks(text: *const u8, mut at: usize, end: usize) -> usize {
    while at < end && *text.add(at) == b' ' {
        at += 1;
    }
    at
}

/// Position behind the closing quote of the string that begins at `from`; `end` when it is never closed.
#[inline(always)]
pub unsafe fn end_of_string(text: *const u8, from: usize, end: usize) -> usize {
    let mut at = from + 1;
    'blocks: while at < end {
        let quotes = equal(text, at, b'"');
        let mut special = quotes | equal(text, at, b'\\');
        while special != 0 {
            let bit = special.trailing_zeros();
            if quotes >> bit & 1 != 0 {
                return (at + bit as usize + 1).min(end);
            }
            if bit == 15 {
                at += 17;
                continue 'blocks;
            }
            // What is escaped is passed over.
            special &= !(3 << bit);
        }
        at += 16;
    }
    end
}

/// What the syntax allows behind a decoration.
#[inline(always)]
pub fn can_follow_decoration(byte: u8) -> bool {
    matches!(byte, b',' | b')' | b']' | b'}' | b'(' | b'=' | b'|' | b' ' | b'\r' | b'\n')
}

/// Position of the `>` that closes the decoration whose `<` stands at `from`, `end` when it is never closed; and whether that is
/// certain, whatever follows.
#[inline(never)]
pub unsafe fn end_of_decoration(text: *const u8, from: usize, end: usize) -> (usize, bool) {
    let is_path = from + 1 < end && *text.add(from + 1) == b'/';
    let (mut depth, mut brackets, mut fallback, mut at) = (0, 0, end, from);
    while at < end {
        match *text.add(at) {
            b'\\' => at += 1,
            b'<' => depth += 1,
            b'[' if !is_path => brackets += 1,
            b']' if !is_path => brackets -= 1,
            b'>' if brackets <= 0 || *text.add(at - 1) != b'-' => {
                let closes = at + 1 >= end || can_follow_decoration(*text.add(at + 1));
                depth -= 1;
                if depth <= 0 && closes {
                    return (at, true);
                }
                if closes && fallback == end {
                    fallback = at;
                }
            }
            _ => {}
        }
        at += 1;
    }
    (fallback, false)
}

/// Position of the `,` or `)` that ends the argument at `from`, or `end`. Strings, brackets, decorations are skipped.
#[inline(never)]
pub unsafe fn end_of_argument(text: *const u8, from: usize, end: usize) -> usize {
    let (mut depth, mut at) = (0, from);
    while at < end {
        match *text.add(at) {
            b',' if depth == 0 => return at,
            b'"' => {
                at = end_of_string(text, at, end);
                continue;
            }
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' if depth == 0 => return at,
            b')' | b']' | b'}' => depth -= 1,
            b'<' if at + 1 < end && *text.add(at + 1) == b'<' => at += 1,
            b'<' => {
                let (close, _) = end_of_decoration(text, at, end);
                if close < end {
                    at = close;
                }
            }
            _ => {}
        }
        at += 1;
    }
    end
}
