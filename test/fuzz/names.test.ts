import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { SdkModel } from '../../generator/model/sdk-model.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { fuzzNames, namesProblems } from './fuzz-names.ts';
import { type HostileWords, hostileWords } from './hostile-words.ts';
import { listChecks, loadCheck } from './names-check.ts';
import { randomModels } from './random-model.ts';

/** Fixed, so that the result in CI does not depend on chance. `npm run fuzz:names` tries more models. */
const seed = 20_260_729;
const modelsByLanguage = 4;

/** Reduced models that once failed in a language, which begins their file names: `go-482.json`. */
const found = path.join(import.meta.dirname, 'found');

/** Loaded in advance, because suites with their toolchains are declared synchronously. */
const checks = await Promise.all(
  (await listChecks()).map(async (id) => ({ id, toolchain: (await loadCheck(id)).toolchain })),
);

describe('random names', () => {
  let words: HostileWords;

  before(async () => {
    words = await hostileWords();
  });

  for (const { id, toolchain } of checks) {
    suiteNeeds(toolchain, `in ${id}`, function () {
      this.timeout(900_000);

      const once = foundModels(id);
      let random: SdkModel[];
      let areAllWell: boolean;

      // A check spends most of its time starting compilers, so all models share one run, unless it fails.
      before(async () => {
        random = randomModels(modelsByLanguage, seed, words);
        areAllWell = (await namesProblems(id, [...random, ...once])) === '';
      });

      it(`compile: ${modelsByLanguage} models from seed ${seed}`, () => compile(random));

      if (once.length > 0) it('compile for models that once failed', () => compile(once));

      async function compile(models: readonly SdkModel[]): Promise<void> {
        const failure = areAllWell ? undefined : await fuzzNames(id, models);
        assert.equal(failure && `${failure.problems}\n${JSON.stringify(failure.model)}`, undefined);
      }
    });
  }
});

function foundModels(id: string): SdkModel[] {
  const files = existsSync(found) ? readdirSync(found).sort() : [];
  return files
    .filter((file) => file.startsWith(`${id}-`) && /^\d+\.json$/.test(file.slice(id.length + 1)))
    .map((file) => JSON.parse(readFileSync(path.join(found, file), 'utf8')) as SdkModel);
}
