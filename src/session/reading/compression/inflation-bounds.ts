/** With less than this left in the window more is read (bytes): short streams then stand in it as a whole. */
export const LOW_WINDOW = 1 << 16;
/** A stream that unpacks to more is unpacked in pieces (bytes). */
export const AT_ONCE_BYTES = 1 << 20;
/** Bytes in which a long stream is unpacked. */
export const CHUNK_BYTES = 1 << 18;
