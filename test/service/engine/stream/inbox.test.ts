import assert from 'node:assert/strict';
import { setImmediate as turn } from 'node:timers/promises';
import { Inbox } from '../../../../service/engine/stream/inbox.ts';

const frame = (value: number): Uint8Array => Uint8Array.of(value);

describe('an inbox', () => {
  it('blocks each sender until its frame is received, in order', async () => {
    const inbox = new Inbox(2);
    const taken: number[] = [];
    const sends = [1, 2].map(async (value) => {
      await inbox.send(frame(value));
      taken.push(value);
    });
    await turn();
    assert.deepEqual(taken, []);
    assert.deepEqual(await inbox.next(), frame(1));
    await turn();
    assert.deepEqual(taken, [1]);
    assert.deepEqual(await inbox.next(), frame(2));
    await Promise.all(sends);
  });

  it('passes a frame to a waiting receiver', async () => {
    const inbox = new Inbox(1);
    const next = inbox.next();
    await inbox.send(frame(1));
    assert.deepEqual(await next, frame(1));
  });

  it('ends once every sender has closed and all pending frames are received', async () => {
    const inbox = new Inbox(2);
    const sending = inbox.send(frame(1));
    inbox.close();
    inbox.close();
    assert.deepEqual(await inbox.next(), frame(1));
    await sending;
    assert.equal(await inbox.next(), undefined);
  });

  it('does not end while a sender is open', async () => {
    const inbox = new Inbox(2);
    let ended = false;
    const next = inbox.next().then(() => (ended = true));
    inbox.close();
    await turn();
    assert.equal(ended, false);
    inbox.close();
    await next;
  });

  it('releases its senders and its receiver when discarded', async () => {
    const full = new Inbox(1);
    const sending = full.send(frame(1));
    full.discard();
    await sending;
    await full.send(frame(2));
    assert.equal(await full.next(), undefined);
    const empty = new Inbox(1);
    const next = empty.next();
    empty.discard();
    assert.equal(await next, undefined);
  });
});
