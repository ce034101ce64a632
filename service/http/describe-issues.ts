import type { z } from 'zod';
import { shorten } from '../errors/shorten.ts';

/** Further problems are counted, and longer texts are truncated: a body may have a problem for each of its values. */
const maxIssues = 20;
const maxCharacters = 1_000;

/** Lists problems with their paths, for example `nodes[0].name: must start with a letter; version: is required`. */
export function describeIssues({ issues }: z.ZodError): string {
  const shown = issues.slice(0, maxIssues).map(describe);
  return [...shown, ...(issues.length > maxIssues ? [`and ${issues.length - maxIssues} more`] : [])].join(
    '; ',
  );
}

function describe(issue: z.core.$ZodIssue): string {
  const place = issue.path.reduce<string>(
    (path, key) =>
      typeof key === 'number' ? `${path}[${key}]` : path ? `${path}.${String(key)}` : String(key),
    '',
  );
  const isNoObject = issue.code === 'invalid_type' && /^(object|record)$/.test(issue.expected);
  // Only bodies are checked as a whole; parameters are always an object.
  const whole = isNoObject ? 'the body must be a JSON object' : issue.message;
  const text = place ? `${place}: ${issue.message}` : whole;
  return shorten(text, maxCharacters);
}
