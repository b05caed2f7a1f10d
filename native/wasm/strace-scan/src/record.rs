//! What is handed out of a line. The other side (`src/core/strace-scan.ts`) reads the fields by their places.

/// Kinds of lines.
pub mod kind {
    /// Whatever is not usual: it is read elsewhere.
    pub const OTHER: i32 = 0;
    /// A call with its return.
    pub const WHOLE: i32 = 1;
    /// The first half of a call.
    pub const BEGUN: i32 = 2;
    /// The second half of a call.
    pub const RESUMED: i32 = 3;
    /// A block of lines: the frames of a call stack. Its name is in `decoration`.
    pub const FRAMES: i32 = 4;
}

/// Bits of `seen`: which of the fields behind it hold something.
pub mod seen {
    pub const FD: i32 = 1;
    pub const FOLDER: i32 = 2;
    pub const SIZE: i32 = 4;
    pub const OFFSET: i32 = 8;
    pub const WHENCE: i32 = 16;
}

pub const MOST_PLACES: usize = 2;

/// An argument by its place in the window.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Place {
    pub argument: i32,
    pub from: i32,
    pub end: i32,
}

/// Names are numbers of `names.rs`, −1 for none.
#[derive(Clone, Copy)]
#[repr(C)]
pub struct Record {
    pub kind: i32,
    /// The line in the window, without its end.
    pub from: i32,
    pub end: i32,
    /// −1 when the line has none.
    pub pid: i32,
    pub seconds: i32,
    pub microseconds: i32,
    /// Number of the call, in the order in which they were made known.
    pub call: i32,
    /// RESUMED: `state` of the first half, as it was assumed.
    pub state_before: i32,
    /// How far the arguments were read: their number, times two, plus one when the next begins a new argument.
    pub state: i32,
    pub seen: i32,
    pub fd: i32,
    pub decoration: i32,
    pub folder: i32,
    pub folder_decoration: i32,
    /// 0, 1, 2: from the beginning, from here, from the end.
    pub whence: i32,
    /// Microseconds; −1 when the line has none.
    pub duration: i32,
    pub result_decoration: i32,
    pub error: i32,
    pub place_count: i32,
    pub places: [Place; MOST_PLACES],
    /// 1 when the seconds count from midnight.
    pub is_time_of_day: i32,
    pub size: f64,
    pub offset: f64,
    pub result: f64,
}

pub const EMPTY: Record = Record {
    kind: 0,
    from: 0,
    end: 0,
    pid: 0,
    seconds: 0,
    microseconds: 0,
    call: 0,
    state_before: 0,
    state: 0,
    seen: 0,
    fd: 0,
    decoration: 0,
    folder: 0,
    folder_decoration: 0,
    whence: 0,
    duration: 0,
    result_decoration: 0,
    error: 0,
    place_count: 0,
    places: [Place { argument: 0, from: 0, end: 0 }; MOST_PLACES],
    is_time_of_day: 0,
    size: 0.0,
    offset: 0.0,
    result: 0.0,
};
