import { getOwn } from "./codec/json.ts";
import { ConfigurationError } from "./errors.ts";

/** Description of a valid option, ending with its type, and a further check. */
type Kind = readonly [expected: string, fits?: (value: number) => boolean];

const text: Kind = ["a string"];
const method: Kind = ["a function"];
const object: Kind = ["an object"];
const time: Kind = ["a positive number", (value) => value > 0];
const amount: Kind = ["a non-negative number", (value) => value >= 0];
const count: Kind = [
  "a non-negative whole number",
  (value) => value % 1 === 0 && value >= 0,
];
/** Avoids `instanceof`, because each frame of a page has its own class. */
const signal: Kind = [
  "an AbortSignal object",
  (value) => "aborted" in (value as unknown as AbortSignal),
];

/** Kinds of options by name. */
type Kinds = Readonly<Record<string, Kind>>;

const shared: Kinds = {
  timeoutMs: time,
  attemptTimeoutMs: time,
  maxRetries: count,
  headers: object,
};

/** Options of a client. */
export const clientOptions: Kinds = {
  ...shared,
  apiKey: text,
  token: method,
  baseUrl: text,
  retryBudget: amount,
  retryDelayMs: amount,
  maxRetryDelayMs: amount,
  fetch: method,
  webSocket: method,
  logger: method,
};

/** Options of a call. */
export const callOptions: Kinds = { ...shared, signal, idempotencyKey: text };

/** Options without those that are undefined. */
export type Given<Options> = {
  [Name in keyof Options]?: Exclude<Options[Name], undefined>;
};

/**
 * Returns the options that are not undefined. Throws a `ConfigurationError` if
 * an option is unknown or has an invalid value.
 */
export function checkedOptions<Options extends object>(
  options: Options,
  kinds: Kinds,
): Given<Options> {
  const given: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(options)) {
    const kind = getOwn(kinds, name) as Kind | undefined;
    if (!kind) throw new ConfigurationError(`unknown option "${name}"`);
    if (value === undefined) continue;
    const [expected, fits] = kind;
    const isFitting =
      value !== null &&
      expected.endsWith(typeof value) &&
      fits?.(value as number) !== false;
    if (!isFitting) throw new ConfigurationError(`${name} must be ${expected}`);
    given[name] = value;
  }
  return given as Given<Options>;
}
