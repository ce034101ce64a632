import assert from 'node:assert/strict';
import { suiteNeeds } from '../support/toolchains.ts';
import { type Bench, flavouredCases, setUpBench } from './bench.ts';
import type { ConformanceLanguage } from './conformance-language.ts';
import { readKnownFailures } from './known-failures.ts';
import { readResults } from './results.ts';
import { type RealBench, setUpRealBench } from './real-service.ts';
import { createTally } from './tally.ts';

/** Time to build an archive and compile a driver on a busy machine with cold caches. */
const BUILD_TIMEOUT_MS = 900_000;

/** The first test may wait for most cases, each of which has its own timeout and reports it. */
const CASES_TIMEOUT_MS = 1_800_000;

/** The suite of a language: every case that its features allow, in each of its flavours. */
export function conformanceOf(language: ConformanceLanguage): void {
  const { id } = language;
  const known = new Set(readKnownFailures()[id]);
  suiteNeeds(language.toolchain, `conformance of ${id}`, function () {
    this.timeout(CASES_TIMEOUT_MS);
    const tally = createTally();
    const all = flavouredCases(language);
    let bench: Bench;
    let results: ReturnType<Bench['run']>;
    before(async function () {
      this.timeout(BUILD_TIMEOUT_MS);
      bench = await setUpBench(language);
      results = bench.run(all);
    });
    after(() => bench.dispose());

    for (const flavour of new Set(all.map((each) => each.flavour))) {
      const title = flavour === undefined ? id : `${id} ${flavour}`;
      const chosen = all.filter((each) => each.flavour === flavour);
      for (const group of new Set(chosen.map((each) => each.case.group))) {
        describe(`${title}: ${group}`, () => {
          for (const flavoured of chosen.filter((one) => one.case.group === group)) {
            const each = flavoured.case;
            it(each.name, async () => {
              const problems = (await results.get(flavoured)) ?? ['it was not run'];
              tally.count(group, problems.length === 0);
              if (known.has(`${group}: ${each.name}`))
                assert.notEqual(problems.length, 0, 'passes: take it out of known-failures.yaml');
              else assert.equal(problems.join('\n'), '');
            });
          }
        });
      }
    }

    describe(`${id} against the running service`, () => {
      let real: RealBench;
      before(async function () {
        this.timeout(BUILD_TIMEOUT_MS);
        real = await setUpRealBench(language);
      });
      after(() => real.dispose());

      for (const flavour of new Set(all.map((each) => each.flavour))) {
        const chosen = all.filter((each) => each.flavour === flavour && each.case.real === true);
        it(`returns the same results${flavour === undefined ? '' : ` with its ${flavour} client`}`, async () => {
          assert.ok(chosen.length > 0);
          for (const { case: each } of chosen) {
            const problems = await real.run(each, flavour);
            assert.equal(problems.join('\n'), '', `${each.group}: ${each.name}`);
          }
        });
      }
    });

    describe('the conformance table', () => {
      it('matches this run', () => {
        const message = `docs/conformance.md differs: run npm run conformance -- ${id}`;
        assert.deepEqual(readResults()[id], tally.row(), message);
      });
    });
  });
}
