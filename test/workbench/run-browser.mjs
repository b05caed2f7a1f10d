// Runs a suite inside the host of web extensions: the browser build, in a workspace that is on no machine.
import { build } from 'esbuild';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { chromium } from 'playwright-core';
import { gunzipSync } from 'node:zlib';
import { CHROMIUM, setUpTestWorkbench, startWorkbench } from '../../scripts/workbench.mjs';

const root = path.resolve(import.meta.dirname, '../..');
const LONGEST = 120_000;

const read = (name) => readFileSync(path.join(root, name));

/** The files of the workspace, by their paths in it. */
function workspaceFiles() {
  const files = new Map();
  for (const name of ['heat.c', 'heat', 'heat.strace.gz']) files.set(`/work/${name}`, read(`demo/heat/${name}`));
  for (const name of ['badmpi.c', 'bin/badmpi', 'badmpi_4ranks.darshan'])
    files.set(`/work/${path.basename(name)}`, read(`test/data/darshan-stack/${name}`));
  const text = gunzipSync(files.get('/work/heat.strace.gz'));
  files.set('/work/heat.strace', text);
  for (const [tool, ending] of [
    ['bzip2', 'bz2'],
    ['xz', 'xz'],
    ['zstd', 'zst'],
  ]) {
    const { status, stdout } = spawnSync(tool, ['-c'], { input: text, maxBuffer: 1 << 26 });
    if (status === 0) files.set(`/work/heat.strace.${ending}`, stdout);
    else console.log(`${tool} is missing: its files are not opened`);
  }
  return files;
}

/** A test's source as the host of web extensions takes it. */
async function bundled(name) {
  const { outputFiles } = await build({
    entryPoints: [path.join(import.meta.dirname, `${name}.ts`)],
    bundle: true,
    write: false,
    platform: 'browser',
    format: 'cjs',
    external: ['vscode'],
    alias: { 'node:assert/strict': path.join(import.meta.dirname, 'assert.ts') },
    logLevel: 'warning',
  });
  return outputFiles[0].text;
}

const FILES_MANIFEST = {
  name: 'virtual-files',
  publisher: 'iolens-test',
  version: '0.0.1',
  engines: { vscode: '^1.100.0' },
  browser: './extension.js',
  activationEvents: ['onFileSystem:iolens-test', '*'],
};

/** This version of the host looks at `main` and `type` of the manifest even where it takes `browser`; later ones do not. */
function webManifest() {
  const { main, type, ...manifest } = JSON.parse(read('package.json').toString());
  if (main === undefined || type !== 'module') throw new Error('the manifest needs no change any more');
  return { ...manifest, browser: './dist/web/extension.js' };
}

/** What stands at a path of the served extensions; undefined when there is nothing. */
async function makeServed() {
  const workspace = workspaceFiles();
  const made = new Map([
    ['/iolens/package.json', JSON.stringify(webManifest())],
    ['/iolens/dist/web/extension.js', read('dist/web/extension.cjs')],
    ['/files/package.json', JSON.stringify(FILES_MANIFEST)],
    ['/files/extension.js', await bundled('virtual-files')],
    ['/files/files/index.json', JSON.stringify([...workspace.keys()])],
    ['/iolens/suite/index.js', await bundled('browser-suite')],
    ...[...workspace].map(([name, bytes]) => [`/files/files${name}`, bytes]),
  ]);
  return (name) => {
    if (made.has(name)) return made.get(name);
    const file = path.join(root, name.replace(/^\/iolens\//, ''));
    return name.startsWith('/iolens/') && existsSync(file) ? readFileSync(file) : undefined;
  };
}

const TYPES = { '.json': 'application/json', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };

async function serveExtensions(page, origin) {
  const served = await makeServed();
  await page.context().route(`${origin}/iolens-test/**`, async (route) => {
    const name = decodeURIComponent(new URL(route.request().url()).pathname).slice('/iolens-test'.length);
    const body = served(name);
    const headers = { 'Access-Control-Allow-Origin': '*' };
    if (body === undefined) await route.fulfill({ status: 404, headers });
    else
      await route.fulfill({
        body: Buffer.from(body),
        headers: { ...headers, 'Content-Type': TYPES[path.extname(name)] ?? 'application/octet-stream' },
      });
  });
}

/** Tells the workbench of the extensions: what a test server of an editor in a browser writes into its page. */
async function changePage(page, authority) {
  const at = (name) => ({ scheme: 'http', authority, path: `/iolens-test/${name}` });
  const isPage = (url) => url.host === authority && url.pathname === '/';
  await page.route(isPage, async (route) => {
    const response = await route.fetch();
    const text = await response.text();
    const setting = /(id="vscode-workbench-web-configuration" data-settings=")([^"]*)"/;
    const [, , escaped] = setting.exec(text);
    const configuration = JSON.parse(escaped.replaceAll('&quot;', '"').replaceAll('&amp;', '&'));
    configuration.developmentOptions = {
      ...configuration.developmentOptions,
      extensions: [at('iolens'), at('files')],
      extensionTestsPath: at('iolens/suite/index.js'),
    };
    const changed = JSON.stringify(configuration).replaceAll('&', '&amp;').replaceAll('"', '&quot;');
    await route.fulfill({ response, body: text.replace(setting, (_, start) => `${start}${changed}"`) });
  });
}

/** A page that did not come over the network counts as one from outside: it may not reach this machine's servers. */
const CHANGED_PAGE = ['--disable-features=LocalNetworkAccessChecks'];

async function runInBrowser() {
  const workbench = await startWorkbench();
  const browser = await chromium.launch({ ...CHROMIUM, args: [...CHROMIUM.args, ...CHANGED_PAGE] });
  try {
    const page = await browser.newPage({ viewport: { width: 1400, height: 900 } });
    const ended = new Promise((resolve) => {
      void page.exposeFunction('codeAutomationExit', (status) => resolve(status));
      setTimeout(() => resolve(124), LONGEST).unref();
    });
    await page.exposeFunction('codeAutomationLog', (type, values) => {
      const text = values.join(' ');
      if (/^\s+[✓✗]|^\s+at |Error/.test(text) && !text.includes('open-vsx')) console.log(text);
    });
    const origin = `http://${workbench.authority}`;
    await serveExtensions(page, origin);
    await changePage(page, workbench.authority);
    const folder = encodeURIComponent('iolens-test:/work');
    await page.goto(`${origin}/?folder=${folder}&payload=${encodeURIComponent('[]')}`);
    const code = await ended;
    if (code === 124) {
      console.log('the suite did not end in time');
      await page.screenshot({ path: path.join(root, '.cache/browser.png') });
    }
    return code;
  } finally {
    await browser.close();
    workbench.stop();
  }
}

setUpTestWorkbench();
process.exit(await runInBrowser());
