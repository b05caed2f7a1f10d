import type { ActivityNaming, Selection, SelectionPart } from '../../analysis/selection/selection.ts';
import { isSelection } from './protocol.ts';

/** What a link leads to. */
export interface LinkTarget {
  /** Absolute paths of the recording's files or folders; none when the current recording is meant. */
  readonly recording: readonly string[];
  readonly view?: LinkedView;
  readonly selection: Selection;
}

const VIEWS = ['graph', 'timeline', 'report'] as const;
export type LinkedView = (typeof VIEWS)[number];

const LONGEST_LINK = 16_384;
const LONGEST_PATH = 4_096;
const MOST_PATHS = 64;

type Kind = SelectionPart['kind'];
type Part<K extends Kind> = Extract<SelectionPart, { kind: K }>;

/** Fields of a value stand one behind the other with a semicolon between them, except a line's, which people write. */
const SEPARATOR = ';';

/**
 * The query of a link: `recording=/w/a.strace&line=/w/heat.c:22&rank=3`. The order of the parts is that of the selection.
 * Only what would be read otherwise is escaped, so that people can read and write links.
 */
export function linkQuery({ recording, view, selection }: LinkTarget): string {
  const fields = [
    ...recording.map((file) => ['recording', escaped(file)]),
    ...(view === undefined ? [] : [['view', view]]),
    ...selection.map((part) => [nameOf(part), valueOf(part)]),
  ];
  return fields.map(([name, value]) => `${name!}=${value!}`).join('&');
}

/**
 * What a query of a link means.
 * @returns undefined when any of it is not understood: half a link is none.
 */
export function parseLinkQuery(query: string): LinkTarget | undefined {
  if (query === '' || query.length > LONGEST_LINK) return undefined;
  const recording: string[] = [];
  const selection: unknown[] = [];
  let view: LinkedView | undefined;
  for (const field of query.split('&')) {
    const at = field.indexOf('=');
    if (at < 0) return undefined;
    const [name, value] = [field.slice(0, at), field.slice(at + 1)];
    if (name === 'recording') recording.push(unescaped(value));
    else if (name === 'view') {
      view = VIEWS.find((known) => known === value);
      if (view === undefined) return undefined;
    } else {
      const part = partOf(name, value);
      if (part === undefined) return undefined;
      selection.push(part);
    }
  }
  if (!recording.every(isPlainPath) || recording.length > MOST_PATHS || !isSelection(selection)) return undefined;
  return { recording, selection, ...(view && { view }) };
}

/** An absolute path of this machine without `..`: no name of a server, of another scheme, or of a device. */
function isPlainPath(file: string): boolean {
  const parts = file.replace(/^([A-Za-z]:)?[\\/]/, '').split(/[\\/]/);
  const isAbsolute = /^([A-Za-z]:[\\/]|\/)/.test(file);
  const isPlain = parts.every((part, i) => part !== '.' && part !== '..' && (part !== '' || i === parts.length - 1));
  return isAbsolute && isPlain && file.length <= LONGEST_PATH && !/\p{Cc}/u.test(file);
}

/** A finding is called by what people call it, its code. */
function nameOf({ kind }: SelectionPart): string {
  return kind === 'insight' ? 'code' : kind;
}

function valueOf(part: SelectionPart): string {
  switch (part.kind) {
    case 'line':
      return `${escaped(part.file)}:${part.line}`;
    case 'function':
      return joined(part.file, part.name);
    case 'activity':
      return joined(part.activity, ...namingFields(part));
    case 'edge':
      return joined(part.from, part.to, ...namingFields(part));
    case 'file':
      return escaped(part.path);
    case 'rank':
      return String(part.rank);
    case 'process':
      return joined(part.host, String(part.process), ...(part.thread === undefined ? [] : [String(part.thread)]));
    case 'host':
    case 'layer':
    case 'call':
      return escaped(part.kind === 'host' ? part.host : part.kind === 'layer' ? part.layer : part.call);
    case 'operation':
      return escaped(part.operation);
    case 'below': {
      const { call, host, process, thread, file, line } = part;
      return joined(call, host, String(process), String(thread), file, String(line));
    }
    case 'span':
      return `${part.fromNs}-${part.toNs}`;
    case 'insight':
      return joined(
        part.code,
        ...(part.file === undefined ? [] : [part.file, ...(part.line === undefined ? [] : [String(part.line)])]),
      );
  }
}

function namingFields(naming: ActivityNaming): string[] {
  const { mapping, grouping, ownFilesOnly, pathFilter, siteVariables = [], layer } = naming;
  const files = `${ownFilesOnly ? 'own' : 'all'}${layer === undefined ? '' : `@${layer}`}`;
  return [mapping, grouping, files, pathFilter, ...siteVariables.flatMap(({ name, prefix }) => [name, prefix])];
}

/** What a field says; whether it is a part at all is for `isSelection` to find out. */
function partOf(name: string, value: string): unknown {
  const fields = value.split(SEPARATOR).map(unescaped);
  const [first = '', second, third] = fields;
  switch (name) {
    case 'line': {
      const colon = value.lastIndexOf(':');
      return { kind: 'line', file: unescaped(value.slice(0, Math.max(0, colon))), line: count(value.slice(colon + 1)) };
    }
    case 'function':
      return fields.length === 2 ? { kind: 'function', file: first, name: second } : undefined;
    case 'activity':
      return fields.length < 5 ? undefined : { kind: 'activity', activity: first, ...namingOf(fields.slice(1)) };
    case 'edge':
      return fields.length < 6 ? undefined : { kind: 'edge', from: first, to: second, ...namingOf(fields.slice(2)) };
    case 'file':
      return { kind: 'file', path: unescaped(value) };
    case 'rank':
      return { kind: 'rank', rank: count(value) };
    case 'process':
      return {
        kind: 'process',
        host: first,
        process: count(second),
        ...(third !== undefined && { thread: count(third) }),
      };
    case 'host':
    case 'layer':
    case 'call':
    case 'operation':
      return { kind: name, [name]: unescaped(value) };
    case 'below': {
      const [call, host, process, thread, file, line] = fields;
      const where = { host, process: count(process), thread: count(thread), file, line: count(line) };
      return fields.length === 6 ? { kind: 'below', call, ...where } : undefined;
    }
    case 'span':
      return spanOf(value);
    case 'code': {
      const place = {
        ...(second !== undefined && { file: second }),
        ...(third !== undefined && { line: count(third) }),
      };
      return { kind: 'insight', code: first, ...place };
    }
    default:
      return undefined;
  }
}

function namingOf([mapping, grouping, kinds = '', pathFilter, ...variables]: readonly string[]): object | undefined {
  const [files, layer] = kinds.split(/@(.*)/s);
  // What is no naming fails as a whole.
  if ((files !== 'own' && files !== 'all') || variables.length % 2 !== 0) return undefined;
  const siteVariables = [];
  for (let at = 0; at < variables.length; at += 2)
    siteVariables.push({ name: variables[at]!, prefix: variables[at + 1]! });
  const ownFilesOnly = files === 'own';
  const named = siteVariables.length > 0 && { siteVariables };
  return { mapping, grouping, ownFilesOnly, pathFilter, ...named, ...(layer !== undefined && { layer }) };
}

const TIME = String.raw`-?\d+(?:\.\d+)?(?:e-?\d+)?`;
const SPAN = new RegExp(`^(${TIME})-(${TIME})$`);

function spanOf(value: string): Part<'span'> | undefined {
  const [, from, to] = SPAN.exec(value) ?? [];
  return from === undefined || to === undefined ? undefined : { kind: 'span', fromNs: Number(from), toNs: Number(to) };
}

function count(text: string | undefined): number {
  return text !== undefined && /^\d{1,16}$/.test(text) ? Number(text) : NaN;
}

function joined(...fields: readonly string[]): string {
  return fields.map(escaped).join(SEPARATOR);
}

/** Escapes what separates fields and what no address may hold. */
function escaped(text: string): string {
  return text.replace(/[%&;#\p{Cc}]/gu, encodeURIComponent);
}

function unescaped(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    // A percent sign that escapes nothing stands for itself.
    return text;
  }
}
