import type { Contributions } from '../editor/contributions.ts';
import type { Services } from '../editor/services.ts';

/** What of this machine recording and reading need. */
export class MachineFeature {
  constructor(
    private readonly services: Services,
    contributions: Contributions,
  ) {
    contributions.command('doctor', () => this.check());
  }

  private check(): Promise<void> {
    const { programs, context } = this.services;
    return programs.checkThisMachine(context);
  }
}
