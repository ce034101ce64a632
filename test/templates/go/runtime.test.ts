import assert from 'node:assert/strict';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runGo } from '../../support/go-tools.ts';
import { suiteNeeds } from '../../support/toolchains.ts';

const projectRoot = path.resolve(import.meta.dirname, '../../..');

suiteNeeds('go', 'the Go runtime', function () {
  this.timeout(600_000);
  let folder: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'svc-go-runtime-'));
    await cp(path.join(projectRoot, 'templates/go/runtime'), folder, { recursive: true });
    for (const file of ['protojson_test.go', 'edges_test.go'])
      await cp(path.join(import.meta.dirname, file), path.join(folder, 'internal/protojson', file));
    const goMod = await readFile(path.join(projectRoot, 'templates/go/sdk/go.mod.hbs'), 'utf8');
    await writeFile(path.join(folder, 'go.mod'), goMod.replace('{{modulePath}}', 'svc.runtime'));
  });
  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('passes its tests', async () => {
    const { code, output } = await runGo('go', ['test', '-vet=all', './...'], folder);
    assert.equal(code, 0, output.slice(-4_000));
    assert.equal(output.match(/^ok /gm)?.length, 3, output);
  });
});
