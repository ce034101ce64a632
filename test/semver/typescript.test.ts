import assert from 'node:assert/strict';
import { suiteNeeds } from '../support/toolchains.ts';
import { judgePairs } from './judged-pairs.ts';
import { typescriptFindings } from './typescript-pairs.ts';

for (const id of ['typescript', 'typescript-browser'])
  suiteNeeds(
    'typescript',
    `semantic versions in ${id}, checked with declarations and older programs`,
    function () {
      this.timeout(600_000);

      let judgment: Awaited<ReturnType<typeof judgePairs>>;
      before(async () => {
        judgment = await judgePairs((pairs) => typescriptFindings(id, pairs));
      });

      it('match the changes between random pairs of client versions', () => {
        assert.deepEqual(judgment.findings, []);
      });

      it('are checked by a tool that detects breaking changes', () => {
        const text = judgment.ofBroken.join('\n');
        assert.match(text, /^Item\.gone: removed$/m);
        assert.match(text, /^function goes: removed$/m);
        assert.match(text, /^test\/.*'goes'/m);
      });
    },
  );
