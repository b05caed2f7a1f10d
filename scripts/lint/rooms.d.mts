/** A room: which others it may use, and which of them it may only name types of. */
interface Room {
  readonly knows: readonly string[];
  readonly types?: readonly string[];
}

export declare const ROOMS: Readonly<Record<string, Room>>;
