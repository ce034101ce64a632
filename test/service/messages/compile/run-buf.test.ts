import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ProtoCompileError } from '../../../../service/errors/proto-compile-error.ts';
import { type CompileBounds, runBuf } from '../../../../service/messages/compile/run-buf.ts';
import { itSlow } from '../../../support/fast-run.ts';

const header = 'syntax = "proto3";\n';
/** Takes buf 20 s of processor time. `scanSources` rejects it. */
const slow = header + Array.from({ length: 10_000 }, (_, i) => `message M${i} {}`).join(' ');
/** Takes buf gigabytes of memory. `scanSources` rejects it. */
const large = `${header}${'message M{'.repeat(100_000)}${'}'.repeat(100_000)}`;

async function problemsOf(source: string, bounds: Partial<CompileBounds>): Promise<string[]> {
  const all = { timeoutMs: 600_000, cpuSeconds: 600, megabytes: 512, ...bounds };
  try {
    await runBuf({ 'a.proto': source }, all);
    return [];
  } catch (error) {
    assert.ok(error instanceof ProtoCompileError, String(error));
    return error.diagnostics.map(({ message }) => message);
  }
}

describe('running buf', function () {
  before(function () {
    // There is no shell to set the limits.
    if (process.platform === 'win32') this.skip();
  });

  itSlow('fails when buf exceeds its limit of processor time', async () => {
    assert.deepEqual(await problemsOf(slow, { cpuSeconds: 1 }), [
      'compiling takes more than 1 s of processor time: split the package',
    ]);
    assert.deepEqual(await problemsOf(`${header}message M {}`, { cpuSeconds: 1 }), []);
  });

  it('fails when buf exceeds its memory limit', async function () {
    // macOS does not enforce the limit.
    if (process.platform !== 'linux') this.skip();
    assert.deepEqual(await problemsOf(large, { megabytes: 200 }), [
      'compiling needs more than 200 MiB of memory: split the package',
    ]);
    assert.deepEqual(await problemsOf(`${header}message M {}`, { megabytes: 200 }), []);
  });

  it('kills buf when the signal aborts, and removes its folder', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'run-buf-test-'));
    const before = process.env.TMPDIR;
    process.env.TMPDIR = folder;
    try {
      const gone = new AbortController();
      const bounds = { timeoutMs: 600_000, cpuSeconds: 600, megabytes: 512, signal: gone.signal };
      const run = assert.rejects(runBuf({ 'a.proto': slow }, bounds), /no longer needed/);
      while (!children()) await new Promise(setImmediate);
      gone.abort(new Error('no longer needed'));
      await run;
      // The process ends a moment after the rejection.
      while (children()) await new Promise(setImmediate);
      assert.deepEqual(await readdir(folder), []);
    } finally {
      if (before === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = before;
      await rm(folder, { recursive: true });
    }
  });
});

function children(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length;
}
