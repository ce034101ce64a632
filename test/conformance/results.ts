import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { ConformanceRow } from '../../generator/documents/conformance-section.ts';

/** Rows by language: the results of its last run. */
export type ConformanceResults = Record<string, ConformanceRow>;

const projectRoot = path.resolve(import.meta.dirname, '../..');

/** The results that archives contain, as data of the generator. */
const resultsFile = path.join(projectRoot, 'templates/documents/conformance.json');

/** The page of the documentation. */
export const tableFile = path.join(projectRoot, 'docs/conformance.md');

/** The committed results. */
export function readResults(): ConformanceResults {
  return JSON.parse(readFileSync(resultsFile, 'utf8')) as ConformanceResults;
}

/** Writes rows to both files, and keeps the rows of languages that did not run. */
export function writeResults(rows: ConformanceResults): void {
  const all = Object.entries({ ...readResults(), ...rows }).sort(([a], [b]) => (a < b ? -1 : 1));
  const results = Object.fromEntries(all);
  writeFileSync(resultsFile, `${JSON.stringify(results, null, 2)}\n`);
  writeFileSync(tableFile, resultsTable(results));
}

/** The page, a table of languages by groups. */
export function resultsTable(results: ConformanceResults): string {
  const languages = Object.keys(results);
  const groups = [...new Set(Object.values(results).flatMap((row) => Object.keys(row)))].sort();
  const rows = groups.map((group) => [
    group,
    ...languages.map((language) => cell(results[language]?.[group])),
  ]);
  const totals = languages.map((language) => cell(totalOf(results[language] ?? {})));
  const table = [['group', ...languages], ...rows, ['all', ...totals]];
  return `# Conformance

The number of conformance cases that each SDK passes. All SDKs run the same cases, except those that need a feature the language
lacks. An SDK with blocking and asynchronous calls counts each case twice. \`npm run conformance\` writes this page; [the suite](../test/conformance/README.md)
says what a case is. Browsers can call only flows: \`typescript-browser\` runs the node cases through flows with the same messages, and
skips cases for environment variables and node-only features.

${markdownTable(table)}
`;
}

function totalOf(row: ConformanceRow): ConformanceRow[string] {
  const groups = Object.values(row);
  const sum = (key: 'passed' | 'cases'): number => groups.reduce((total, group) => total + group[key], 0);
  return { passed: sum('passed'), cases: sum('cases') };
}

/** `-` if the language has no case. */
function cell(group: ConformanceRow[string] | undefined): string {
  if (group === undefined || group.cases === 0) return '-';
  return group.passed === group.cases ? String(group.cases) : `${group.passed} of ${group.cases}`;
}

/** Formatted like prettier. */
function markdownTable(rows: readonly string[][]): string {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(3, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const line = (row: readonly string[]): string =>
    `| ${widths.map((width, column) => (row[column] ?? '').padEnd(width)).join(' | ')} |`;
  const [head = [], ...body] = rows;
  return [head, widths.map((width) => '-'.repeat(width)), ...body].map(line).join('\n');
}
