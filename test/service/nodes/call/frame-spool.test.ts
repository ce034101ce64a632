import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { FrameSpool } from '../../../../service/nodes/call/frame-spool.ts';

describe('a frame spool', () => {
  for (const [title, sizes] of [
    ['no frames', []],
    ['frames in memory', [0, 1, 1_048_575]],
    ['frames in memory and in a file', [1_048_576, 1, 0, 3_000_000, 7]],
    ['small frames in memory', Array.from({ length: 1_000 }, (_, n) => n % 7)],
    ['frames around the size of a chunk', [65_535, 1, 1, 65_536, 0, 65_537, 65_534, 1, 2]],
    ['small frames in a file', Array.from({ length: 40_000 }, (_, n) => n % 100)],
    ['empty frames', [0, 0]],
  ] as const) {
    it(`returns ${title} in order`, async () => {
      const spool = new FrameSpool();
      const frames = sizes.map((size, index) => new Uint8Array(size).fill(index + 1));
      for (const frame of frames) await spool.append(frame);
      assert.equal(
        spool.bytes,
        sizes.reduce((sum: number, size) => sum + size, 0),
      );
      const read = await Array.fromAsync(spool.read());
      assert.deepEqual(
        read.map((frame) => Buffer.from(frame)),
        frames.map((frame) => Buffer.from(frame)),
      );
      await spool.close();
    });
  }

  it('ends a reader when it is closed', async () => {
    const spool = new FrameSpool();
    for (let frame = 0; frame < 100; frame += 1) await spool.append(Buffer.alloc(40_000, frame));
    const frames = spool.read();
    assert.equal((await frames.next()).value?.[0], 0);
    await spool.close();
    assert.equal((await frames.next()).done, true);
  });

  it('uses little memory for small frames', () => {
    const { stdout, stderr } = spawnSync(
      process.execPath,
      ['--expose-gc', '--input-type=module-typescript'],
      {
        input: `
        import { FrameSpool } from ${JSON.stringify(new URL('../../../../service/nodes/call/frame-spool.ts', import.meta.url).href)};
        const used = () => (gc(), process.memoryUsage().heapUsed + process.memoryUsage().arrayBuffers);
        const spool = new FrameSpool();
        const before = used();
        for (let frame = 0; frame < 100_000; frame += 1) await spool.append(Buffer.from('{}'));
        const held = used() - before;
        console.log(held, spool.bytes);`,
        encoding: 'utf8',
      },
    );
    const [held = Number.NaN, bytes] = stdout.split(' ').map(Number);
    assert.equal(bytes, 200_000, stderr);
    assert.ok(held < 2_500_000, `${held} bytes of memory`);
  });
});
