import { getOwn } from "./codec/json.ts";
import { ConfigurationError } from "./errors.ts";

/** What an option must be, and the test of it. */
type Kind = readonly [expected: string, fits: (value: unknown) => boolean];

const text: Kind = ["a string", (value) => typeof value === "string"];
const method: Kind = ["a function", (value) => typeof value === "function"];
const object: Kind = [
  "an object",
  (value) => typeof value === "object" && value !== null,
];
const time: Kind = ["positive", (value) => (value as number) > 0];
const amount: Kind = [
  "a non-negative number",
  (value) => (value as number) >= 0,
];
const count: Kind = [
  "a non-negative integer",
  (value) => Number.isInteger(value) && (value as number) >= 0,
];
const signal: Kind = [
  "an AbortSignal",
  (value) => value instanceof AbortSignal,
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
 * an option is unknown, perhaps misspelt, or has an invalid value.
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
    if (!kind[1](value))
      throw new ConfigurationError(`${name} must be ${kind[0]}`);
    given[name] = value;
  }
  return given as Given<Options>;
}
