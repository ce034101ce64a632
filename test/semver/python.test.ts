import assert from 'node:assert/strict';
import path from 'node:path';
import { inFolders, withoutRuntime } from '../fuzz/archive-folders.ts';
import { runTool } from '../generator/languages/python/python-archives.ts';
import { PYTHON_VENV_TIMEOUT_MS, pythonVenv } from '../support/python-venv.ts';
import { suiteNeeds } from '../support/toolchains.ts';
import { type Finding, judgePairs, pairArchives } from './judged-pairs.ts';
import type { VersionPair } from './version-pairs.ts';

const judge = path.join(import.meta.dirname, 'judge_python.py');

suiteNeeds('python', 'semantic versions in Python, checked with griffe', function () {
  this.timeout(PYTHON_VENV_TIMEOUT_MS);

  let judgment: Awaited<ReturnType<typeof judgePairs>>;
  before(async () => {
    judgment = await judgePairs(judged);
  });

  it('match the changes between random pairs of client versions', () => {
    assert.deepEqual(judgment.findings, []);
  });

  it('are checked by a tool that detects breaking changes', () => {
    for (const removed of ['client.Client.goes', 'client.AsyncClient.start_goes', 'messages.Item.gone'])
      assert.match(
        judgment.ofBroken.join('\n'),
        new RegExp(`^acme_pair_999.${removed}: Public object was removed`, 'm'),
      );
  });
});

async function judged(pairs: readonly VersionPair[]): Promise<Finding[]> {
  const { before, after } = await pairArchives('python', pairs);
  return inFolders(withoutRuntime(before), (root) =>
    inFolders(withoutRuntime(after), async (changed) => {
      const { code, output } = await runTool(await pythonVenv(), 'python', [judge, root, changed], {
        cwd: root,
      });
      assert.equal(code, 0, output);
      assert.match(output, new RegExp(`^${pairs.length} packages$`, 'm'));
      return [...output.matchAll(/^(pair-\d+): (.*)$/gm)].map(([, pair = '', text = '']) => ({ pair, text }));
    }),
  );
}
