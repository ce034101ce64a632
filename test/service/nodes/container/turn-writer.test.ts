import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { createTurnWriter } from '../../../../service/nodes/container/turn-writer.ts';

/** A stream whose reader takes a message when the test says so. */
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

describe('the writer of turns', () => {
  it('writes the entries of one turn as one message, those of the next as another', async () => {
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

  it('closes a message beyond 1 MiB', async () => {
    const { stream, messages, take } = slowStream(10);
    const writer = createTurnWriter(stream, { encode });
    for (const entry of ['a', 'b', 'c']) writer.push(entry, 600_000);
    await turn();
    take();
    await turn();
    assert.deepEqual(messages, ['a,b', 'c']);
  });

  it('takes back what is not written', async () => {
    const { stream, messages } = slowStream(10);
    const writer = createTurnWriter(stream, { encode });
    const [back] = ['a', 'b'].map((entry) => writer.push(entry, 1));
    assert.equal(back?.(), true);
    const written = writer.push('c', 1);
    await turn();
    assert.deepEqual(messages, ['b,c']);
    assert.equal(written(), false);
  });

  it('lets entries wait while the stream is full, and says so', async () => {
    const { stream, messages, take } = slowStream(1);
    const told: string[] = [];
    const writer = createTurnWriter(stream, {
      encode,
      onFull: () => told.push('full'),
      onDrain: () => told.push('drained'),
    });
    writer.push('a', 1);
    await turn();
    writer.push('b', 1);
    await turn();
    writer.push('c', 1);
    await turn();
    assert.deepEqual([messages, told], [['a'], ['full']]);
    take();
    await turn();
    await turn();
    assert.deepEqual(messages, ['a', 'b,c']);
    assert.deepEqual(told, ['full', 'drained', 'full']);
  });

  it('writes nothing while it is held', async () => {
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

  it('ends the stream behind what was pushed', async () => {
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

  it('writes nothing to a stream that broke', async () => {
    const { stream, messages } = slowStream(10);
    const writer = createTurnWriter(stream, { encode });
    writer.push('a', 1);
    stream.destroy();
    await turn();
    assert.deepEqual(messages, []);
  });
});
