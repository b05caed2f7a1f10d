import {
  keptState,
  type Answered,
  type Content,
  type FromPage,
  type FromPanel,
  type PageLine,
  type Questions,
  type Said,
  type ToldPage,
  type ViewState,
} from '../../src/base/page-line.ts';

/** What the editor gives to the script of a page, once. */
declare function acquireVsCodeApi(): {
  postMessage(message: FromPage): void;
  getState(): unknown;
  setState(state: unknown): void;
};

interface Pending {
  readonly name: string;
  readonly resolve: (answer: never) => void;
  readonly reject: (error: Error) => void;
}

/** What a page does when its panel says something; one for each thing that can be said. */
export type PageHears<Line extends PageLine> = {
  readonly [Name in keyof ToldPage<Line>]: (value: ToldPage<Line>[Name]) => void;
};

/** Name of the error of a question that another one took the place of. */
const OVERTAKEN = 'OvertakenError';
const OTHER_VERSION = 'This view is from another version of I/O Lens: close and open it.';

/** The end of a line that a page holds. */
export class PageEnd<Line extends PageLine> {
  /** What the page left behind when it was shown before. */
  readonly kept: ViewState<Line> | undefined;
  private readonly editor = acquireVsCodeApi();
  private readonly pending = new Map<number, Pending>();
  private last = 0;

  constructor(private readonly ends: Line['ends']) {
    this.kept = keptState(ends, this.editor.getState());
  }

  say<Name extends keyof Said<Line>>(name: Name, ...[value]: Content<Said<Line>[Name]>): void {
    this.editor.postMessage({ say: name, value });
  }

  /** Fails as the panel does. */
  ask<Name extends keyof Questions<Line>>(
    name: Name,
    ...[value]: Content<Questions<Line>[Name]>
  ): Promise<Answered<Line>[Name]> {
    return this.askAs(name, value, false);
  }

  /** Asks in the place of earlier questions of the name: these fail as `unlessOvertaken` knows. */
  askInstead<Name extends keyof Questions<Line>>(
    name: Name,
    ...[value]: Content<Questions<Line>[Name]>
  ): Promise<Answered<Line>[Name]> {
    this.overtake(name);
    return this.askAs(name, value, true);
  }

  /** Questions of a name that are open fail, as `unlessOvertaken` knows: what they were about gave way. */
  overtake(question: keyof Questions<Line>): void {
    this.forget(OVERTAKEN, question);
  }

  private askAs<Name extends keyof Questions<Line>>(
    ask: Name,
    value: unknown,
    isInstead: boolean,
  ): Promise<Answered<Line>[Name]> {
    const number = ++this.last;
    return new Promise<Answered<Line>[Name]>((resolve, reject) => {
      this.pending.set(number, { name: ask, resolve, reject });
      this.editor.postMessage({ ask, number, isInstead, value });
    });
  }

  keep(state: ViewState<Line>): void {
    this.editor.setState(state);
  }

  /** Questions that are open fail: what they were about is shown no more. @param question none for all. */
  forget(reason: string, question?: string): void {
    for (const [number, { name, reject }] of this.pending) {
      if (question !== undefined && name !== question) continue;
      this.pending.delete(number);
      reject(named(reason, reason));
    }
  }

  /** Hears what the panel says from now on, and tells it so. @param fail tells the user why nothing is shown. */
  listen(hears: PageHears<Line>, fail: (message: string) => void): void {
    window.addEventListener('message', ({ data }: MessageEvent<FromPanel<Line>>) => {
      if (data.version !== this.ends.version) fail(OTHER_VERSION);
      else if ('say' in data) hears[data.say](data.value);
      else this.settle(data);
    });
    this.editor.postMessage({ ready: this.ends.version });
  }

  private settle(data: Exclude<FromPanel<Line>, { say: unknown }>): void {
    const number = 'answer' in data ? data.answer : data.problem;
    const question = this.pending.get(number);
    this.pending.delete(number);
    if ('answer' in data) question?.resolve(data.value as never);
    else question?.reject(named(data.name, data.message));
  }
}

function named(name: string, message: string): Error {
  return Object.assign(new Error(message), { name });
}

/** What is done with the error of a question, unless a newer one took its place. */
export function unlessOvertaken(tell: (message: string) => void): (error: Error) => void {
  return ({ name, message }) => {
    if (name !== OVERTAKEN) tell(message);
  };
}
