//! The gimli `addr2line` crate behind a WebAssembly interface of whole columns.
//!
//! One module instance serves one binary: its memory holds the debug sections and what was parsed of them, and goes
//! when the instance goes. The host writes sections straight into the instance's memory (`allocate`), hands them over
//! (`set_section`), calls `open` once and then `lookup` for whole batches. Results are read through `column`.

use std::borrow::Cow;
use std::collections::HashMap;

use addr2line::{demangle_auto, Context};
use gimli::{EndianSlice, Reader, RunTimeEndian, SectionId};

type Slice = EndianSlice<'static, RunTimeEndian>;

/// Sections by the number that the host gives them; the host holds the same list. Numbers from `SUPPLEMENTARY` on mean
/// the same sections of the supplementary file that `.gnu_debugaltlink` names (made by `dwz`).
const SECTIONS: [SectionId; 12] = [
    SectionId::DebugAbbrev,
    SectionId::DebugAddr,
    SectionId::DebugAranges,
    SectionId::DebugInfo,
    SectionId::DebugLine,
    SectionId::DebugLineStr,
    SectionId::DebugRanges,
    SectionId::DebugRngLists,
    SectionId::DebugStr,
    SectionId::DebugStrOffsets,
    SectionId::DebugTypes,
    SectionId::DebugLoc,
];
const SUPPLEMENTARY: usize = 100;

/// No function, no file.
const NONE: u32 = u32::MAX;
/// A name longer than this is no name.
const LONGEST_NAME: usize = 1 << 16;

#[derive(Default)]
struct Names {
    /// Raw name to index: each name is demangled once.
    by_raw: HashMap<Vec<u8>, u32>,
    by_path: HashMap<String, u32>,
    text: Vec<u8>,
    /// End of each name in `text`.
    ends: Vec<u32>,
}

impl Names {
    fn push(&mut self, name: &str) -> u32 {
        self.text.extend_from_slice(name.as_bytes());
        self.ends.push(self.text.len() as u32);
        (self.ends.len() - 1) as u32
    }

    fn function(&mut self, raw: &[u8]) -> u32 {
        if let Some(index) = self.by_raw.get(raw) {
            return *index;
        }
        let index = self.push(&readable(raw));
        self.by_raw.insert(raw.to_vec(), index);
        index
    }

    fn path(&mut self, path: &str) -> u32 {
        if let Some(index) = self.by_path.get(path) {
            return *index;
        }
        let index = self.push(path);
        self.by_path.insert(path.to_string(), index);
        index
    }
}

/// Demangles C++ and Rust names whatever language the unit claims: compilers name newer standards differently.
fn readable(raw: &[u8]) -> String {
    let text = String::from_utf8_lossy(raw);
    if raw.len() > LONGEST_NAME || !(text.starts_with("_Z") || text.starts_with("_R") || text.starts_with("__Z")) {
        return text.into_owned();
    }
    demangle_auto(Cow::Borrowed(&text), None).into_owned()
}

#[derive(Default)]
struct State {
    sections: HashMap<usize, &'static [u8]>,
    context: Option<Context<Slice>>,
    names: Names,
    /// For each address the index of its first frame; one more at the end.
    first: Vec<u32>,
    function: Vec<u32>,
    file: Vec<u32>,
    line: Vec<u32>,
    position: Vec<u32>,
    error: Vec<u8>,
}

static mut STATE: Option<State> = None;

fn state() -> &'static mut State {
    // A WebAssembly instance has one thread.
    unsafe { STATE.get_or_insert_with(State::default) }
}

/// Memory for the host to write into: a section, a batch of addresses, names to demangle.
#[no_mangle]
pub extern "C" fn allocate(length: usize) -> *mut u8 {
    let mut bytes = Vec::<u8>::with_capacity(length);
    let pointer = bytes.as_mut_ptr();
    std::mem::forget(bytes);
    pointer
}

/// Gives memory of `allocate` back. Sections must stay.
///
/// # Safety
/// `pointer` and `length` must be those of one `allocate`.
#[no_mangle]
pub unsafe extern "C" fn release(pointer: *mut u8, length: usize) {
    drop(Vec::from_raw_parts(pointer, 0, length));
}

/// # Safety
/// `pointer` must come from `allocate` with at least `length` bytes, all written.
#[no_mangle]
pub unsafe extern "C" fn set_section(number: usize, pointer: *const u8, length: usize) {
    state().sections.insert(number, std::slice::from_raw_parts(pointer, length));
}

/// Prepares lookups from the sections that were set. Returns 0, or 1 with the reason in column 6.
#[no_mangle]
pub extern "C" fn open(big_endian: u32) -> u32 {
    let endian = if big_endian == 0 { RunTimeEndian::Little } else { RunTimeEndian::Big };
    let state = state();
    match load(&state.sections, endian) {
        Ok(context) => {
            state.context = Some(context);
            0
        }
        Err(error) => {
            state.error = error.to_string().into_bytes();
            1
        }
    }
}

fn load(sections: &HashMap<usize, &'static [u8]>, endian: RunTimeEndian) -> Result<Context<Slice>, gimli::Error> {
    let find = |id: SectionId, base: usize| -> Result<Slice, gimli::Error> {
        let number = SECTIONS.iter().position(|known| *known == id);
        let bytes = number.and_then(|number| sections.get(&(number + base))).copied().unwrap_or(&[]);
        Ok(EndianSlice::new(bytes, endian))
    };
    let mut dwarf = gimli::Dwarf::load(|id| find(id, 0))?;
    if sections.keys().any(|number| *number >= SUPPLEMENTARY) {
        dwarf.load_sup(|id| find(id, SUPPLEMENTARY))?;
    }
    Context::from_dwarf(dwarf)
}

/// Looks `count` addresses (64-bit floating point numbers) up and replaces the columns by the result.
///
/// # Safety
/// `addresses` must point to `count` numbers.
#[no_mangle]
pub unsafe extern "C" fn lookup(addresses: *const f64, count: usize) {
    let state = state();
    state.first.clear();
    state.function.clear();
    state.file.clear();
    state.line.clear();
    state.position.clear();
    let context = match &state.context {
        Some(context) => context,
        None => return,
    };
    for address in std::slice::from_raw_parts(addresses, count) {
        state.first.push(state.line.len() as u32);
        // An address that cannot be looked up has no frames; the others are not concerned.
        let mut frames = match context.find_frames(*address as u64) {
            Ok(frames) => frames,
            Err(_) => continue,
        };
        while let Ok(Some(frame)) = frames.next() {
            let function = match frame.function.as_ref().map(|function| function.name.to_slice()) {
                Some(Ok(raw)) => state.names.function(&raw),
                _ => NONE,
            };
            let (file, line, column) = match frame.location {
                Some(place) => (
                    place.file.map_or(NONE, |path| state.names.path(path)),
                    place.line.unwrap_or(0),
                    place.column.unwrap_or(0),
                ),
                None => (NONE, 0, 0),
            };
            state.function.push(function);
            state.file.push(file);
            state.line.push(line);
            state.position.push(column);
        }
    }
    state.first.push(state.line.len() as u32);
}

/// Demangles names that stand one behind the other, each ended by a newline; column 1 gets their indices.
///
/// # Safety
/// `text` must point to `length` bytes.
#[no_mangle]
pub unsafe extern "C" fn demangle(text: *const u8, length: usize) {
    let state = state();
    state.function.clear();
    for raw in std::slice::from_raw_parts(text, length).split(|byte| *byte == b'\n') {
        let name = state.names.function(raw);
        state.function.push(name);
    }
}

/// Pointer to a result column: 0 first, 1 function, 2 file, 3 line, 4 column, 5 ends of names, 6 error, 7 text of names.
#[no_mangle]
pub extern "C" fn column(number: u32) -> *const u8 {
    let state = state();
    match number {
        0 => state.first.as_ptr().cast(),
        1 => state.function.as_ptr().cast(),
        2 => state.file.as_ptr().cast(),
        3 => state.line.as_ptr().cast(),
        4 => state.position.as_ptr().cast(),
        5 => state.names.ends.as_ptr().cast(),
        6 => state.error.as_ptr(),
        _ => state.names.text.as_ptr(),
    }
}

/// Number of elements of a result column.
#[no_mangle]
pub extern "C" fn column_length(number: u32) -> usize {
    let state = state();
    match number {
        0 => state.first.len(),
        1 => state.function.len(),
        2 => state.file.len(),
        3 => state.line.len(),
        4 => state.position.len(),
        5 => state.names.ends.len(),
        6 => state.error.len(),
        _ => state.names.text.len(),
    }
}
