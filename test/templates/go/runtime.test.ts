import assert from 'node:assert/strict';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { runGo } from '../../support/go-tools.ts';
import { suiteNeeds } from '../../support/toolchains.ts';

const projectRoot = path.resolve(import.meta.dirname, '../../..');

suiteNeeds('go', 'the Go runtime, beside its further tests', function () {
  this.timeout(600_000);
  let folder: string;

  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'svc-go-runtime-'));
    await cp(path.join(projectRoot, 'templates/go/runtime/svc'), folder, { recursive: true });
    await cp(path.join(import.meta.dirname, 'protojson_test.go'), path.join(folder, 'protojson_test.go'));
    await cp(path.join(import.meta.dirname, 'overhead_test.go'), path.join(folder, 'overhead_test.go'));
    await writeFile(path.join(folder, 'go.mod'), 'module example.com/svc\n\ngo 1.24\n');
  });
  after(async () => {
    await rm(folder, { recursive: true, force: true });
  });

  it('passes its tests', async () => {
    const { code, output } = await runGo('go', ['test', '-vet=all', '.'], folder);
    assert.equal(code, 0, output.slice(-4_000));
    assert.match(output, /^ok /m);
  });

  it('costs a call little beside net/http', async () => {
    const { code, output } = await runGo('go', ['test', '-run=^$', '-bench=.', '-benchtime=1500x', '-count=3', '.'], folder);
    assert.equal(code, 0, output.slice(-4_000));
    const fastest = (name: string): number =>
      Math.min(
        ...[...output.matchAll(new RegExp(`^Benchmark${name}\\S*\\s+\\d+\\s+(\\d+) ns/op`, 'gm'))].map(([, ns]) => Number(ns)),
      );
    const [bare, call] = [fastest('NetHTTP'), fastest('Call')];
    // A loaded machine is no measure: what is told here is that nothing is far off.
    assert.ok(call < bare * 1.5, `${call} ns a call, ${bare} ns by net/http`);
  });
});
