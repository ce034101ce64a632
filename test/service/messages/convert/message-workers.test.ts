import assert from 'node:assert/strict';
import { threadId } from 'node:worker_threads';
import { BinaryWriter, WireType } from '@bufbuild/protobuf/wire';
import { systemClock } from '../../../../service/clock.ts';
import { bytesFromJson } from '../../../../service/messages/json/message-from-json.ts';
import { createMessageWorkers } from '../../../../service/messages/convert/message-workers.ts';
import type { MessageWorkers } from '../../../../service/messages/convert/message-workers.ts';
import type { MessageRegistry } from '../../../../service/messages/registry.ts';
import { FairQueue } from '../../../../service/work/fair-queue.ts';
import { threadMs } from '../../../../service/work/thread-time.ts';
import { compiledRegistry } from '../../../support/compiled-protos.ts';
import { itSlow } from '../../../support/fast-run.ts';
import { kitchenSink } from '../../../support/kitchen-sink.ts';
import { assertTurn, watchTurns } from '../../../support/turn-watch.ts';

const tenantId = 'tenant';

let queue: FairQueue;
let registry: MessageRegistry;
let inline: MessageWorkers;
let threads: MessageWorkers;
const typeName = 'test.v1.Sink';

before(async () => {
  registry = await compiledRegistry(kitchenSink);
});

beforeEach(() => {
  queue = new FairQueue({ clock: systemClock });
  inline = createMessageWorkers({ queue, inlineMicros: Infinity });
  threads = createMessageWorkers({ queue, inlineMicros: 0 });
});

afterEach(async () => {
  await inline.close();
  await threads.close();
});

describe('message workers', () => {
  itSlow('convert the largest output that a container may send', async () => {
    const content = Buffer.alloc(22 * 2 ** 20 - 100, 'svc');
    const bytes = new BinaryWriter().tag(15, WireType.LengthDelimited).bytes(content).finish();
    const json = await threads.convert('bytes-to-json', { tenantId, registry, typeName, input: bytes });
    assert.ok(json.ok, JSON.stringify(json));
    const { aBytes } = JSON.parse(json.value) as { aBytes: string };
    assert.ok(aBytes === content.toString('base64'));
  });

  it('return the same results and errors as the inline conversion', async () => {
    const inputs = [
      '{"aString":"é","anInt64":9007199254740993,"struct":{"__proto__":-0}}',
      Buffer.from('{"texts":["a","b"]}'),
      '{"nope":1}',
      '{"color":9}',
      '',
      new Uint8Array([0xff]),
    ];
    for (const input of inputs) {
      const task = { tenantId, registry, typeName, input };
      const expected = await inline.convert('json-to-bytes', task);
      assert.deepEqual(await threads.convert('json-to-bytes', task), expected);
    }
    for (const input of [
      new Uint8Array([0x80, 1, 42]),
      new Uint8Array([0x72, 9]),
      new Uint8Array([0xf8, 0x3f, 1]),
    ]) {
      const task = { tenantId, registry, typeName, input };
      assert.deepEqual(
        await threads.convert('bytes-to-json', task),
        await inline.convert('bytes-to-json', task),
      );
      assert.deepEqual(await threads.convert('check-bytes', task), await inline.convert('check-bytes', task));
    }
  });

  it('do not transfer or modify the input', async () => {
    const input = new Uint8Array(Buffer.from('{"aString":"x"}'));
    await threads.convert('json-to-bytes', { tenantId, registry, typeName, input });
    assert.equal(Buffer.from(input).toString(), '{"aString":"x"}');
  });

  itSlow('do not block the event loop while converting a large input', async () => {
    const big = createMessageWorkers({ queue });
    try {
      const input = JSON.stringify({
        children: Array.from({ length: 20_000 }, (_, i) => ({ anInt32: i, aString: 'x'.repeat(60) })),
      });
      assert.ok(input.length > 1_048_576);
      const startedAt = threadMs();
      const expected = bytesFromJson(registry, typeName, input);
      const inlineMs = threadMs() - startedAt;
      const watch = watchTurns();
      const converted = await big.convert('json-to-bytes', { tenantId, registry, typeName, input });
      const longest = watch.stop();
      assert.deepEqual(converted, expected);
      assert.ok(longest < inlineMs / 2, `the loop stood still for ${longest} ms of work, ${inlineMs} inline`);
    } finally {
      await big.close();
    }
  });

  it('queue more jobs than there are threads', async () => {
    const jobs = Array.from({ length: 20 }, (_, i) =>
      threads.convert('json-to-bytes', { tenantId, registry, typeName, input: `{"anInt32":${i + 1}}` }),
    );
    const results = await Promise.all(jobs);
    assert.deepEqual(
      results.map((result) => (result.ok ? result.value[1] : undefined)),
      Array.from({ length: 20 }, (_, i) => i + 1),
    );
  });

  it('throw the same errors as the inline conversion', async () => {
    const task = { tenantId, registry, typeName: 'test.v1.None', input: '{}' };
    await assert.rejects(inline.convert('json-to-bytes', task), /no message test\.v1\.None/);
    await assert.rejects(threads.convert('json-to-bytes', task), /no message test\.v1\.None/);
  });

  itSlow('keep the types of many package versions separate', async () => {
    const others = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        compiledRegistry(`syntax = "proto3"; package p; message A { string f${i} = ${i + 1}; }`),
      ),
    );
    for (let round = 0; round < 2; round += 1) {
      for (const [i, other] of others.entries()) {
        const task = { tenantId, registry: other, typeName: 'p.A', input: `{"f${i}":"x"}` };
        assert.equal((await threads.convert('json-to-bytes', task)).ok, true);
      }
    }
  });

  it('reject new jobs and fail pending ones after close', async () => {
    const task = { tenantId, registry, typeName, input: '{}' };
    const underWay = [1, 2, 3, 4].map(() => threads.convert('json-to-bytes', task));
    const settled = Promise.allSettled(underWay);
    await threads.close();
    for (const result of await settled) assert.equal(result.status, 'rejected');
    await assert.rejects(threads.convert('json-to-bytes', task), /closed/);
    await threads.close();
  });

  it('convert small inputs without starting a thread', async () => {
    assert.equal(threadId, 0);
    const small = createMessageWorkers({ queue });
    const before = ports();
    await small.convert('json-to-bytes', { tenantId, registry, typeName, input: '{}' });
    assert.equal(ports(), before);
    await small.close();
  });
});

describe('the threshold for converting on a thread', () => {
  const usesThread = async (input: string | Uint8Array, values?: number): Promise<boolean> => {
    const workers = createMessageWorkers({ queue });
    const before = ports();
    const kind = typeof input === 'string' ? 'json-to-bytes' : 'bytes-to-json';
    const task = { tenantId, registry, typeName, input, values };
    // The kind matches the input.
    const running = workers.convert(kind as 'json-to-bytes', task);
    const used = ports() > before;
    await running;
    await workers.close();
    return used;
  };
  const listOf = (count: number, item: string, name: string): string =>
    `{"${name}":[${Array.from({ length: count }, () => item).join(',')}]}`;

  itSlow('counts messages by the fields of their type', async () => {
    assert.equal(await usesThread(listOf(500, '{}', 'children')), false);
    assert.equal(await usesThread(listOf(2_000, '{}', 'children')), true);
    assert.equal(await usesThread(messageOf(500, [0xba, 1, 0])), false);
    assert.equal(await usesThread(messageOf(2_000, [0xba, 1, 0])), true);
  });

  itSlow('counts list elements', async () => {
    assert.equal(await usesThread(listOf(5_000, '1', 'numbers')), false);
    assert.equal(await usesThread(listOf(20_000, '1', 'numbers')), true);
    assert.equal(await usesThread(packed(20_000)), false);
    assert.equal(await usesThread(packed(50_000)), true);
  });

  itSlow('counts bytes', async () => {
    assert.equal(await usesThread(JSON.stringify({ aString: 'x'.repeat(100_000) })), false);
    assert.equal(await usesThread(JSON.stringify({ aString: 'x'.repeat(300_000) })), true);
  });

  itSlow('uses the number of values that the caller passes', async () => {
    // Delimiters inside strings would be counted too.
    const commas = JSON.stringify({ aString: ','.repeat(20_000) });
    assert.equal(await usesThread(commas), true);
    assert.equal(await usesThread(commas, 2), false);
  });

  itSlow('limits conversions on the main thread to about 10 ms', async () => {
    const wide = await compiledRegistry(
      `syntax = "proto3"; package p; message W { repeated W w = 199; ${Array.from({ length: 198 }, (_, i) => `map<string, int32> m${i} = ${i + 1};`).join(' ')} }`,
    );
    const workers = createMessageWorkers({ queue });
    for (const input of [listOf(4_000, '{}', 'w'), listOf(240, '{}', 'w'), listOf(150, '{}', 'w')]) {
      const task = { tenantId, registry: wide, typeName: 'p.W', input };
      await workers.convert('json-to-bytes', task);
      const watch = watchTurns();
      await workers.convert('json-to-bytes', task);
      const longest = watch.stop();
      assertTurn(longest, 40, `${input.length} characters: a turn`);
    }
    await workers.close();
  });
});

describe('conversions on threads', () => {
  /** Takes seconds. */
  const slow = JSON.stringify({ children: Array.from({ length: 300_000 }, () => ({})) });
  const task = (tenant: string, input: string) => ({ tenantId: tenant, registry, typeName, input });

  itSlow('alternate between tenants', async () => {
    const order: string[] = [];
    const run = (tenant: string, input: string) =>
      threads.convert('json-to-bytes', task(tenant, input)).then(() => order.push(tenant));
    const large = JSON.stringify({ children: Array.from({ length: 30_000 }, () => ({})) });
    const busy = Array.from({ length: 6 }, () => run('busy', large));
    await busy[0];
    await run('calm', '{}');
    await Promise.all(busy);
    assert.ok(order.indexOf('calm') <= 2, order.join(' '));
  });

  it('are terminated when the caller aborts, without affecting others', async () => {
    const gone = new AbortController();
    const left = threads.convert('json-to-bytes', { ...task('a', slow), signal: gone.signal });
    const next = threads.convert('json-to-bytes', task('a', '{}'));
    setTimeout(() => gone.abort(), 50);
    await assert.rejects(left, /the caller left before the request was processed/);
    assert.equal((await next).ok, true);
  });

  it('are terminated at their deadline', async () => {
    const deadlineMs = Date.now() + 50;
    await assert.rejects(threads.convert('json-to-bytes', { ...task('a', slow), deadlineMs }), {
      status: 503,
    });
    assert.equal((await threads.convert('json-to-bytes', task('a', '{}'))).ok, true);
  });

  itSlow('fail if they exceed the memory limit of a thread, without affecting others', async () => {
    const little = createMessageWorkers({ queue, inlineMicros: 0, megabytes: 64 });
    try {
      assert.deepEqual(await little.convert('json-to-bytes', task('a', slow)), {
        ok: false,
        error: {
          code: 'invalid_json',
          message:
            'invalid JSON for test.v1.Sink: converting the message needs more than 64 MiB of memory: send a smaller message',
        },
      });
      assert.equal((await little.convert('json-to-bytes', task('a', '{}'))).ok, true);
    } finally {
      await little.close();
    }
  });
});

function ports(): number {
  return process.getActiveResourcesInfo().filter((name) => name === 'MessagePort').length;
}

/** A Sink with the same record `count` times. */
function messageOf(count: number, record: readonly number[]): Uint8Array {
  return Uint8Array.from({ length: count * record.length }, (_, i) => record[i % record.length] ?? 0);
}

/** A Sink whose `numbers` are packed. */
function packed(count: number): Uint8Array {
  const length = [(count & 0x7f) | 0x80, ((count >> 7) & 0x7f) | 0x80, count >> 14];
  return Uint8Array.from([0xa2, 1, ...length, ...Array.from({ length: count }, () => 1)]);
}
