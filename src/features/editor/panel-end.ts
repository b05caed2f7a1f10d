import { messageOf } from '../../base/error-message.ts';
import {
  heard,
  type Answered,
  type FromPage,
  type FromPanel,
  type PageLine,
  type Questions,
  type RefusedQuestion,
  type Said,
  type ToldPage,
} from '../../base/page-line.ts';

/** What the panel does with what the page says; one for each thing that can be said. */
export type PanelHears<Line extends PageLine> = {
  readonly [Name in keyof Said<Line>]: (value: Said<Line>[Name]) => unknown;
};

/** How the panel answers; one for each question. */
export type PanelAnswers<Line extends PageLine> = {
  readonly [Name in keyof Questions<Line>]: (
    question: Questions<Line>[Name],
    asked: Asked,
  ) => Promise<Answered<Line>[Name]> | Answered<Line>[Name];
};

/** A question that is being answered. */
interface Asked {
  /** Aborted when nobody waits for the answer. */
  readonly signal: AbortSignal;
}

/** Who answers and hears for a panel. */
export interface PanelSide<Line extends PageLine> {
  readonly answers: PanelAnswers<Line>;
  readonly hears: PanelHears<Line>;
  /** Says what is to be seen: the page is ready, or is made anew. */
  present(): void;
  /** Something that the page said could not be done. */
  failed(error: unknown): void;
}

/** What a webview has for messages. */
interface PageHost {
  postMessage(message: unknown): unknown;
  onDidReceiveMessage(listener: (message: unknown) => unknown): { dispose(): unknown };
}

interface Running {
  readonly name: string;
  readonly control: AbortController;
}

/** The end of a line that a panel holds. */
export class PanelEnd<Line extends PageLine> {
  private hasHeard = false;
  private isSeen = true;
  /**
   * What was said since nobody knows whether the page is there: of each name the last. One that is hidden is gone, and is
   * made anew when it is seen again; unless it was only moved, of which nobody is told.
   */
  private unsure: Map<PropertyKey, FromPanel<Line>> | undefined = new Map();
  private readonly running = new Set<Running>();
  private readonly subscription: { dispose(): unknown };

  constructor(
    private readonly webview: PageHost,
    private readonly ends: Line['ends'],
    from: Line['from'],
    private readonly side: PanelSide<Line>,
  ) {
    this.subscription = webview.onDidReceiveMessage((message: unknown) => {
      const known = heard(from, message);
      if (known !== undefined) void this.receive(known);
    });
  }

  /** Whether a page has heard what is to be seen. */
  get isReady(): boolean {
    return this.hasHeard;
  }

  /** Says what is to be seen, as soon as the page can hear it. */
  present(): void {
    if (this.hasHeard) this.side.present();
  }

  /** What is said before the page is ready waits for it. */
  say<Name extends keyof ToldPage<Line>>(name: Name, value: ToldPage<Line>[Name]): void {
    const message = { version: this.ends.version, say: name, value } as FromPanel<Line>;
    if (this.unsure !== undefined) {
      this.unsure.delete(name);
      this.unsure.set(name, message);
    }
    if (this.hasHeard && this.isSeen) this.post(message);
  }

  /** The panel is hidden, or seen again. A page that is still there hears what was said meanwhile. */
  seen(isSeen: boolean): void {
    if (isSeen === this.isSeen) return;
    this.isSeen = isSeen;
    if (!isSeen) this.unsure = new Map();
    else if (this.hasHeard) this.postAll(this.unsure);
  }

  private async receive(message: FromPage | RefusedQuestion): Promise<void> {
    if ('ready' in message) {
      this.begin();
      return;
    }
    if (this.isSeen) this.unsure = undefined;
    if ('refused' in message) this.refuse(message);
    else if ('ask' in message) await this.answer(message);
    else {
      try {
        await this.side.hears[message.say]!(message.value);
      } catch (error) {
        this.side.failed(error);
      }
    }
  }

  private begin(): void {
    // A page that was made anew has asked nothing yet.
    this.abort();
    const said = this.unsure;
    this.hasHeard = this.isSeen = true;
    this.unsure = undefined;
    this.side.present();
    this.postAll(said);
  }

  private refuse({ refused, why }: RefusedQuestion): void {
    const { version } = this.ends;
    this.post({ version, problem: refused, message: `This cannot be asked: ${why}.`, name: 'RefusedQuestionError' });
  }

  private async answer({ ask, number, isInstead, value }: Extract<FromPage, { ask: string }>): Promise<void> {
    if (isInstead) this.abort(ask);
    const control = new AbortController();
    const { signal } = control;
    const running = { name: ask, control };
    this.running.add(running);
    const { version } = this.ends;
    try {
      const answer = await this.side.answers[ask]!(value, { signal });
      if (!signal.aborted) this.post({ version, answer: number, value: answer });
    } catch (error) {
      const name = error instanceof Error ? error.name : 'Error';
      if (!signal.aborted) this.post({ version, problem: number, message: messageOf(error), name });
    } finally {
      this.running.delete(running);
    }
  }

  /** @param question none for all. */
  private abort(question?: string): void {
    for (const { name, control } of this.running) if (question === undefined || name === question) control.abort();
  }

  private postAll(messages: ReadonlyMap<PropertyKey, FromPanel<Line>> | undefined): void {
    for (const message of messages?.values() ?? []) this.post(message);
  }

  private post(message: FromPanel<Line>): void {
    void this.webview.postMessage(message);
  }

  dispose(): void {
    this.abort();
    this.hasHeard = false;
    this.subscription.dispose();
  }
}
