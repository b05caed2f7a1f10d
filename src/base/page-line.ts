import * as v from 'valibot';

/**
 * What a page and its panel say to each other. The page *asks*, and each question is answered or fails; both sides *say*
 * things that need no answer. What comes from a page is not trusted and has a schema, of which its type derives; what
 * goes to a page is a type only. What page and panel both need stands in an object of its own: pages hold no schema of
 * what they say.
 */
export interface PageLine<
  Ends extends LineEnds = LineEnds,
  From extends LineFromPage = LineFromPage,
  To extends LineToPage<keyof From['asks']> = LineToPage<keyof From['asks']>,
> {
  readonly ends: Ends;
  readonly from: From;
  readonly to: To;
}

/** What both ends know. */
interface LineEnds {
  /** Raised when something changes its meaning: a page that was left by an older version says so. */
  readonly version: number;
  /** What the page keeps over a reload of the window, and over being hidden. */
  readonly state: v.GenericSchema;
}

/** What a page asks and says, by names. */
interface LineFromPage {
  readonly asks: Schemas;
  readonly says: Schemas;
}

/** What a panel says, and answers to each question. */
interface LineToPage<Question extends PropertyKey> {
  readonly says: object;
  readonly answers: Readonly<Record<Question, unknown>>;
}

type Schemas = Readonly<Record<string, v.GenericSchema>>;
type Values<Of extends Schemas> = { readonly [Name in keyof Of & string]: v.InferOutput<Of[Name]> };

export type ViewState<Line extends PageLine> = v.InferOutput<Line['ends']['state']>;
export type Questions<Line extends PageLine> = Values<Line['from']['asks']>;
export type Answered<Line extends PageLine> = {
  readonly [Name in keyof Questions<Line>]: Line['to']['answers'][Name];
};
export type Said<Line extends PageLine> = Values<Line['from']['says']>;
export type ToldPage<Line extends PageLine> = Line['to']['says'];

/** What is said under a name: nothing where the name says it all. */
export type Content<Value> = [Value] extends [undefined] ? [] : [value: Value];

/** What a page sends. Numbers are the page's own: its answers bear them. */
export type FromPage<Line extends PageLine = PageLine> =
  | { readonly ready: number }
  | {
      readonly [Name in keyof Questions<Line>]: {
        readonly ask: Name;
        readonly number: number;
        /** Earlier questions of the name no longer need an answer. */
        readonly isInstead: boolean;
        readonly value: Questions<Line>[Name];
      };
    }[keyof Questions<Line>]
  | { readonly [Name in keyof Said<Line>]: { readonly say: Name; readonly value: Said<Line>[Name] } }[keyof Said<Line>];

/** What a panel sends. */
export type FromPanel<Line extends PageLine = PageLine> = { readonly version: number } & (
  | {
      readonly [Name in keyof ToldPage<Line>]: { readonly say: Name; readonly value: ToldPage<Line>[Name] };
    }[keyof ToldPage<Line>]
  | { readonly answer: number; readonly value: Answered<Line>[keyof Answered<Line>] }
  | { readonly problem: number; readonly message: string; readonly name: string }
);

const VALUE = v.optional(v.unknown());
const FROM_PAGE = v.union([
  v.object({ ready: v.pipe(v.number(), v.finite()) }),
  v.object({
    ask: v.string(),
    number: v.pipe(v.number(), v.safeInteger(), v.minValue(0)),
    isInstead: v.boolean(),
    value: VALUE,
  }),
  v.object({ say: v.string(), value: VALUE }),
]);

/** A question that no panel answers as it is asked: whoever waits for the answer is told why. */
export interface RefusedQuestion {
  readonly refused: number;
  readonly why: string;
}

/** What came from a page, if it is of its line: content of webviews is not trusted blindly. */
export function heard<Line extends PageLine>(
  { asks, says }: Line['from'],
  message: unknown,
): FromPage<Line> | RefusedQuestion | undefined {
  const sent = v.safeParse(FROM_PAGE, message);
  if (!sent.success) return undefined;
  const { output } = sent;
  if ('ready' in output) return output;
  const [schemas, name] = 'ask' in output ? [asks, output.ask] : [says, output.say];
  const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
  const value = schema && v.safeParse(schema, output.value);
  if (value?.success === true) return { ...output, value: value.output } as FromPage<Line>;
  if ('say' in output) return undefined;
  return { refused: output.number, why: value?.issues[0].message ?? 'this is not known' };
}

/** What a page kept, if it is of its line. */
export function keptState<Schema extends v.GenericSchema>(
  { state }: { readonly state: Schema },
  kept: unknown,
): v.InferOutput<Schema> | undefined {
  const parsed = v.safeParse(state, kept);
  return parsed.success ? parsed.output : undefined;
}
