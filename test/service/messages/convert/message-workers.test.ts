import assert from 'node:assert/strict';
import { threadId } from 'node:worker_threads';
import { bytesFromJson } from '../../../../service/messages/json/message-from-json.ts';
import { createMessageWorkers } from '../../../../service/messages/convert/message-workers.ts';
import type { MessageWorkers } from '../../../../service/messages/convert/message-workers.ts';
import type { MessageRegistry } from '../../../../service/messages/registry.ts';
import { compiledRegistry } from '../../../support/compiled-protos.ts';
import { kitchenSink } from '../../../support/kitchen-sink.ts';
import { cpuMs, watchTurns } from '../../../support/turn-watch.ts';

let registry: MessageRegistry;
let inline: MessageWorkers;
let threads: MessageWorkers;
const typeName = 'test.v1.Sink';

before(async () => {
  registry = await compiledRegistry(kitchenSink);
});

beforeEach(() => {
  inline = createMessageWorkers({ workerFrom: Infinity });
  threads = createMessageWorkers({ workerFrom: 0 });
});

afterEach(async () => {
  await inline.close();
  await threads.close();
});

describe('message workers', () => {
  it('return the results of the inline conversion, including errors', async () => {
    const inputs = [
      '{"aString":"é","anInt64":9007199254740993,"struct":{"__proto__":-0}}',
      Buffer.from('{"texts":["a","b"]}'),
      '{"nope":1}',
      '{"color":9}',
      '',
      new Uint8Array([0xff]),
    ];
    for (const input of inputs) {
      const task = { registry, typeName, input };
      const expected = await inline.convert('json-to-bytes', task);
      assert.deepEqual(await threads.convert('json-to-bytes', task), expected);
    }
    for (const input of [
      new Uint8Array([0x80, 1, 42]),
      new Uint8Array([0x72, 9]),
      new Uint8Array([0xf8, 0x3f, 1]),
    ]) {
      const task = { registry, typeName, input };
      assert.deepEqual(
        await threads.convert('bytes-to-json', task),
        await inline.convert('bytes-to-json', task),
      );
      assert.deepEqual(await threads.convert('check-bytes', task), await inline.convert('check-bytes', task));
    }
  });

  it('do not transfer or modify the input', async () => {
    const input = new Uint8Array(Buffer.from('{"aString":"x"}'));
    await threads.convert('json-to-bytes', { registry, typeName, input });
    assert.equal(Buffer.from(input).toString(), '{"aString":"x"}');
  });

  it('keep the event loop free while they convert a large input', async () => {
    const big = createMessageWorkers();
    try {
      const input = JSON.stringify({
        children: Array.from({ length: 20_000 }, (_, i) => ({ anInt32: i, aString: 'x'.repeat(60) })),
      });
      assert.ok(input.length > 1_048_576);
      const startedAt = cpuMs();
      const expected = bytesFromJson(registry, typeName, input);
      const inlineMs = cpuMs() - startedAt;
      const watch = watchTurns();
      const converted = await big.convert('json-to-bytes', { registry, typeName, input });
      const longest = watch.stop();
      assert.deepEqual(converted, expected);
      assert.ok(longest < inlineMs / 2, `the loop stood still for ${longest} ms of work, ${inlineMs} inline`);
    } finally {
      await big.close();
    }
  });

  it('queue more jobs than there are threads', async () => {
    const jobs = Array.from({ length: 20 }, (_, i) =>
      threads.convert('json-to-bytes', { registry, typeName, input: `{"anInt32":${i + 1}}` }),
    );
    const results = await Promise.all(jobs);
    assert.deepEqual(
      results.map((result) => (result.ok ? result.value[1] : undefined)),
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
  });

  it('throw the errors of the inline conversion', async () => {
    const task = { registry, typeName: 'test.v1.None', input: '{}' };
    await assert.rejects(inline.convert('json-to-bytes', task), /no message test\.v1\.None/);
    await assert.rejects(threads.convert('json-to-bytes', task), /no message test\.v1\.None/);
  });

  it('separate the types of many package versions', async () => {
    const others = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        compiledRegistry(`syntax = "proto3"; package p; message A { string f${i} = ${i + 1}; }`),
      ),
    );
    for (let round = 0; round < 2; round += 1) {
      for (const [i, other] of others.entries()) {
        const task = { registry: other, typeName: 'p.A', input: `{"f${i}":"x"}` };
        assert.equal((await threads.convert('json-to-bytes', task)).ok, true);
      }
    }
  });

  it('reject jobs after close, and fail pending ones', async () => {
    const task = { registry, typeName, input: '{}' };
    const underWay = [1, 2, 3, 4].map(() => threads.convert('json-to-bytes', task));
    const settled = Promise.allSettled(underWay);
    await threads.close();
    for (const result of await settled) assert.equal(result.status, 'rejected');
    await assert.rejects(threads.convert('json-to-bytes', task), /closed/);
    await threads.close();
  });

  it('convert small inputs without starting a thread', async () => {
    assert.equal(threadId, 0);
    const small = createMessageWorkers({ workerFrom: 10 });
    const handles = (): number =>
      process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
    const before = handles();
    await small.convert('json-to-bytes', { registry, typeName, input: '{}' });
    assert.equal(handles(), before);
    await small.close();
  });
});
