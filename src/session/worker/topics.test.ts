import { describe, expect, test } from 'vitest';
import { serveSession, type ServerPort } from './serve-session.ts';
import { callTopic, lazily, remote, type Hooks, type Remote } from './topics.ts';
import type { Reply, Request } from './worker-protocol.ts';

class Clock {
  private readonly zone = 'UTC';

  async now(): Promise<string> {
    return Promise.resolve(`12:00 ${this.zone}`);
  }

  async wait(seconds: number, hooks: Hooks = {}): Promise<number> {
    for (let second = 1; second <= seconds; second++) {
      hooks.signal?.throwIfAborted();
      hooks.progress?.(second / seconds);
      await Promise.resolve();
    }
    return seconds;
  }
}

interface Topics {
  readonly clock: Clock;
}

describe('what the types refuse', () => {
  const clock = remote<Topics>(() => Promise.resolve()).clock;
  const port: ServerPort = { send: () => undefined, receive: () => undefined };

  test('a caller names only what is answered, and hands over what is asked for', () => {
    // @ts-expect-error the clock has no such method
    expect(clock.yesterday).toBeDefined();
    // @ts-expect-error seconds are a number
    void clock.wait('5');
    // @ts-expect-error what is private stays on its side
    expect(clock.zone).toBeDefined();
  });

  test('who answers leaves nothing out', () => {
    const { now } = clock;
    // @ts-expect-error `wait` is missing
    serveSession<Topics>({ clock: { now } }, port);
    // @ts-expect-error the whole topic is missing
    serveSession<Topics>({}, port);
  });

  test('what promises no answer is served to nobody', () => {
    const early = { clock: { now: () => '12:00' } };
    // @ts-expect-error it promises nothing
    serveSession<typeof early>(early, port);
  });
});

describe('calls by name', () => {
  const topics = { clock: new Clock() };

  test('reach the methods of a class and of an object', async () => {
    expect(await callTopic(topics, 'clock', 'now', [])).toBe('12:00 UTC');
    expect(await callTopic({ clock: { now: () => Promise.resolve(1) } }, 'clock', 'now', [])).toBe(1);
  });

  test.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'nothing', ''])(
    'there is no topic %j',
    async (topic) => {
      await expect(callTopic(topics, topic, 'now', [])).rejects.toThrow('there is no topic');
    },
  );

  test.each(['__proto__', 'constructor', 'toString', '__defineGetter__', 'zone', 'nothing', ''])(
    'there is no method %j',
    async (method) => {
      await expect(callTopic(topics, 'clock', method, [])).rejects.toThrow('there is no method');
    },
  );

  test('a topic that is loaded later refuses the same', async () => {
    const loads: string[] = [];
    const later = {
      clock: lazily(() => {
        loads.push('clock');
        return Promise.resolve(new Clock());
      }),
    };
    expect(loads).toEqual([]);
    expect(await callTopic(later, 'clock', 'now', [])).toBe('12:00 UTC');
    expect(await later.clock.wait(2)).toBe(2);
    for (const name of ['constructor', '__proto__', 'then', 'zone'])
      await expect(callTopic(later, 'clock', name, [])).rejects.toThrow('there is no method');
    expect(loads).toEqual(['clock']);
  });
});

test('topics that are elsewhere can be awaited themselves', async () => {
  const far = remote<Topics>((topic, method, values) => Promise.resolve([topic, method, values]));
  expect(await Promise.resolve(far)).toBe(far);
  expect(await Promise.resolve(far.clock)).toBe(far.clock);
  expect(await far.clock.now()).toEqual(['clock', 'now', []]);
});

/** Both ends of a line. */
function served(topics: Remote<Topics>): {
  say(request: Request): void;
  readonly replies: Reply[];
  end(): Promise<void>;
} {
  const replies: Reply[] = [];
  let ended: () => void = () => undefined;
  const end = new Promise<void>((resolve) => (ended = resolve));
  let handle: (request: Request) => void = () => undefined;
  serveSession<Topics>(topics, {
    send: (reply) => {
      replies.push(reply);
      if (reply.kind !== 'progress') ended();
    },
    receive: (handler) => (handle = handler),
  });
  return {
    say: (request) => handle(request),
    replies,
    end: () => end,
  };
}

describe('whoever answers', () => {
  const call = { kind: 'call', id: 1, topic: 'clock', method: 'wait', values: [3], hasHooks: true } as const;

  test('tells any caller who wants to know how far it is', async () => {
    const line = served({ clock: new Clock() });
    line.say(call);
    await line.end();
    expect(line.replies.map((reply) => (reply.kind === 'progress' ? reply.share : reply.kind))).toEqual([
      1 / 3,
      2 / 3,
      1,
      'result',
    ]);
  });

  test('tells nobody else', async () => {
    const line = served({ clock: new Clock() });
    line.say({ ...call, hasHooks: false });
    await line.end();
    expect(line.replies).toEqual([{ kind: 'result', id: 1, value: 3 }]);
  });

  test('stops when the caller wants no answer any longer', async () => {
    const line = served({ clock: new Clock() });
    line.say(call);
    line.say({ kind: 'cancel', id: 1 });
    await line.end();
    expect(line.replies.at(-1)).toMatchObject({ kind: 'error', name: 'CancelledError' });
  });

  test('keeps the name of an error', async () => {
    const line = served({ clock: new Clock() });
    line.say({ ...call, topic: 'constructor' });
    await line.end();
    expect(line.replies).toEqual([
      { kind: 'error', id: 1, name: 'RangeError', message: 'there is no topic constructor' },
    ]);
  });
});
