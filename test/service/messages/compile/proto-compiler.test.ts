import assert from 'node:assert/strict';
import { systemClock } from '../../../../service/clock.ts';
import {
  createProtoCompiler,
  type ProtoCompiler,
} from '../../../../service/messages/compile/proto-compiler.ts';
import { createRegistry } from '../../../../service/messages/registry.ts';
import { FairQueue } from '../../../../service/work/fair-queue.ts';
import { limits } from '../../../../specs/limits.ts';
import { itSlow } from '../../../support/fast-run.ts';
import { assertTurn, watchTurns } from '../../../support/turn-watch.ts';

const header = 'syntax = "proto3";\npackage a;\n';
const small = { 'a.proto': `${header}message M {}` };
const messages = (count: number): string =>
  header + Array.from({ length: count }, (_, i) => `message M${i} {}\n`).join('');

describe('the proto compiler of the service', () => {
  let queue: FairQueue;
  let compiler: ProtoCompiler;

  beforeEach(() => {
    queue = new FairQueue({ clock: systemClock, slots: 8, caps: { compile: limits.compilersAtOnce } });
    compiler = createProtoCompiler({ queue });
  });

  afterEach(async () => {
    queue.close();
    await compiler.close();
  });

  it('returns descriptors and the names of all messages', async () => {
    const source = `${header}import "google/protobuf/empty.proto";\nmessage M { message N { google.protobuf.Empty e = 1; } }`;
    const compiled = await compiler.compile('t', { 'a.proto': source });
    assert.deepEqual(compiled.messages.sort(), ['a.M', 'a.M.N', 'google.protobuf.Empty']);
    assert.ok(createRegistry(compiled.descriptorSet).getMessage('a.M.N'));
  });

  it('reports the problems of every check', async () => {
    const fails = (source: string, text: RegExp, path = 'a.proto') =>
      assert.rejects(compiler.compile('t', { [path]: source }), (error: unknown) => {
        assert.match(String(error), text);
        assert.match(String(error), /^ProtoCompileError: /);
        return true;
      });
    await fails('', /does not end in \.proto/, 'a');
    await fails('message M{'.repeat(100_000), /a\.proto:1:650: declarations nest deeper than 64 levels/);
    await fails('message', /a\.proto:1:8: /);
    await fails('syntax = "proto3"; package google.protobuf; message M {}', /google\.protobuf is reserved/);
  });

  it('reports the first 100 problems', async () => {
    const source =
      header + Array.from({ length: 300 }, (_, i) => `message M${i} { Missing f = 1; }\n`).join('');
    await assert.rejects(compiler.compile('t', { 'a.proto': source }), (error: unknown) => {
      const { diagnostics } = error as { diagnostics: { message: string }[] };
      assert.equal(diagnostics.length, 101);
      assert.match(diagnostics[100]!.message, /^and \d+ more problems$/);
      return true;
    });
  });

  itSlow('compiles 10,000 messages with less than 100 ms of work on the main thread', async () => {
    await compiler.compile('t', small);
    const watch = watchTurns();
    const compiled = await compiler.compile('t', { 'a.proto': messages(10_000) });
    const longest = watch.stop();
    assert.equal(compiled.messages.length, 10_000);
    assertTurn(longest, 100);
  });

  itSlow('runs at most two compilers at once', async () => {
    let most = 0;
    const watch = setInterval(() => (most = Math.max(most, compilers())), 1);
    await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map((tenant) => compiler.compile(tenant, small)));
    clearInterval(watch);
    assert.equal(most, 2);
  });

  it('kills the compiler when the caller aborts', async () => {
    const gone = new AbortController();
    const sources = { 'a.proto': messages(19_000) };
    const left = assert.rejects(compiler.compile('t', sources, gone.signal), /the caller left/);
    while (compilers() === 0) await new Promise(setImmediate);
    gone.abort();
    await left;
    await compiler.compile('t', small);
    assert.equal(compilers(), 0);
  });

  itSlow('rejects sources whose checks exceed the memory limit', async () => {
    const little = createProtoCompiler({ queue, megabytes: 24 });
    try {
      await assert.rejects(
        little.compile('t', { 'a.proto': messages(19_900) }),
        /checking the protos needs more than 24 MiB of memory: split the package/,
      );
      assert.ok(await little.compile('t', small));
    } finally {
      await little.close();
    }
  });
});

function compilers(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'ProcessWrap').length;
}
