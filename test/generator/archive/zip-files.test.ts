import assert from 'node:assert/strict';
import { unzipSync } from 'fflate';
import { zipFiles } from '../../../generator/archive/zip-files.ts';

const files = [
  { path: 'a/empty', content: '' },
  { path: 'b.bin', content: Uint8Array.of(0, 255, 128) },
  { path: 'c.txt', content: 'größe 🚀\n'.repeat(5000) },
];

describe('a zip file', () => {
  it('holds the files as they were given, in their order', async () => {
    const entries = unzipSync(await zipFiles(files));
    assert.deepEqual(Object.keys(entries), ['a/empty', 'b.bin', 'c.txt']);
    for (const { path, content } of files)
      assert.deepEqual(Buffer.from(entries[path]!), Buffer.from(content));
  });

  it('says that every file is from 1980-01-01 and readable', async () => {
    for (const entry of centralDirectory(await zipFiles(files))) {
      assert.deepEqual(entry, { time: 0, date: (1 << 5) | 1, mode: 0o100644 });
    }
  });

  it('has memory of its own', async () => {
    const bytes = await zipFiles(files);
    assert.equal(bytes.byteLength, bytes.buffer.byteLength);
  });

  it('may hold nothing', async () => {
    assert.deepEqual(unzipSync(await zipFiles([])), {});
  });
});

/** Entries by https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3.12. */
function centralDirectory(bytes: Uint8Array): { time: number; date: number; mode: number }[] {
  const buffer = Buffer.from(bytes);
  const entries = [];
  for (let at = buffer.indexOf('PK\x01\x02'); at >= 0; at = buffer.indexOf('PK\x01\x02', at + 1)) {
    const time = buffer.readUInt16LE(at + 12);
    const date = buffer.readUInt16LE(at + 14);
    entries.push({ time, date, mode: buffer.readUInt32LE(at + 38) >>> 16 });
  }
  assert.equal(entries.length, files.length);
  return entries;
}
