import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { DEFAULT_IGNORED } from '../../src/analysis/metrics/ignored-files.ts';
import { LAYER_PATTERNS } from '../../src/analysis/layers/patterns/pattern-catalogue.ts';
import { CATALOGUE } from '../../src/analysis/triggers/catalogue.ts';
import { COUNTER_CATALOGUE, OWN_COUNTER_TRIGGERS } from '../../src/analysis/triggers/counters/counter-catalogue.ts';
import { DEFAULT_THRESHOLDS } from '../../src/analysis/triggers/thresholds.ts';

const root = path.resolve(import.meta.dirname, '../..');
const text = (name: string): string => readFileSync(path.join(root, name), 'utf8');
const manifest = JSON.parse(text('package.json')) as {
  activationEvents: string[];
  contributes: {
    customEditors: { viewType: string }[];
    languageModelTools: { name: string }[];
    taskDefinitions: { type: string }[];
    commands: { command: string; title: string; category: string; icon?: unknown }[];
    menus: Record<string, MenuEntry[]>;
    viewsWelcome: { view: string }[];
    views: Record<string, { id: string; type?: 'webview'; when?: string }[]>;
    jsonValidation: { url: string }[];
    walkthroughs: { steps: Step[] }[];
    configuration: {
      properties: Record<string, { order: number; default: unknown; properties?: Record<string, { default: number }> }>;
    };
  };
};
/** Views with rows, or with pages, by their names. */
function viewsOf(type: 'webview' | undefined): string[] {
  const all = Object.values(manifest.contributes.views).flat();
  return all.filter((view) => view.type === type).map(({ id }) => id.replace('iolens.', ''));
}

/** The sources of features as one text. */
const featureSources = readdirSync(path.join(root, 'src/features'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
  .map((name) => text(`src/features/${name}`))
  .join('\n');

/** The names that features answer to (`contributions.KIND(NAME, …)`), once for each answer. */
function answered(kind: string): string[] {
  const constants = new Map(
    [...featureSources.matchAll(/^(?:export )?const ([A-Z_]+) = '([^']+)';$/gm)].map(([, name, value]) => [
      name!,
      value!,
    ]),
  );
  const calls = featureSources.matchAll(
    new RegExp(`\\bcontributions\\.${kind}(?:<\\w+>)?\\(\\s*(?:'([^']+)'|(\\w+))`, 'g'),
  );
  return [...calls].map(([, literal, constant]) => literal ?? constants.get(constant!)!).sort();
}

const settings = manifest.contributes.configuration.properties;

interface MenuEntry {
  readonly command?: string;
  readonly submenu?: string;
  readonly when?: string;
  readonly group?: string;
}

interface Step {
  readonly description: string;
  readonly media: { readonly svg: string };
  readonly completionEvents: readonly string[];
}

describe('the manifest says what the code does', () => {
  test('each name in the manifest that features answer to has one feature that does, and each answer is to a name', () => {
    const { commands, customEditors, languageModelTools, taskDefinitions } = manifest.contributes;
    const panels = manifest.activationEvents.filter((event) => event.startsWith('onWebviewPanel:'));
    const names = {
      command: commands.map(({ command }) => command.replace('iolens.', '')),
      panel: panels.map((event) => event.replace('onWebviewPanel:', '')),
      editor: customEditors.map(({ viewType }) => viewType),
      tasks: taskDefinitions.map(({ type }) => type),
      tool: languageModelTools.map(({ name }) => name),
      view: viewsOf(undefined),
      page: viewsOf('webview'),
    };
    for (const [kind, wanted] of Object.entries(names)) expect(answered(kind), kind).toEqual([...wanted].sort());
    expect(answered('ownCommand').filter((name) => names.command.includes(name))).toEqual([]);
    expect(manifest.activationEvents).toContain('onUri');
    expect(featureSources.match(/contributions\.links\(/g)).toHaveLength(1);
  });

  test('ignored files', () => expect(settings['iolens.ignoredFiles']!.default).toEqual(DEFAULT_IGNORED));

  test('thresholds and their defaults', () => {
    const described = Object.entries(settings['iolens.thresholds']!.properties!).map(([name, { default: value }]) => [
      name,
      value,
    ]);
    expect(Object.fromEntries(described)).toEqual(DEFAULT_THRESHOLDS);
  });

  test('the schema of threshold files', () => {
    const { url } = manifest.contributes.jsonValidation[0]!;
    const { properties } = JSON.parse(text(url)) as { properties: Record<string, { default?: number }> };
    const described = Object.entries(properties).filter(([name]) => name !== '$schema');
    expect(Object.fromEntries(described.map(([name, { default: value }]) => [name, value]))).toEqual(
      DEFAULT_THRESHOLDS,
    );
  });

  test('the walkthrough: its pictures exist and follow the theme, its commands exist', () => {
    const commands = manifest.contributes.commands.map(({ command }) => command);
    const words = JSON.parse(text('package.nls.json')) as Record<string, string>;
    const { steps } = manifest.contributes.walkthroughs[0]!;
    expect(steps).toHaveLength(7);
    for (const { description, media, completionEvents } of steps) {
      const picture = text(media.svg);
      expect(picture).toContain('var(--vscode-foreground)');
      expect(picture.replaceAll(/var\(--vscode-[^()]*(\([^()]*\)[^()]*)?\)/g, '')).not.toMatch(/(fill|stroke)="#/);
      const links = [...words[description.slice(1, -1)]!.matchAll(/\(command:([\w.]+)\)/g)].map((match) => match[1]!);
      // The editor makes a command that focuses each view.
      const known = [...commands, 'iolens.insights.focus'];
      expect(links.filter((command) => !known.includes(command))).toEqual([]);
      expect(completionEvents.length).toBeGreaterThan(0);
    }
  });

  test('every text has a translation key that exists', () => {
    const known = Object.keys(JSON.parse(text('package.nls.json')) as Record<string, string>);
    const used = [...text('package.json').matchAll(/"%([^%"]+)%"/g)].map((match) => match[1]!);
    expect(used.filter((key) => !known.includes(key))).toEqual([]);
    expect(known.filter((key) => !used.includes(key))).toEqual([]);
  });
});

describe('the manifest keeps to the manners of the editor', () => {
  const { commands, menus, viewsWelcome } = manifest.contributes;
  const known = new Map(commands.map((command) => [command.command, command]));
  const inline = (entries: readonly MenuEntry[]): MenuEntry[] =>
    entries.filter(({ group }) => group?.startsWith('navigation') ?? false);

  test('commands have a category, and an icon where only an icon is shown', () => {
    expect(commands.filter(({ category }) => category !== 'I/O Lens')).toEqual([]);
    const iconOnly = [
      ...inline(menus['view/title']!),
      ...inline(menus['editor/title']!),
      ...menus['view/item/context']!.filter(({ group }) => group?.startsWith('inline') ?? false),
    ];
    expect(iconOnly.filter(({ command }) => known.get(command!)?.icon === undefined)).toEqual([]);
  });

  test('a title bar shows at most five icons, whatever is open', () => {
    for (const id of [...viewsOf(undefined), ...viewsOf('webview')].map((name) => `iolens.${name}`)) {
      const shown = inline(menus['view/title']!).filter(({ when }) => when?.startsWith(`view == ${id}`) ?? false);
      expect(shown.length, id).toBeLessThanOrEqual(5);
    }
  });

  test('the explorer offers to open what is a recording', () => {
    const { when } = menus['explorer/context']!.find(({ command }) => command === 'iolens.openRecording')!;
    const extensions = new RegExp(/resourceExtname =~ \/(\^.+?\$)\//.exec(when!)![1]!);
    const named = [...when!.matchAll(/resourceFilename == ([\w.]+)/g)].map(([, name]) => name!);
    const isOffered = (name: string): boolean => named.includes(name) || extensions.test(path.extname(name));
    const recordings = [
      'a.strace',
      'a.st.gz',
      'a.darshan',
      'traces.otf2',
      'recorder.mt',
      'a-1.pfw',
      'a.pfw.gz',
      'a.0.drishti',
    ];
    expect(recordings.filter((name) => !isOffered(name))).toEqual([]);
    expect(['heat.c', 'package.json', 'traces.def', 'notes.md'].filter(isOffered)).toEqual([]);
    expect(when).toContain('explorerResourceIsFolder');
  });

  test('entries of a menu stand in an order that is written down', () => {
    for (const [menu, entries] of Object.entries(menus)) {
      if (menu === 'commandPalette') continue;
      const places = entries.map(({ group, when }) =>
        // In a title bar each view has an order of its own.
        menu === 'view/title' ? `${/view == (\S+)/.exec(when!)![1]!} ${group!}` : group!,
      );
      const ofRows = places.filter((place) => !place.startsWith('inline') && !/^[12]_(file|dismiss)@/.test(place));
      expect(new Set(ofRows).size, `${menu}: ${ofRows.join(', ')}`).toBe(ofRows.length);
    }
  });

  test('what an editor in a browser cannot do is hidden there, and only there', () => {
    const whens = Object.values(menus).flatMap((entries) => entries.map(({ when }) => when ?? ''));
    // `isWeb` also holds in a browser window whose extensions run on a server, where all works.
    expect(whens.filter((when) => /\bisWeb\b/.test(when))).toEqual([]);
    for (const [menu, entries] of Object.entries(menus))
      for (const { command, when } of entries)
        if (/^iolens\.(record|exportEvents)/.test(command ?? ''))
          expect(`${menu} ${when!}`).toContain('!iolens.inBrowser');
  });

  test('no two settings have the same place', () => {
    const orders = Object.values(settings).map(({ order }) => order);
    expect(orders).toEqual(orders.map((_order, index) => index + 1));
  });

  test('every view says what to do while it is empty', () => {
    const empty = new Set(viewsWelcome.map(({ view }) => view));
    // One with a page is there with a recording only, that of the selection with one.
    expect(viewsOf(undefined).filter((name) => !empty.has(`iolens.${name}`))).toEqual(['selection']);
    const selection = Object.values(manifest.contributes.views)
      .flat()
      .find(({ id }) => id === 'iolens.selection')!;
    expect(selection.when).toBe('iolens.somethingSelected');
  });

  test('an ellipsis is written alike in both languages', () => {
    const english = JSON.parse(text('package.nls.json')) as Record<string, string>;
    const german = JSON.parse(text('package.nls.de.json')) as Record<string, string>;
    for (const { title } of commands) {
      const key = title.slice(1, -1);
      expect(german[key]!.endsWith('…'), key).toBe(english[key]!.endsWith('…'));
      expect(german[key], key).not.toContain(' …');
    }
  });
});

describe('docs/triggers.md', () => {
  const document = text('docs/triggers.md');
  const triggers = new Map(
    [...CATALOGUE, ...LAYER_PATTERNS, ...COUNTER_CATALOGUE, ...OWN_COUNTER_TRIGGERS].map(({ code, name }) => [
      code,
      name,
    ]),
  );
  const sections = new Map(
    document
      .split(/^### /m)
      .map((section) => [/^([SPML]\d\d) `([a-z0-9-]+)`\n/.exec(section)?.slice(1).join(' '), section] as const),
  );

  test.each([...triggers])('%s `%s` is described', (code, name) => {
    const section = sections.get(`${code} ${name}`);
    expect(section).toBeDefined();
    for (const what of ['Counters', 'Events', 'Thresholds', 'Source', 'Example', 'Fix']) {
      expect(section).toMatch(new RegExp(`^- ${what}: \\S`, 'm'));
    }
  });

  test('and nothing that there is not', () => {
    const described = [...sections.keys()].filter((title) => title !== undefined);
    expect(described.sort()).toEqual([...triggers].map((trigger) => trigger.join(' ')).sort());
    const named = [...document.matchAll(/^- Thresholds: (.*)$/gm)].flatMap(([line]) =>
      [...line.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
    );
    expect(named.filter((name) => !Object.hasOwn(DEFAULT_THRESHOLDS, name))).toEqual([]);
  });

  test('the tables name what explains a trigger over calls', () => {
    const codeOf = new Map([...triggers].map(([code, name]) => [name, code]));
    for (const trigger of CATALOGUE) {
      if (trigger.kind !== 'site' || trigger.explainedBy === undefined) continue;
      const [row] = new RegExp(`^\\| ${trigger.code} \\| \`${trigger.name}\`.*$`, 'm').exec(document)!;
      const named =
        row
          .split('|')
          .at(-2)!
          .match(/[SPML]\d\d/g) ?? [];
      expect(named, row).toEqual(expect.arrayContaining(trigger.explainedBy.map((name) => codeOf.get(name))));
    }
  });

  test('each kind of TraceBench has triggers, and all of them are there', () => {
    const [table] = /^\| kind in TraceBench [^]*?\n\n/m.exec(document)!;
    const rows = table.trimEnd().split('\n').slice(2);
    // Misaligned, random, small, not collective and low-level once for each direction.
    expect(rows).toHaveLength(16);
    for (const row of rows) {
      const codes = row.match(/\b[SPML]\d\d\b/g) ?? [];
      expect(codes.length, row).toBeGreaterThan(0);
      expect(
        codes.filter((code) => !triggers.has(code)),
        row,
      ).toEqual([]);
    }
  });

  test('the triggers over calls stand in the tables too, the thresholds with their defaults', () => {
    for (const { code, name } of [...CATALOGUE, ...LAYER_PATTERNS])
      expect(document).toMatch(new RegExp(`\\| ${code} .*\`${name}\``));
    for (const [name, value] of Object.entries<number>({ ...DEFAULT_THRESHOLDS })) {
      expect(document).toMatch(
        new RegExp(`\\| \`${name}\` +\\| +${value.toLocaleString('en-US', { maximumFractionDigits: 6 })}\\b`),
      );
    }
  });
});

test('a code means the same over calls and over counters', () => {
  const names = new Map(COUNTER_CATALOGUE.map(({ code, name }) => [code, name]));
  for (const { code, name } of CATALOGUE) if (names.has(code)) expect([code, names.get(code)]).toEqual([code, name]);
});
