import type { z } from 'zod';
import { problemText } from '../../specs/operations/problem-text.ts';
import type { YamlText } from './read-yaml.ts';

/**
 * Maximum number of problems that are listed. Further ones are only counted: a document may have one for each
 * of its values.
 */
const maxProblems = 20;

/**
 * Checks a document against its shape.
 *
 * @returns a line for each problem, for example `package.yaml:7: nodes[0] ("Echo"): unknown key "inptu": use name, input`
 */
export function documentProblems(file: string, document: YamlText, shape: z.ZodType): string[] {
  const parsed = shape.safeParse(document.value, { error: problemText });
  if (parsed.success) return [];
  const other = otherThanObject(document.value);
  if (other !== undefined) return [`${file}: ${other}: write keys and their values`];
  const problems = parsed.error.issues.map((issue) => {
    const line = document.lineOf(placeOf(issue));
    const place = fieldName(issue.path) + ownName(document.value, issue.path);
    return `${file}${line === undefined ? '' : `:${line}`}: ${place === '' ? '' : `${place}: `}${issue.message}`;
  });
  const further = problems.length - maxProblems;
  return [...problems.slice(0, maxProblems), ...(further > 0 ? [`${file}: and ${further} more`] : [])];
}

function otherThanObject(value: unknown): string | undefined {
  if (value === null) return 'the file is empty';
  if (Array.isArray(value)) return 'the file contains a list';
  return typeof value === 'object' ? undefined : 'the file contains a single value';
}

/**
 * Returns the path to locate an issue. An unknown key has its own line, but its issue names the enclosing
 * object.
 */
function placeOf(issue: z.core.$ZodIssue): PropertyKey[] {
  const [key] = issue.code === 'unrecognized_keys' ? issue.keys : [];
  return key === undefined ? issue.path : [...issue.path, key];
}

/** Returns for example `nodes[1].input`, or an empty text for the whole document. */
function fieldName(path: readonly PropertyKey[]): string {
  const name = path.map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`)).join('');
  return name.replace(/^\./, '');
}

/** Returns the name of the entry of a list that has the problem, for example ` ("price")`. */
function ownName(document: unknown, path: readonly PropertyKey[]): string {
  const [list, index] = path;
  if (typeof list !== 'string' || typeof index !== 'number') return '';
  const entry = (document as Record<string, Record<string, unknown>[]>)[list]?.[index];
  const name = entry?.id ?? entry?.name;
  return typeof name === 'string' ? ` (${JSON.stringify(name)})` : '';
}
