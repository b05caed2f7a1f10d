import * as vscode from 'vscode';
import { messageOf } from '../../base/error-message.ts';
import { findBinding } from '../../session/fleet/engine-binding.ts';
import {
  installEngine,
  neededPackage,
  NPM_REGISTRY,
  packageAddress,
  type EngineSource,
} from '../../session/fleet/install-engine.ts';
import { isTrustedFor } from '../editor/trust.ts';
import { engineFolders, installedEngineFolder } from './engine-folders.ts';

/**
 * "Install SQL Engine…": gets DuckDB's native part, which the package of the extension leaves out, from the npm registry
 * after asking, or from a file that was carried over. Nothing is downloaded that the user was not told of.
 */
export async function installSqlEngine(context: vscode.ExtensionContext): Promise<void> {
  const why = vscode.l10n.t('I/O Lens: the SQL engine is a program: it is installed in trusted workspaces only.');
  if (!isTrustedFor(why)) return;
  const found = findBinding(engineFolders(context));
  const source = await askForSource(found);
  if (source === undefined) return;
  const progress = {
    location: vscode.ProgressLocation.Notification,
    title: vscode.l10n.t('I/O Lens: installing the SQL engine'),
    cancellable: true,
  };
  try {
    await vscode.window.withProgress(progress, (report, token) => install(context, source, report, token));
    void vscode.window.showInformationMessage(vscode.l10n.t('I/O Lens: the SQL engine is installed.'));
  } catch (error) {
    if (error instanceof Error && error.name === 'AbortError') return;
    const message = messageOf(error);
    void vscode.window.showErrorMessage(vscode.l10n.t('I/O Lens: the SQL engine was not installed. {0}', message));
  }
}

type Report = vscode.Progress<{ increment?: number }>;

async function install(
  context: vscode.ExtensionContext,
  source: EngineSource,
  report: Report,
  token: vscode.CancellationToken,
): Promise<void> {
  const cancelled = new AbortController();
  token.onCancellationRequested(() => cancelled.abort());
  let last = 0;
  const progress = (done: number, all: number | undefined): void => {
    if (all === undefined) return;
    const percent = (100 * done) / all;
    report.report({ increment: percent - last });
    last = percent;
  };
  await installEngine(source, installedEngineFolder(context), neededPackage(), { signal: cancelled.signal, progress });
}

async function askForSource(found: string | undefined): Promise<EngineSource | undefined> {
  const address = packageAddress(NPM_REGISTRY, neededPackage());
  const download = {
    label: vscode.l10n.t('Download from the npm registry'),
    description: vscode.l10n.t('about 25 MB, 70 MB on disk'),
    detail: address,
  };
  const carried = {
    label: vscode.l10n.t('Install from a file…'),
    description: vscode.l10n.t('for machines without a network'),
    detail: vscode.l10n.t('the .tgz of the same address, copied here'),
  };
  const placeHolder =
    found === undefined
      ? vscode.l10n.t('DuckDB answers questions about stores; where does it come from?')
      : vscode.l10n.t('It is installed already: {0}. Install it again?', found);
  const chosen = await vscode.window.showQuickPick([download, carried], { placeHolder });
  if (chosen === undefined) return undefined;
  if (chosen === download) return { registry: NPM_REGISTRY };
  const [file] =
    (await vscode.window.showOpenDialog({
      filters: { [vscode.l10n.t('npm package')]: ['tgz', 'gz'] },
      openLabel: vscode.l10n.t('Install'),
    })) ?? [];
  return file === undefined ? undefined : { file: file.fsPath };
}
