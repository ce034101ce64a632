import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { itSlow } from '../../../support/fast-run.ts';
import { conformanceRows, readReport } from './conformance/report.ts';

describe('the CEL conformance suite', () => {
  itSlow('passes at least as many cases per section as docs/cel-conformance.md records', async () => {
    const recorded = readReport(await readFile('docs/cel-conformance.md', 'utf8'));
    const rows = new Map(conformanceRows().map((row) => [row.section, row]));
    assert.deepEqual(
      recorded.map(({ section }) => section),
      [...rows.keys()],
      'other sections: npm run conformance:cel -- --write',
    );
    for (const { section, evaluated, checked } of recorded) {
      const now = rows.get(section)!;
      assert.ok(now.evaluated.passed >= evaluated.passed, `${section}: ${now.evaluated.passed} evaluated`);
      assert.ok(now.checked.passed >= checked.passed, `${section}: ${now.checked.passed} checked`);
      assert.deepEqual([now.evaluated.total, now.checked.total], [evaluated.total, checked.total], section);
    }
  }).timeout(180_000);

  it('passes completely in the sections of the core language', () => {
    const language = new Set(
      (
        'basic comparisons conversions dynamic fp_math integer_math lists logic macros namespace plumbing string ' +
        'string_ext timestamps wrappers'
      ).split(' '),
    );
    const broken = conformanceRows()
      .filter(({ section }) => language.has(section))
      .filter(
        ({ evaluated, checked }) => evaluated.passed < evaluated.total || checked.passed < checked.total,
      );
    assert.deepEqual(broken, []);
  }).timeout(180_000);
});
