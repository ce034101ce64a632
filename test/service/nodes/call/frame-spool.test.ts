import assert from 'node:assert/strict';
import { FrameSpool } from '../../../../service/nodes/call/frame-spool.ts';

describe('a frame spool', () => {
  for (const [title, sizes] of [
    ['no frames', []],
    ['frames in memory', [0, 1, 1_048_575]],
    ['frames in memory and in a file', [1_048_576, 1, 0, 3_000_000, 7]],
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
});
