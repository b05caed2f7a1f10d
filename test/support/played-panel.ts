import {
  heard,
  type FromPage,
  type PageLine,
  type Questions,
  type Said,
  type ToldPage,
} from '../../src/base/page-line.ts';
import { PanelEnd, type PanelAnswers, type PanelHears } from '../../src/features/editor/panel-end.ts';

/** What a test does in place of a panel. */
interface Part<Line extends PageLine> {
  readonly answers: PanelAnswers<Line>;
  /** Nothing is done with the rest. */
  readonly hears?: Partial<PanelHears<Line>>;
  readonly present: () => unknown;
}

/** A panel without an editor: it talks with a page in a browser, and remembers what the page said. */
export class PlayedPanel<Line extends PageLine> {
  /** All that the page said and asked so far. */
  readonly heard: FromPage<Line>[] = [];
  /** What the page sent though it is not of its line. */
  readonly problems: string[] = [];
  private listener: (message: unknown) => unknown = () => undefined;
  private sent: Promise<void> = Promise.resolve();
  private readonly end: PanelEnd<Line>;

  constructor(
    ends: Line['ends'],
    private readonly from: Line['from'],
    send: (message: unknown) => Promise<void>,
    { answers, hears = {}, present }: Part<Line>,
  ) {
    const webview = {
      postMessage: (message: unknown) => {
        this.sent = send(message);
        // A page that is gone takes nothing, which is no error.
        return this.sent.then(
          () => true,
          () => false,
        );
      },
      onDidReceiveMessage: (listener: (message: unknown) => unknown) => {
        this.listener = listener;
        return { dispose: () => undefined };
      },
    };
    const all = new Proxy(hears as PanelHears<Line>, {
      get: (known, name) => (Reflect.has(known, name) ? (Reflect.get(known, name) as unknown) : () => undefined),
    });
    this.end = new PanelEnd<Line>(webview, ends, from, {
      answers,
      hears: all,
      present: () => void present(),
      failed: (error) => this.problems.push(String(error)),
    });
  }

  /** Takes a message of the page. */
  hear(message: unknown): void {
    const revived = withBytes(message);
    const known = heard<Line>(this.from, revived);
    if (known === undefined || 'refused' in known)
      this.problems.push(`not of the line: ${JSON.stringify(message).slice(0, 300)}`);
    else this.heard.push(known);
    this.listener(revived);
  }

  /** Resolves when the page was given the message. */
  say<Name extends keyof ToldPage<Line>>(name: Name, value: ToldPage<Line>[Name]): Promise<void> {
    this.end.say(name, value);
    return this.sent;
  }

  /** What the page said under a name, in order. */
  said<Name extends keyof Said<Line>>(name: Name): Said<Line>[Name][] {
    return this.heard.flatMap((message) => ('say' in message && message.say === name ? [message.value] : []));
  }

  /** The questions of a name, in order. */
  asked<Name extends keyof Questions<Line>>(name: Name): Questions<Line>[Name][] {
    return this.heard.flatMap((message) => ('ask' in message && message.ask === name ? [message.value] : []));
  }
}

/** A picture's bytes become an object on the way from a page to its test. */
function withBytes(message: unknown): unknown {
  const { value } = message as { value?: { content?: unknown } };
  if (typeof value?.content !== 'object' || value.content === null) return message;
  return { ...(message as object), value: { ...value, content: Uint8Array.from(Object.values(value.content)) } };
}
