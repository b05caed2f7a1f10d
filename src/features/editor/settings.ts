import { host } from '#host';
import * as vscode from 'vscode';
import type { WorkflowOptions } from '../workflow/answers.ts';
import { serversOf } from '../../session/machine/debug-servers.ts';
import { parseByteSize } from '../../session/reading/memory-budget.ts';
import {
  OWN_TRIGGER_FOLDER,
  plainRequest,
  readConfiguration,
  type OpenRequest,
} from '../../session/reading/open-request.ts';
import type { GraphRequest } from '../graph/methods.ts';
import type { PathRule } from '../../session/sources/source-prefixes.ts';
import { allowBeside } from './editor-file-system.ts';
import { pathOf, uriOf, workspacePaths } from './locations.ts';

/** Settings that an open recording was read with. */
const READ_WITH = ['binaries', 'debugFolders', 'pathRules', 'sharedPaths', 'ignoredFiles', 'thresholds'] as const;

/** Whether a change of the settings would make something else of open recordings. */
export function changesReading(event: vscode.ConfigurationChangeEvent): boolean {
  return READ_WITH.some((name) => event.affectsConfiguration(`iolens.${name}`));
}

/** The settings of the folder that a recording lies in. */
function settingsFor(paths: readonly string[]): vscode.WorkspaceConfiguration {
  const resource = paths[0] === undefined ? undefined : uriOf(paths[0]);
  return vscode.workspace.getConfiguration('iolens', resource);
}

/** What the settings under `iolens.` and the workspace say about opening a recording. */
export function openRequest(paths: readonly string[], learnedRules: readonly PathRule[]): OpenRequest {
  allowBeside(paths);
  const settings = settingsFor(paths);
  const trusted = vscode.workspace.isTrusted;
  const folders = workspacePaths();
  return {
    ...plainRequest(...paths),
    binaries: settings.get<string[]>('binaries', []).map(expandHome),
    debugFolders: settings.get<string[]>('debugFolders', []).map(expandHome),
    learnedRules,
    debugServers: trusted ? debugServers(settings) : [],
    pathRules: [
      // In front: of rules of the same length the first is taken.
      ...sampleRules(paths),
      ...Object.entries(settings.get<Record<string, string>>('pathRules', {})).map(([from, to]) => ({
        from,
        to: expandHome(to),
      })),
    ],
    workspaceFolders: folders,
    // Settings are proxies, which no message can carry: lists and objects are copied.
    sharedPaths: [...settings.get<string[]>('sharedPaths', [])],
    ignoredFiles: [...settings.get<string[]>('ignoredFiles', [])],
    thresholds: thresholds(settings.get<unknown>('thresholds', {})),
    ...sizeSetting(settings, 'memoryBudget', 'memoryBudget'),
    ...sizeSetting(settings, 'cacheSize', 'cacheBytes'),
    triggers: trusted ? folders.map((folder) => `${folder}/${OWN_TRIGGER_FOLDER}`) : [],
    maySpawn: trusted,
  };
}

/** The same for the folder of a workflow. */
export function workflowOptions(folder: string): WorkflowOptions {
  const { pathRules, memoryBudget, cacheBytes } = openRequest([folder], []);
  return {
    pathRules,
    ...(memoryBudget !== undefined && { memoryBudget }),
    ...(cacheBytes !== undefined && { cacheBytes }),
  };
}

/** A setting that is a size, as a property of the request; none when it cannot be read as one: then the default holds. */
function sizeSetting(
  settings: vscode.WorkspaceConfiguration,
  setting: string,
  property: 'memoryBudget' | 'cacheBytes',
): Partial<OpenRequest> {
  const bytes = parseByteSize(settings.get<string>(setting, ''));
  return bytes === undefined ? {} : { [property]: bytes };
}

/** The bounds that can be used; the user is told of those that cannot. */
function thresholds(value: unknown): Record<string, number> {
  const { thresholds: known, problems, notes } = readConfiguration(value);
  const words = [...problems, ...notes].map((problem) => `iolens.thresholds: ${problem}`);
  if (words.length > 0) void vscode.window.showWarningMessage(words.join('. '));
  return { ...known };
}

/** Servers of debug files; none unless the user turned them on. */
function debugServers(settings: vscode.WorkspaceConfiguration): string[] {
  if (!host.hasMachine || !settings.get<boolean>('debuginfod', false)) return [];
  const named = settings.get<string[]>('debuginfodServers', []);
  return named.length > 0 ? [...named] : serversOf(host.environment);
}

/** The recording that comes with the extension, and the folder that it was made in. */
const SAMPLE = 'demo/heat';
const SAMPLE_RECORDED = '/home/hpc/heat';

/** The files of the bundled sample. */
export function sampleFolder(): string {
  return `${pathOf(vscode.extensions.getExtension('iolens.iolens')!.extensionUri)}/${SAMPLE}`;
}

function sampleRules(paths: readonly string[]): OpenRequest['pathRules'] {
  const folder = sampleFolder();
  return paths.every((path) => path.startsWith(`${folder}/`)) ? [{ from: SAMPLE_RECORDED, to: folder }] : [];
}

/** A path of the settings: with the user's home folder, and that of the workspace. */
export function expandHome(path: string): string {
  const [folder = ''] = workspacePaths();
  return path.replace(/^~(?=\/|$)/, host.environment['HOME'] ?? '~').replaceAll('${workspaceFolder}', folder);
}

/** @param paths of the recording. */
export function siteVariables(paths: readonly string[]): GraphRequest['siteVariables'] {
  const variables = settingsFor(paths).get<Record<string, string>>('graph.siteVariables', {});
  return Object.entries(variables).map(([name, prefix]) => ({
    name: `$${name.replace(/^\$/, '')}`,
    prefix: expandHome(prefix),
  }));
}

/** Whose findings stand in the source: those of the current recording, or of all that are open. */
export function findingsOf(): 'current' | 'all' {
  return vscode.workspace.getConfiguration('iolens').get('findingsOf') === 'all' ? 'all' : 'current';
}
