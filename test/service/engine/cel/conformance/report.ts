import {
  getCheckingSuite,
  getComprehensionSuite,
  getConformanceSuite,
  getParsingSuite,
} from '@bufbuild/cel-spec/testdata/tests.js';
import { runSuite } from './run-suite.ts';
import type { TestResult } from './run-suite.ts';

/** Passes of one section of a suite, of those tests that judge it. */
export interface Row {
  section: string;
  evaluated: Score;
  checked: Score;
}

export interface Score {
  passed: number;
  total: number;
}

/** Sections whose functions or syntax are no part of the service's CEL, and why tests of others fail. */
const remarks: Readonly<Record<string, string>> = {
  bindings_ext: 'extension that is not offered',
  block_ext: 'extension that is not offered',
  checking: "needs cel-go's own test types and functions, which the suite does not ship",
  encoders_ext: 'extension that is not offered',
  enums: 'strong enums are not offered: an enum is an int',
  fields: 'names in backquotes are not read',
  macros2: 'macros over two variables are not offered',
  math_ext: 'extension that is not offered',
  optionals: 'optional syntax is not offered',
  parse: 'parentheses may be nested deeper than in cel-go',
  parsing: 'nesting and some escapes are read that cel-go refuses',
  proto2: 'names in backquotes are not read',
  proto2_ext: 'extension that is not offered',
  proto3: 'names in backquotes are not read',
  type_deductions: 'needs functions and types that the suite declares for cel-go',
};

/** Runs all suites; a row for each section, in the suite's order. */
export function conformanceRows(): Row[] {
  const suites = [getConformanceSuite(), getParsingSuite(), getCheckingSuite(), getComprehensionSuite()];
  const sections = Map.groupBy(
    suites.flatMap((suite) => runSuite(suite)),
    ({ section }) => section,
  );
  return [...sections].map(([section, results]) => ({
    section,
    evaluated: score(results.map(({ evaluated }) => evaluated)),
    checked: score(results.map(({ checked }) => checked)),
  }));
}

function score(results: readonly TestResult['evaluated'][]): Score {
  const judged = results.filter((result) => result !== undefined);
  return { passed: judged.filter(Boolean).length, total: judged.length };
}

/** The page that docs/cel-conformance.md is. */
export function renderReport(rows: readonly Row[], versions: { cel: string; suite: string }): string {
  const line = (name: string, { evaluated, checked }: Omit<Row, 'section'>, remark: string) =>
    `| ${name} | ${shown(evaluated)} | ${shown(checked)} | ${remark} |`;
  return [
    '# CEL conformance',
    '',
    'What the conformance suite of CEL says of the expressions in adapters and conditions: parsed, checked and evaluated by the',
    `service's own code on @bufbuild/cel ${versions.cel}, with its bounds of cost, against @bufbuild/cel-spec ${versions.suite}.`,
    '`npm run conformance:cel -- --write` writes this page; a test holds every number of it.',
    '',
    'Evaluated: the value, or that there is none, is as the suite says. Checked: the static type, or the refusal, is that of cel-go.',
    '',
    '| section | evaluated | checked | what is missing |',
    '| --- | --- | --- | --- |',
    ...rows.map((row) => line(row.section, row, isWhole(row) ? '' : (remarks[row.section] ?? ''))),
    line('**all**', { evaluated: sum(rows, 'evaluated'), checked: sum(rows, 'checked') }, ''),
    '',
  ].join('\n');
}

/** The numbers that a written page holds, by section. */
export function readReport(page: string): Row[] {
  return [...page.matchAll(/^\| (\w+) +\| ([\d/-]+) +\| ([\d/-]+) +\|/gm)].map(
    ([, section, evaluated, checked]) => ({
      section: section!,
      evaluated: readScore(evaluated!),
      checked: readScore(checked!),
    }),
  );
}

function readScore(text: string): Score {
  const [passed, total] = text.split('/').map(Number);
  return total === undefined ? { passed: 0, total: 0 } : { passed: passed ?? 0, total };
}

function shown({ passed, total }: Score): string {
  return total === 0 ? '-' : `${passed}/${total}`;
}

function isWhole({ evaluated, checked }: Row): boolean {
  return evaluated.passed === evaluated.total && checked.passed === checked.total;
}

function sum(rows: readonly Row[], side: 'evaluated' | 'checked'): Score {
  return {
    passed: rows.reduce((total, row) => total + row[side].passed, 0),
    total: rows.reduce((total, row) => total + row[side].total, 0),
  };
}
