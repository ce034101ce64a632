import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { listConformanceLanguages } from './conformance-language.ts';
import { readKnownFailures } from './known-failures.ts';
import { readResults, resultsTable, tableFile } from './results.ts';

describe('the conformance table', () => {
  it('is written by npm run conformance, not by hand', () => {
    assert.equal(readFileSync(tableFile, 'utf8'), resultsTable(readResults()));
  });

  it('has a column per language', () => {
    assert.deepEqual(Object.keys(readResults()), listConformanceLanguages());
  });

  it('lists no known failures', () => {
    assert.deepEqual(readKnownFailures(), {});
  });
});
