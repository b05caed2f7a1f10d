import type { RecordedFunction } from './recorded-functions.ts';
import type { Identifier, RecordCursor } from './record-cursor.ts';

/** The folder that paths are relative to where none is named (AT_FDCWD). */
const WORKING_FOLDER = -100;

/** What one event says, by the letters of its function's roles (docs/recording-format.md); NaN or 0 where it says nothing. */
export class CallArguments {
  /** `f`, `F` */
  descriptor = NaN;
  otherDescriptor = NaN;
  /** `h`, `H`; 0 for none */
  handle: Identifier = 0;
  otherHandle: Identifier = 0;
  /** `d`, `D` */
  folder = WORKING_FOLDER;
  otherFolder = WORKING_FOLDER;
  /** Numbers of texts: `p`, `P`, `N`; 0 for none */
  path = 0;
  otherPath = 0;
  objectName = 0;
  /** `n`, `b` */
  requested = NaN;
  moved = NaN;
  /** `o`, `O` */
  offset = NaN;
  otherOffset = NaN;
  /** `w`, `l`, `c`, `k`, `v`, `s` */
  whence = NaN;
  flags = NaN;
  communicator = 0;
  kind = NaN;
  value = NaN;
  size = NaN;
  /** `q`; 0 for none */
  request: Identifier = 0;
  /** `e`: bytes, and whether the view has no holes; `t` */
  unit = NaN;
  isContiguous = true;
  displacement = NaN;
  /** `g` */
  isCollective = false;
  /** `i`, `I`: ranks in the communicator, −1 for any, −2 for none; `a`, `A`: tags; `m`, `M`: bytes, −1 unknown */
  peer = NaN;
  otherPeer = NaN;
  tag = NaN;
  otherTag = NaN;
  messageBytes = NaN;
  otherMessageBytes = NaN;
  /** `r` */
  result = NaN;
  errorNumber = 0;
  /** `x` */
  code = 0;

  /** Reads the arguments of an event that the cursor stands in front of. */
  read(called: RecordedFunction, cursor: RecordCursor): void {
    this.clear();
    const { roles } = called;
    for (let i = 0; i < roles.length; i++) this.readOne(roles[i]!, called, cursor);
  }

  private readOne(role: number, called: RecordedFunction, cursor: RecordCursor): void {
    switch (role) {
      case 0x66: // f
        this.descriptor = cursor.signed();
        break;
      case 0x6e: // n
        this.requested = cursor.varint();
        break;
      case 0x6f: // o
        this.offset = cursor.signed();
        break;
      case 0x72: // r
        this.result = cursor.signed();
        if (this.result < 0 && called.hasErrorNumber) this.errorNumber = cursor.varint();
        break;
      case 0x78: // x
        this.code = cursor.signed();
        break;
      case 0x68: // h
        this.handle = cursor.identifier();
        break;
      case 0x62: // b
        this.moved = cursor.varint();
        break;
      case 0x70: // p
        this.path = cursor.varint();
        break;
      default:
        this.readRare(role, cursor);
    }
  }

  private readRare(role: number, cursor: RecordCursor): void {
    switch (String.fromCharCode(role)) {
      case 'F':
        this.otherDescriptor = cursor.signed();
        break;
      case 'H':
        this.otherHandle = cursor.identifier();
        break;
      case 'd':
        this.folder = cursor.signed();
        break;
      case 'D':
        this.otherFolder = cursor.signed();
        break;
      case 'P':
        this.otherPath = cursor.varint();
        break;
      case 'N':
        this.objectName = cursor.varint();
        break;
      case 'O':
        this.otherOffset = cursor.signed();
        break;
      case 'w':
        this.whence = cursor.varint();
        break;
      case 'l':
        this.flags = cursor.varint();
        break;
      case 'c':
        this.communicator = cursor.varint();
        break;
      case 'q':
        this.request = cursor.identifier();
        break;
      case 'k':
        this.kind = cursor.varint();
        break;
      case 'v':
        this.value = cursor.signed();
        break;
      case 's':
        this.size = cursor.signed();
        break;
      case 'e':
        this.unit = cursor.varint();
        this.isContiguous = cursor.varint() !== 0;
        break;
      case 't':
        this.displacement = cursor.signed();
        break;
      case 'g':
        this.isCollective = cursor.varint() !== 0;
        break;
      default:
        this.readMessage(role, cursor);
    }
  }

  private readMessage(role: number, cursor: RecordCursor): void {
    switch (String.fromCharCode(role)) {
      case 'i':
        this.peer = cursor.signed();
        break;
      case 'I':
        this.otherPeer = cursor.signed();
        break;
      case 'a':
        this.tag = cursor.signed();
        break;
      case 'A':
        this.otherTag = cursor.signed();
        break;
      case 'm':
        this.messageBytes = cursor.signed();
        break;
      case 'M':
        this.otherMessageBytes = cursor.signed();
        break;
      default:
    }
  }

  /** Passes over the arguments of an event. */
  static skip({ roles, hasErrorNumber }: RecordedFunction, cursor: RecordCursor): void {
    for (let i = 0; i < roles.length; i++) {
      const role = roles[i]!;
      if (role === 0x72 && hasErrorNumber) {
        if (cursor.signed() < 0) cursor.skip();
      } else {
        cursor.skip();
        // e
        if (role === 0x65) cursor.skip();
      }
    }
  }

  private clear(): void {
    this.descriptor = NaN;
    this.otherDescriptor = NaN;
    this.handle = 0;
    this.otherHandle = 0;
    this.folder = WORKING_FOLDER;
    this.otherFolder = WORKING_FOLDER;
    this.path = 0;
    this.otherPath = 0;
    this.objectName = 0;
    this.requested = NaN;
    this.moved = NaN;
    this.offset = NaN;
    this.otherOffset = NaN;
    this.whence = NaN;
    this.flags = NaN;
    this.communicator = 0;
    this.kind = NaN;
    this.value = NaN;
    this.size = NaN;
    this.request = 0;
    this.unit = NaN;
    this.isContiguous = true;
    this.displacement = NaN;
    this.isCollective = false;
    this.peer = NaN;
    this.otherPeer = NaN;
    this.tag = NaN;
    this.otherTag = NaN;
    this.messageBytes = NaN;
    this.otherMessageBytes = NaN;
    this.result = NaN;
    this.errorNumber = 0;
    this.code = 0;
  }
}
