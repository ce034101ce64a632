import assert from 'node:assert/strict';
import path from 'node:path';
import { inFolders } from '../fuzz/archive-folders.ts';
import { writeGoWorkspace } from '../fuzz/one-go-runtime.ts';
import { runGo } from '../support/go-tools.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { type Finding, judgePairs, pairArchives } from './judged-pairs.ts';
import type { VersionPair } from './version-pairs.ts';

const judge = path.join(import.meta.dirname, 'go-judge');

suiteNeeds('go', 'semantic versions in Go, checked with apidiff', function () {
  this.timeout(600_000);

  let judgment: Awaited<ReturnType<typeof judgePairs>>;
  before(async () => {
    judgment = await judgePairs(judged);
  });

  it('match the changes between random pairs of client versions', () => {
    assert.deepEqual(judgment.findings, []);
  });

  it('are checked by a tool that detects breaking changes', () => {
    const methods = ['Goes', 'GoesExecution', 'StartGoes', 'WarmGoes'].map((name) => `(*Client).${name}`);
    assert.deepEqual(
      judgment.ofBroken,
      [...methods, 'Item.Gone'].map((name) => `${name}: removed`),
    );
  });
});

async function judged(pairs: readonly VersionPair[]): Promise<Finding[]> {
  const { before, after } = await pairArchives('go', pairs);
  return inFolders([], (root) =>
    inFolders([], async (changed) => {
      await writeGoWorkspace(root, before);
      await writeGoWorkspace(changed, after);
      const { code, output } = await runGo('go', ['run', '.', root, changed], judge);
      assert.equal(code, 0, output);
      assert.match(output, new RegExp(`^${pairs.length} packages$`, 'm'));
      return [...output.matchAll(/^go\.svc\.internal\/acme\/(pair-\d+): (.*)$/gm)].map(
        ([, pair = '', text = '']) => ({ pair, text }),
      );
    }),
  );
}
