import type { CallStackTable } from '../../trace/call-stacks.ts';
import { IntegerColumn } from '../../trace/columns.ts';
import { NONE } from '../../trace/events.ts';
import type { FileDefinitions } from './definitions.ts';

const UNKNOWN = -2;
/** What frames of Python have for a module; no file is looked for. */
const PYTHON = 'Python';

/** Nodes of the call stacks of one file by their numbers, as they stand in the trace. */
export class ProcessStacks {
  private readonly nodes = new IntegerColumn();
  /** Modules of the trace by their numbers in the file. */
  private readonly modules = new Map<number, number>();

  constructor(
    private readonly stacks: CallStackTable,
    private readonly defined: FileDefinitions,
    private readonly onRebuilt: (module: string) => void,
  ) {}

  /** Lets go of what can be worked out again. */
  forget(): void {
    this.nodes.become(new IntegerColumn());
    this.modules.clear();
  }

  /** The node in the trace, NONE for no stack, and for one that was lost. */
  nodeOf(number: number): number {
    if (!(number > 0 && number < this.defined.nodeCaller.length)) return NONE;
    while (this.nodes.length <= number) this.nodes.push(UNKNOWN);
    const known = this.nodes.values[number]!;
    return known === UNKNOWN ? this.intern(number) : known;
  }

  private intern(number: number): number {
    const { nodeCaller, nodeModule, nodeAddress } = this.defined;
    // Callers have lower numbers, so the chain ends.
    const chain: number[] = [];
    let at = number;
    for (; at > 0 && this.nodes.values[at] === UNKNOWN; at = nodeCaller.at(at)) chain.push(at);
    let node = at > 0 ? this.nodes.values[at]! : NONE;
    for (const each of chain.reverse()) {
      const address = nodeAddress.at(each);
      // A node that was lost: what was called from it is known all the same.
      if (!Number.isNaN(address)) node = this.stacks.internNode(node, this.frameAt(each, nodeModule.at(each), address));
      this.nodes.values[each] = node;
    }
    return node;
  }

  private frameAt(node: number, number: number, value: number): number {
    const { stacks, defined } = this;
    const named = defined.namedNodes.get(node);
    if (named !== undefined) {
      const [symbol, sourceFile] = [defined.texts.get(named.function) ?? '', defined.texts.get(named.file) ?? ''];
      const frame = { module: PYTHON, value: 0, symbol, symbolOffset: 0, sourceFile, sourceLine: named.line };
      stacks.moduleForms.set(stacks.modules.intern(PYTHON), 'named');
      return stacks.internFrame(frame);
    }
    return stacks.internAddress(this.moduleOf(number), value);
  }

  private moduleOf(number: number): number {
    let module = this.modules.get(number);
    if (module === undefined) {
      const { path, buildId } = this.defined.modules.get(number) ?? { path: '', buildId: '' };
      module = this.stacks.modules.intern(path);
      this.modules.set(number, module);
      if (path !== '') this.describe(module, buildId);
    }
    return module;
  }

  private describe(module: number, buildId: string): void {
    const { moduleForms, moduleBuilds } = this.stacks;
    moduleForms.set(module, 'address');
    if (buildId === '') return;
    const known = moduleBuilds.get(module);
    if (known === undefined) moduleBuilds.set(module, buildId);
    else if (known !== buildId) this.onRebuilt(this.stacks.modules.at(module));
  }
}
