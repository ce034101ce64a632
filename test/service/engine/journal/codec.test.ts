import assert from 'node:assert/strict';
import { decodeEntries, encodeEntries, inlineBytes } from '../../../../service/engine/journal/codec.ts';
import type { JournalEntry } from '../../../../service/engine/journal/entry.ts';
import type { Json } from '../../../../service/errors/api-error.ts';
import { LargeNumber } from '../../../../specs/large-number.ts';

const stamp = { id: '01', at: 1 };
const place = { step: 0, node: 'a', branch: 'root' };

describe('a journal row', () => {
  it('decodes to the encoded entries', async () => {
    const bytes = new Uint8Array([0, 128, 255]);
    const entries: JournalEntry[] = [
      { type: 'admitted', config: { tone: 'dry' }, ...stamp },
      { type: 'NODE_STARTED', ...place, input: bytes, joined: ['x'], ...stamp },
      { type: 'NODE_COMPLETED', ...place, output: new Uint8Array(), ...stamp },
      { type: 'NODE_LOG', ...place, level: 'info', message: '\u0000 "\\ \u2028', ...stamp },
      { type: 'FLOW_FAILED', status: 'FAILED', message: 'no', ...stamp },
    ];
    const body = await encodeEntries(entries, () => assert.fail('nothing is large'));
    assert.deepEqual(decodeEntries(body), entries);
  });

  it('keeps every digit of a number in a config', async () => {
    const seed = new LargeNumber('9007199254740993') as unknown as Json;
    const entries: JournalEntry[] = [{ type: 'admitted', config: { seed }, ...stamp }];
    assert.deepEqual(decodeEntries(await encodeEntries(entries, () => assert.fail())), entries);
  });

  it('stores messages of up to 64 KiB inline, and larger ones as blobs', async () => {
    const fits = new Uint8Array(inlineBytes);
    const large = new Uint8Array(inlineBytes + 1);
    const put: Uint8Array[] = [];
    const entries: JournalEntry[] = [
      { type: 'NODE_STARTED', ...place, input: fits, ...stamp },
      { type: 'NODE_COMPLETED', ...place, output: large, ...stamp },
    ];
    const body = await encodeEntries(entries, (bytes) => {
      put.push(bytes);
      return Promise.resolve('kept');
    });
    assert.deepEqual(put, [large]);
    const [started, completed] = decodeEntries(body);
    assert.deepEqual(started, entries[0]);
    assert.deepEqual(completed, { ...entries[1], output: { blob: 'kept', size: inlineBytes + 1 } });
  });

  it('stores a message as one blob when its copies exceed 1 MiB', async () => {
    const message = new Uint8Array(inlineBytes);
    const own = new Uint8Array(inlineBytes);
    const rowOf = (times: number): JournalEntry[] => [
      { type: 'NODE_STARTED', ...place, input: own, ...stamp },
      ...Array.from({ length: times }, (_, step): JournalEntry => ({
        type: 'NODE_STARTED',
        ...place,
        step,
        input: message,
        ...stamp,
      })),
    ];
    const fits = rowOf(16);
    assert.deepEqual(decodeEntries(await encodeEntries(fits, () => assert.fail('nothing is large'))), fits);
    const put: Uint8Array[] = [];
    const body = await encodeEntries(rowOf(17), (bytes) => {
      put.push(bytes);
      return Promise.resolve('kept');
    });
    assert.equal(put.length, 1);
    assert.equal(put[0], message);
    const [first, ...repeated] = decodeEntries(body);
    assert.deepEqual(first, fits[0]);
    const named = { blob: 'kept', size: inlineBytes };
    assert.deepEqual(
      repeated,
      rowOf(17)
        .slice(1)
        .map((entry) => ({ ...entry, input: named })),
    );
  });

  it('fails to encode if a blob cannot be stored', async () => {
    const entries: JournalEntry[] = [
      { type: 'NODE_COMPLETED', ...place, output: new Uint8Array(inlineBytes + 1), ...stamp },
    ];
    await assert.rejects(
      async () => encodeEntries(entries, () => Promise.reject(new Error('disk full'))),
      /disk full/,
    );
  });
});
