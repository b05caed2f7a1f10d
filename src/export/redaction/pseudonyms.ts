import { getOrCreate } from '../../base/grouping.ts';
import { isLibrarySource } from '../../symbols/library-modules.ts';
import { isPublicFunction, isPublicPart, publicEnding } from './public-names.ts';

/** What the names of a kind became; written to a key file that stays with its owner. */
export type RedactionKey = Readonly<Record<string, Readonly<Record<string, string>>>>;

/** One name for each different text of a kind, numbered in the order of first sight. */
class Numbered {
  private readonly names = new Map<string, string>();

  constructor(private readonly prefix: string) {}

  of(original: string, ending = ''): string {
    const name = getOrCreate(this.names, original, () => `${this.prefix}${this.names.size + 1}${ending}`);
    return name;
  }

  key(): Record<string, string> {
    return Object.fromEntries([...this.names].map(([original, name]) => [name, original]));
  }
}

/** Names of temporary folders and lock files of MPI libraries: what findings leave out is told by these. */
const MARKED_PARTS = [/^(ompi\.)/, /^(pmix)/, /^(memfd:)/, /(\.locktest\.)/] as const;

const THING =
  /^(pipe|socket|anon_inode|TCP|TCPv6|UDP|UDPv6|UDPLITE|RAW|RAWv6|UNIX|UNIX-STREAM|UNIX-DGRAM|UNIX-SEQPACKET|NETLINK|PACKET|net|mnt|pid|user|uts|ipc|cgroup|time):\[?/;

/**
 * Names for what a recording says of people and machines: the same text gets the same name everywhere in a bundle, and
 * different texts different ones. Depth of paths, endings of a known kind, and what belongs to the system stay, so that the
 * analysis comes to the same findings.
 */
export class Pseudonyms {
  private readonly parts = new Numbered('n');
  private readonly functions = new Numbered('f');
  private readonly words = new Numbered('arg');
  private readonly commands = new Numbered('c');
  private readonly calls = new Numbered('call');
  private readonly things = new Numbered('');
  private readonly paths = new Map<string, string>();

  /** A path, absolute or relative: part by part. */
  path(path: string): string {
    const made = getOrCreate(this.paths, path, () =>
      path
        .split('/')
        .map((part) => this.part(part))
        .join('/'),
    );
    return made;
  }

  private part(part: string): string {
    if (part === '' || isPublicPart(part)) return part;
    // The kernel's mappings (`[vdso]`) are told by their brackets.
    if (/^\[.*\]$/.test(part)) return `[${this.parts.of(part)}]`;
    const mark = MARKED_PARTS.map((pattern) => pattern.exec(part)?.[1]).find((found) => found !== undefined);
    if (mark === undefined) return this.parts.of(part, publicEnding(part));
    const name = this.parts.of(part);
    return mark.startsWith('.') ? `${name}${mark}x` : `${mark}${name}`;
  }

  /** What `-y` prints behind a descriptor: a path with notes, or the kernel's name for a thing without one. */
  decoration(text: string): string {
    const notes = /(?: \(deleted\))?(?:<(?:char|block) \d+:\d+>)?(?: \(deleted\))?$/.exec(text)?.[0] ?? '';
    const kind = text.startsWith('/') ? null : THING.exec(text);
    if (kind === null) return `${this.path(text.slice(0, text.length - notes.length))}${notes}`;
    return kind[0].endsWith('[') ? `${kind[0]}${this.things.of(text)}]` : `${kind[0]}${this.things.of(text)}`;
  }

  /** A source file as debug information names it. */
  source(file: string): string {
    if (file === '' || !isLibrarySource(file) || file.startsWith('/')) return this.path(file);
    return /^<(artificial|built-in|command-line)>$/.test(file) ? file : `<${this.parts.of(file)}>`;
  }

  /** @param isLibrary the function is one of a system or I/O library: those are public. */
  functionName(name: string, isLibrary: boolean): string {
    return isLibrary || isPublicFunction(name) ? name : this.functions.of(name);
  }

  /** A word of a command line. */
  word(text: string): string {
    return this.words.of(text);
  }

  /** The kernel's short name of a process. */
  command(text: string): string {
    return this.commands.of(text);
  }

  call(name: string): string {
    return this.calls.of(name);
  }

  /** A text of other programs (the output of tools): paths in it are replaced, and the words given. */
  text(text: string, secrets: readonly string[]): string {
    const withoutPaths = text.replace(/\/[^\s:;,()'"]+/g, (path) => this.path(path));
    return secrets
      .filter((secret) => secret.length > 1)
      .reduce((rest, secret) => rest.replaceAll(secret, 'redacted'), withoutPaths);
  }

  key(): RedactionKey {
    return {
      pathParts: this.parts.key(),
      functions: this.functions.key(),
      arguments: this.words.key(),
      commands: this.commands.key(),
      calls: this.calls.key(),
      things: this.things.key(),
    };
  }
}
