import * as vscode from 'vscode';
import type { Contributions, FillView, FollowLink, RestorePanel, ShowFile } from '../features/editor/contributions.ts';
import type { View } from '../features/editor/deferred-tree.ts';

type Run = (...values: never[]) => unknown;

/** What the features answer to, by the names of package.json; the editor's questions are handed on to it. */
export class LoadedContributions implements Contributions {
  private readonly commands = new Map<string, Run>();
  private readonly panels = new Map<string, RestorePanel>();
  private readonly editors = new Map<string, ShowFile>();
  private readonly providers = new Map<string, vscode.TaskProvider>();
  private readonly tools = new Map<string, vscode.LanguageModelTool<never>>();
  private readonly pages = new Map<string, FillView>();
  private follower: FollowLink | undefined;

  constructor(
    private readonly views: ReadonlyMap<string, View<unknown>>,
    private readonly subscriptions: { dispose(): unknown }[],
  ) {}

  command(name: string, run: Run): void {
    add(this.commands, `iolens.${name}`, run);
  }

  ownCommand(name: string, run: Run): void {
    this.own(vscode.commands.registerCommand(`iolens.${name}`, run));
  }

  panel(type: string, restore: RestorePanel): void {
    add(this.panels, type, restore);
  }

  editor(type: string, show: ShowFile): void {
    add(this.editors, type, show);
  }

  tasks(type: string, provider: vscode.TaskProvider): void {
    add(this.providers, type, provider);
  }

  tool<Input>(name: string, tool: vscode.LanguageModelTool<Input>): void {
    add(this.tools, name, tool);
  }

  links(follow: FollowLink): void {
    if (this.follower !== undefined) throw new Error('two features answer to links');
    this.follower = follow;
  }

  view<Row>(name: string): View<Row> {
    // One feature fills it: its rows are what that feature says.
    return named(this.views, `iolens.${name}`) as View<Row>;
  }

  page(name: string, fill: FillView): void {
    add(this.pages, `iolens.${name}`, fill);
  }

  own(...things: readonly { dispose(): unknown }[]): void {
    this.subscriptions.push(...things);
  }

  /** @param command as in package.json. */
  run(command: string, values: never[]): unknown {
    return named(this.commands, command)(...values);
  }

  restore(type: string, panel: vscode.WebviewPanel, state: unknown): unknown {
    return named(this.panels, type)(panel, state);
  }

  show(type: string, ...shown: Parameters<ShowFile>): unknown {
    return named(this.editors, type)(...shown);
  }

  fill(id: string, ...shown: Parameters<FillView>): unknown {
    return named(this.pages, id)(...shown);
  }

  taskProvider(type: string): vscode.TaskProvider {
    return named(this.providers, type);
  }

  languageModelTool(name: string): vscode.LanguageModelTool<never> {
    return named(this.tools, name);
  }

  follow(link: vscode.Uri): unknown {
    return this.follower?.(link);
  }

  /** The commands that a feature answers to, as package.json names them. */
  get commandNames(): readonly string[] {
    return [...this.commands.keys()];
  }
}

function add<Answer>(answers: Map<string, Answer>, name: string, answer: Answer): void {
  if (answers.has(name)) throw new Error(`two features answer to ${name}`);
  answers.set(name, answer);
}

function named<Answer>(answers: ReadonlyMap<string, Answer>, name: string): Answer {
  const answer = answers.get(name);
  if (answer === undefined) throw new Error(`no feature answers to ${name}`);
  return answer;
}
