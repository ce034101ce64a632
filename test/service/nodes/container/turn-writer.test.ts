import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { createTurnWriter } from '../../../../service/nodes/container/turn-writer.ts';

/** A stream whose reader the test controls. */
function slowStream(highWaterMark: number) {
  const messages: string[] = [];
  const taken: (() => void)[] = [];
  const stream = new Writable({
    objectMode: true,
    highWaterMark,
    write: (message: Uint8Array, _, done) => {
      messages.push(Buffer.from(message).toString());
      taken.push(done);
    },
  });
  return { stream, messages, take: () => taken.shift()?.() };
}

const encode = (entries: string[]): Uint8Array => Buffer.from(entries.join());

describe('a turn writer', () => {
  it('writes one message per event loop turn', async () => {
    const { stream, messages, take } = slowStream(10);
    const writer = createTurnWriter(stream, { encode });
    for (const entry of ['a', 'b', 'c']) writer.push(entry, 1);
    assert.deepEqual(messages, []);
    await turn();
    take();
    writer.push('d', 1);
    await turn();
    assert.deepEqual(messages, ['a,b,c', 'd']);
  });

  it('limits a message to about 1 MiB', async () => {
    const { stream, messages, take } = slowStream(10);
    const writer = createTurnWriter(stream, { encode });
    for (const entry of ['a', 'b', 'c']) writer.push(entry, 600_000);
    await turn();
    take();
    await turn();
    assert.deepEqual(messages, ['a,b', 'c']);
  });

  it('withdraws entries that are not written yet', async () => {
    const { stream, messages } = slowStream(10);
    const writer = createTurnWriter(stream, { encode });
    const [back] = ['a', 'b'].map((entry) => writer.push(entry, 1));
    assert.equal(back?.(), true);
    const written = writer.push('c', 1);
    await turn();
    assert.deepEqual(messages, ['b,c']);
    assert.equal(written(), false);
  });

  it('queues entries while the stream is full, and reports it', async () => {
    const { stream, messages, take } = slowStream(1);
    const reported: string[] = [];
    const writer = createTurnWriter(stream, {
      encode,
      onFull: () => reported.push('full'),
      onDrain: () => reported.push('drained'),
    });
    writer.push('a', 1);
    await turn();
    writer.push('b', 1);
    await turn();
    writer.push('c', 1);
    await turn();
    assert.deepEqual([messages, reported], [['a'], ['full']]);
    take();
    await turn();
    await turn();
    assert.deepEqual(messages, ['a', 'b,c']);
    assert.deepEqual(reported, ['full', 'drained', 'full']);
  });

  it('writes nothing until it is released', async () => {
    const { stream, messages } = slowStream(10);
    const writer = createTurnWriter(stream, { encode, held: true });
    writer.push('a', 1);
    await turn();
    writer.push('b', 1);
    assert.deepEqual(messages, []);
    writer.release();
    await turn();
    assert.deepEqual(messages, ['a,b']);
  });

  it('ends the stream after the pushed entries', async () => {
    const { stream, messages, take } = slowStream(1);
    const writer = createTurnWriter(stream, { encode });
    writer.push('a', 600_000);
    writer.push('b', 600_000);
    writer.push('c', 1);
    writer.end();
    await turn();
    assert.equal(stream.writableEnded, false);
    take();
    await turn();
    await turn();
    take();
    await turn();
    await turn();
    assert.deepEqual(messages, ['a,b', 'c']);
    assert.equal(stream.writableEnded, true);
  });

  it('writes nothing to a broken stream', async () => {
    const { stream, messages } = slowStream(10);
    const writer = createTurnWriter(stream, { encode });
    writer.push('a', 1);
    stream.destroy();
    await turn();
    assert.deepEqual(messages, []);
  });
});
