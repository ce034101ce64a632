import assert from 'node:assert/strict';
import { suiteNeeds } from '../support/toolchains.ts';
import { judgePairs } from './judged-pairs.ts';
import { typescriptFindings } from './typescript-pairs.ts';

for (const id of ['typescript', 'typescript-browser'])
  suiteNeeds('typescript', `semantic versions in ${id}, by declarations and older programs`, function () {
    this.timeout(600_000);

    let judgment: Awaited<ReturnType<typeof judgePairs>>;
    before(async () => {
      judgment = await judgePairs((pairs) => typescriptFindings(id, pairs));
    });

    it('are true for random pairs of client versions', () => {
      assert.deepEqual(judgment.findings, []);
    });

    it('are judged by a checker that finds what breaks programs', () => {
      const text = judgment.ofBroken.join('\n');
      assert.match(text, /^Item\.gone: removed$/m);
      assert.match(text, /^function goes: removed$/m);
      assert.match(text, /^test\/.*'goes'/m);
    });
  });
