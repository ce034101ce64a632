import {
  getCheckingSuite,
  getComprehensionSuite,
  getConformanceSuite,
  getParsingSuite,
} from '@bufbuild/cel-spec/testdata/tests.js';
import { runSuite } from './run-suite.ts';
import type { TestResult } from './run-suite.ts';

/** Results of one section of a suite. */
interface Row {
  section: string;
  evaluated: Score;
  checked: Score;
}

interface Score {
  passed: number;
  total: number;
}

/** Why tests of a section fail. */
const remarks: Readonly<Record<string, string>> = {
  bindings_ext: 'the extension is not supported',
  block_ext: 'the extension is not supported',
  checking: 'needs test types and functions of cel-go that the suite does not include',
  encoders_ext: 'the extension is not supported',
  enums: 'strong enums are not supported: an enum is an int',
  fields: 'backquoted field names are not supported',
  macros2: 'macros with two variables are not supported',
  math_ext: 'the extension is not supported',
  optionals: 'optional syntax is not supported',
  parse: 'parentheses may be nested deeper than in cel-go',
  parsing: 'accepts nesting and some escapes that cel-go rejects',
  proto2: 'backquoted field names are not supported',
  proto2_ext: 'the extension is not supported',
  proto3: 'backquoted field names are not supported',
  type_deductions: 'needs functions and types that the suite declares only for cel-go',
};

/** Runs all suites. Returns a row per section, in suite order. */
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

/** Renders docs/cel-conformance.md. */
export function renderReport(rows: readonly Row[], versions: { cel: string; suite: string }): string {
  const line = (name: string, { evaluated, checked }: Omit<Row, 'section'>, remark: string) =>
    `| ${name} | ${shown(evaluated)} | ${shown(checked)} | ${remark} |`;
  return [
    '# CEL conformance',
    '',
    'Results of the CEL conformance suite for the expressions of adapters and conditions. The service parses, checks and evaluates',
    `them on @bufbuild/cel ${versions.cel} with its cost limits. The suite is @bufbuild/cel-spec ${versions.suite}.`,
    '`npm run conformance:cel -- --write` generates this page, and a test checks every number.',
    '',
    'Evaluated: the value or error is the expected one. Checked: the static type or compile error is the one of cel-go.',
    '',
    '| section | evaluated | checked | missing |',
    '| --- | --- | --- | --- |',
    ...rows.map((row) => line(row.section, row, isWhole(row) ? '' : (remarks[row.section] ?? ''))),
    line('**all**', { evaluated: sum(rows, 'evaluated'), checked: sum(rows, 'checked') }, ''),
    '',
  ].join('\n');
}

/** Reads the numbers of a generated page, by section. */
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
