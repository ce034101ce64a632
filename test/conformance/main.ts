// `npm run conformance [-- <language>...]`: runs the suite and writes docs/conformance.md. Exits with 1 when a case fails.
import { missingToolchain } from '../support/toolchains.ts';
import { flavouredCases, setUpBench } from './bench.ts';
import { listConformanceLanguages, loadConformanceLanguage } from './conformance-language.ts';
import { type ConformanceResults, writeResults } from './results.ts';
import { createTally } from './tally.ts';

const chosen = process.argv.slice(2);
const rows: ConformanceResults = {};
const counts = { passed: 0, failed: 0, skipped: 0 };

for (const id of chosen.length > 0 ? chosen : listConformanceLanguages()) {
  const language = await loadConformanceLanguage(id);
  const missing = missingToolchain(language.toolchain);
  if (missing !== undefined) {
    say(`${id}: skipped without ${language.toolchain}: ${missing}`);
    counts.skipped += 1;
    continue;
  }
  const bench = await setUpBench(language);
  const tally = createTally();
  for (const [{ case: each, flavour }, result] of bench.run(flavouredCases(language))) {
    const problems = await result.catch((error: unknown) => [String(error)]);
    tally.count(each.group, problems.length === 0);
    counts[problems.length === 0 ? 'passed' : 'failed'] += 1;
    if (problems.length > 0)
      say([`${id} ${flavour ?? ''} ${each.group}: ${each.name}`, ...problems].join('\n    '));
  }
  await bench.dispose();
  rows[id] = tally.row();
}

writeResults(rows);
say(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped`);
process.exitCode = counts.failed > 0 ? 1 : 0;

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
