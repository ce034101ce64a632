import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
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
  it('holds the files as they were given, in their order', () => {
    const entries = unzipSync(zipFiles(files));
    assert.deepEqual(Object.keys(entries), ['a/empty', 'b.bin', 'c.txt']);
    for (const { path, content } of files)
      assert.deepEqual(Buffer.from(entries[path]!), Buffer.from(content));
  });

  it('says that every file is from 1980-01-01 and readable', () => {
    for (const entry of centralDirectory(zipFiles(files))) {
      assert.deepEqual(entry, { time: 0, date: (1 << 5) | 1, mode: 0o100644 });
    }
  });

  it('has memory of its own', () => {
    const bytes = zipFiles(files);
    assert.equal(bytes.byteLength, bytes.buffer.byteLength);
  });

  it('may hold nothing', () => {
    assert.deepEqual(unzipSync(zipFiles([])), {});
  });

  it('is the same when its runtime files were packed before', () => {
    assert.deepEqual(zipFiles(files), zipFiles(files.map((file) => ({ ...file }))));
    const again = files.map(({ path, content }) => ({ path, content: new Uint8Array(Buffer.from(content)) }));
    assert.deepEqual(zipFiles(files), zipFiles(again));
  });

  it('holds a file that is deflated in parts as it holds one that is not', () => {
    const parts = ['words, ', 'größe 🚀\n'.repeat(50), 'end\n'].map((text) => Buffer.from(text));
    const content = Buffer.concat(parts).toString();
    for (let times = 0; times < 2; times += 1) {
      const bytes = zipFiles([{ path: 'a', content, parts }, ...files]);
      assert.equal(Buffer.from(unzipSync(bytes).a!).toString(), content);
    }
  });

  it('keeps what deflating makes no smaller as it is', () => {
    const noise = new Uint8Array(Array.from({ length: 64 }, (_, index) => (index * 167 + 13) % 256));
    const bytes = zipFiles([{ path: 'noise', content: noise }]);
    assert.ok(Buffer.from(bytes).includes(Buffer.from(noise)));
    assert.deepEqual(unzipSync(bytes), { noise });
  });

  it('holds as many files as a zip may without Zip64, and no more', () => {
    const content = new Uint8Array();
    const many = Array.from({ length: 65_535 }, (_, index) => ({ path: String(index), content }));
    assert.equal(Object.keys(unzipSync(zipFiles(many))).length, 65_535);
    assert.throws(() => zipFiles([...many, { path: 'more', content }]), /at most 65535 files/);
  });
});

suiteNeeds('python', 'a zip file, to another reader', () => {
  it('is whole: every checksum, size and offset', async () => {
    const folder = await temporaryFolder({});
    try {
      const file = path.join(folder.path, 'files.zip');
      const parts = [Buffer.from('in '), Buffer.from('two')];
      writeFileSync(file, zipFiles([...files, { path: 'd', content: 'in two', parts }]));
      // It unpacks each file and checks it by what both headers say.
      assert.match(
        execFileSync('python3', ['-m', 'zipfile', '-t', file], { encoding: 'utf8' }),
        /Done testing/,
      );
      const program =
        'import sys, zipfile; print([i.filename for i in zipfile.ZipFile(sys.argv[1]).infolist()])';
      const names = execFileSync('python3', ['-c', program, file], { encoding: 'utf8' });
      assert.equal(names.trim(), "['a/empty', 'b.bin', 'c.txt', 'd']");
    } finally {
      await folder.remove();
    }
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
