import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { crc32 } from 'node:zlib';
import { unzipSync } from 'fflate';
import { zipFiles } from '../../../generator/archive/zip-files.ts';
import { temporaryFolder } from '../../support/temporary-folder.ts';
import { suiteNeeds } from '../../support/toolchains.ts';

const files = [
  { path: 'a/empty', content: '' },
  { path: 'b.bin', content: Uint8Array.of(0, 255, 128) },
  { path: 'c.txt', content: 'größe 🚀\n'.repeat(5000) },
];

describe('a zip file', () => {
  it('contains the files in the given order', async () => {
    const entries = unzipSync(await zipFiles(files));
    assert.deepEqual(Object.keys(entries), ['a/empty', 'b.bin', 'c.txt']);
    for (const { path, content } of files)
      assert.deepEqual(Buffer.from(entries[path]!), Buffer.from(content));
  });

  it('gives every file the date 1980-01-01 and mode 0644', async () => {
    for (const entry of centralDirectory(await zipFiles(files))) {
      assert.deepEqual(entry, { time: 0, date: (1 << 5) | 1, mode: 0o100644 });
    }
  });

  it('does not share its buffer', async () => {
    const bytes = await zipFiles(files);
    assert.equal(bytes.byteLength, bytes.buffer.byteLength);
  });

  it('can be empty', async () => {
    assert.deepEqual(unzipSync(await zipFiles([])), {});
  });

  it('is byte-identical for the same files, as text or bytes', async () => {
    const bytes = files.map(({ path, content }) => ({ path, content: new Uint8Array(Buffer.from(content)) }));
    const archives = await Promise.all([files, files, bytes].map(zipFiles));
    for (const archive of archives) assert.deepEqual(archive, archives[0]);
  });

  it('stores sizes and checksums before the content, for streaming readers', async () => {
    const bytes = Buffer.from(await zipFiles(files));
    for (let at = 0, index = 0; index < files.length; index += 1) {
      const { content } = files[index]!;
      const size = bytes.readUInt32LE(at + 22);
      assert.equal(bytes.readUInt32LE(at), 0x04034b50);
      assert.equal(bytes.readUInt16LE(at + 6) & 8, 0, 'no data descriptor follows');
      assert.equal(bytes.readUInt32LE(at + 14), crc32(content));
      assert.equal(size, Buffer.byteLength(content));
      at += 30 + bytes.readUInt16LE(at + 26) + bytes.readUInt16LE(at + 28) + bytes.readUInt32LE(at + 18);
    }
  });

  it('can contain hundreds of files', async () => {
    const many = Array.from({ length: 500 }, (_, index) => ({ path: String(index), content: 'text' }));
    assert.equal(Object.keys(unzipSync(await zipFiles(many))).length, 500);
  });
});

suiteNeeds('python', 'a zip file read by Python', () => {
  it('has valid checksums, sizes and offsets', async () => {
    const folder = await temporaryFolder({});
    try {
      const file = path.join(folder.path, 'files.zip');
      writeFileSync(file, await zipFiles(files));
      // `-t` unpacks each file and compares it with both of its headers.
      assert.match(
        execFileSync('python3', ['-m', 'zipfile', '-t', file], { encoding: 'utf8' }),
        /Done testing/,
      );
      const program =
        'import sys, zipfile; print([i.filename for i in zipfile.ZipFile(sys.argv[1]).infolist()])';
      const names = execFileSync('python3', ['-c', program, file], { encoding: 'utf8' });
      assert.equal(names.trim(), "['a/empty', 'b.bin', 'c.txt']");
    } finally {
      await folder.remove();
    }
  });
});

/** Returns the entries, as https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT, 4.3.12 describes them. */
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
