import { z } from 'zod';
import { LargeNumber } from '../large-number.ts';

/**
 * Returns the error text of a problem. Texts about sizes and ranges name the limit, and texts about unknown keys and
 * values name the known ones; there are also texts about values that are missing or have another type. Pass it to
 * `safeParse`: a text that the shape itself defines takes precedence.
 *
 * @returns undefined for other problems, which keep zod's text
 */
export function problemText(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'unrecognized_keys') return unknownKeys(issue);
  if (issue.code === 'invalid_value') return otherValue(issue);
  if (issue.code === 'invalid_type') return otherType(issue);
  if (issue.code !== 'too_big' && issue.code !== 'too_small') return undefined;
  const [bound, limit] = issue.code === 'too_big' ? ['at most', issue.maximum] : ['at least', issue.minimum];
  const { input, origin } = issue;
  if (typeof input === 'string') return sized(bound, limit, 'character', input.length);
  if (Array.isArray(input)) return sized(bound, limit, 'entry', input.length);
  if (origin !== 'number' && origin !== 'int') return undefined;
  if (issue.inclusive === false) return `must be ${issue.code === 'too_big' ? 'below' : 'above'} ${limit}`;
  return `must be ${bound} ${limit}`;
}

function unknownKeys({ keys, inst }: { keys: string[]; inst?: unknown }): string {
  const unknown = `unknown ${keys.length === 1 ? 'key' : 'keys'} ${keys.map((key) => JSON.stringify(key)).join(', ')}`;
  return inst instanceof z.ZodObject ? `${unknown}: use ${Object.keys(inst.shape).join(', ')}` : unknown;
}

function otherValue({ input, values }: { input?: unknown; values: unknown[] }): string {
  if (input === undefined) return 'is required';
  return `must be ${values.length === 1 ? '' : 'one of '}${values.map((each) => JSON.stringify(each)).join(', ')}`;
}

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  array: 'a list',
  object: 'an object',
  record: 'an object',
};

/**
 * Returns the text about a missing value or a value of another type. A whole value keeps zod's text, because its caller
 * names it.
 */
function otherType({
  input,
  expected,
  path,
  inst,
}: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidType>): string | undefined {
  if ((path ?? []).length === 0) return undefined;
  if (input === undefined) return 'is required';
  if (input instanceof LargeNumber && (expected === 'number' || expected === 'int')) return 'is too large';
  const name = typeNames[expected];
  if (name === undefined) return undefined;
  if (inst instanceof z.ZodObject)
    return `must be ${name} with the keys ${Object.keys(inst.shape).join(', ')}`;
  return expected === 'string' ? noString(input) : `must be ${name}`;
}

/**
 * Returns the text about a value that is not a string. YAML reads numbers and true without quotes as values of other
 * types.
 */
export function noString(input: unknown): string {
  if (typeof input === 'number' || input instanceof LargeNumber)
    return 'must be a string: put the number in quotes';
  if (typeof input === 'boolean') return `must be a string: put ${input} in quotes`;
  if (Array.isArray(input)) return 'must be a single string, and is a list';
  return 'must be a string';
}

const plurals = { character: 'characters', entry: 'entries' };

function sized(
  bound: string | undefined,
  limit: number | bigint,
  unit: keyof typeof plurals,
  size: number,
): string {
  return `must have ${bound} ${limit} ${Number(limit) === 1 ? unit : plurals[unit]}, and has ${size}`;
}
