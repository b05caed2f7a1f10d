import path from 'node:path';

/**
 * The rooms of docs/architecture.md. A room may use itself and what it `knows`, and name the types of `types`; nothing else.
 * This keeps the way of the data one-directional. A test holds this table against that of the document.
 */
export const ROOMS = {
  base: { knows: [] },
  trace: { knows: ['base'] },
  core: { knows: ['base'] },
  readers: { knows: ['base', 'trace', 'core'] },
  symbols: { knows: ['base', 'trace', 'core'] },
  analysis: { knows: ['base', 'trace', 'core', 'symbols'] },
  drawing: { knows: ['base', 'core', 'analysis'], types: ['export'] },
  fleet: { knows: ['base', 'trace', 'readers', 'symbols', 'analysis'] },
  record: { knows: ['base', 'trace', 'symbols'] },
  replay: { knows: ['base', 'trace', 'analysis'] },
  export: { knows: ['base', 'trace', 'readers', 'symbols', 'analysis', 'drawing', 'fleet', 'replay'] },
  session: {
    knows: [
      'base',
      'trace',
      'core',
      'readers',
      'symbols',
      'analysis',
      'drawing',
      'fleet',
      'record',
      'replay',
      'export',
    ],
  },
  protocol: { knows: ['base'], types: ['trace', 'analysis', 'fleet', 'export'] },
  answers: {
    knows: [
      ...['base', 'trace', 'readers', 'symbols', 'analysis', 'drawing', 'fleet', 'replay', 'export', 'session'],
      'protocol',
    ],
  },
  features: {
    knows: ['base', 'fleet', 'record', 'replay', 'export', 'session', 'protocol', 'answers'],
    types: ['trace', 'symbols', 'analysis'],
  },
  cli: {
    knows: ['base', 'fleet', 'record', 'replay', 'export', 'session', 'answers'],
    types: ['trace', 'symbols', 'analysis'],
  },
  app: {
    knows: ['base', 'record', 'replay', 'export', 'session', 'protocol', 'answers', 'features'],
    types: ['trace'],
  },
  kit: { knows: ['base', 'drawing'] },
  webview: { knows: ['base', 'drawing', 'protocol', 'kit'] },
};

/** Folders of `readers` that all formats use; besides them and itself a format knows none but these. */
const SHARED_BY_READERS = new Set(['text', 'open-files']);
const FORMAT_KNOWS = {
  // The log and the text that Darshan's tools print of it are two forms of one format.
  'darshan-text': ['darshan'],
};

/** Rooms whose code also runs in a browser worker: files and processes come through interfaces. */
const PORTABLE = new Set([
  ...['base', 'trace', 'core', 'readers', 'symbols', 'analysis', 'drawing', 'fleet', 'replay', 'export', 'protocol'],
  ...['kit', 'webview'],
]);
const NODE_ONLY = /^(node:)?(fs|fs\/promises|child_process|worker_threads|os|net|http|https|zlib)$/;

/**
 * The room of a file. A feature's folder has three: what page and panel say to each other (`protocol`), what the worker
 * answers for it (`answers`, `methods`), and the rest.
 * @param file relative to the repository, with `/`.
 */
function roomOf(file) {
  const [top, room, ...rest] = file.split('/');
  if (top === 'webview') return room === 'kit' ? 'kit' : 'webview';
  if (top !== 'src') return undefined;
  if (room !== 'features') return room;
  const name = rest.at(-1) ?? '';
  if (/^(protocol|page-body)(\.test)?\.ts$/.test(name)) return 'protocol';
  if (rest[0] === 'answers' || /^(.*-)?(answers|methods)(\.test)?\.ts$/.test(name)) return 'answers';
  return 'features';
}

/** Why a file of one room may not import from another; undefined when it may. */
function problem(from, to, isType) {
  const { knows, types = [] } = ROOMS[from];
  if (from === to || knows.includes(to) || (isType && types.includes(to))) return undefined;
  return types.includes(to)
    ? `The room ${from} may name types of ${to}, not call it: docs/architecture.md.`
    : `The room ${from} may not know ${to}: docs/architecture.md.`;
}

/** The folder of a file in `readers`; undefined for its own files (the registry) and for other rooms. */
function readerOf(file) {
  return /^src\/readers\/([^/]+)\//.exec(file)?.[1];
}

/** Why a reader may not import a file of the room; undefined when it may. */
function readerProblem(from, to) {
  if (from === undefined || to === undefined || from === to) return undefined;
  if (SHARED_BY_READERS.has(to) && !SHARED_BY_READERS.has(from)) return undefined;
  if (FORMAT_KNOWS[from]?.includes(to)) return undefined;
  return `The reader ${from} may not know ${to}: what formats share stands in readers/text and readers/open-files.`;
}

/** Imports against the table. */
export const rooms = {
  meta: { type: 'problem', schema: [] },
  create(context) {
    const file = path.relative(context.cwd, context.filename).split(path.sep).join('/');
    const room = roomOf(file);
    if (room === undefined) return {};
    const check = (node, source, isType) => {
      const message = problemOf(file, room, source, isType);
      if (message !== undefined) context.report({ node, message });
    };
    const declared = (node) => {
      if (node.source) check(node, node.source.value, node.importKind === 'type' || node.exportKind === 'type');
    };
    return {
      ImportDeclaration: declared,
      ExportNamedDeclaration: declared,
      ExportAllDeclaration: declared,
      ImportExpression(node) {
        if (node.source.type === 'Literal') check(node, node.source.value, false);
      },
    };
  },
};

function problemOf(file, room, source, isType) {
  if (source === 'vscode')
    return room === 'features' || room === 'app' ? undefined : 'Only features and the app know the editor.';
  if (PORTABLE.has(room) && NODE_ONLY.test(source))
    return 'This also runs in a browser worker: reach files and processes through an interface.';
  if (!source.startsWith('.')) return undefined;
  const target = path.posix.join(path.posix.dirname(file), source);
  const to = roomOf(target);
  if (to === undefined) return undefined;
  return problem(room, to, isType) ?? readerProblem(readerOf(file), readerOf(target));
}
