import assert from 'node:assert/strict';
import { limits } from '../../../../specs/limits.ts';
import { holdOutput } from '../../../../service/nodes/call/hold-output.ts';
import type { StreamEvent } from '../../../../service/nodes/container/call-stream.ts';

describe('output that is held back', () => {
  const frame = new Uint8Array(16_777_216);
  const most = limits.heldOutputBytes / frame.length;

  /** A node that answers with so many frames of 16 MiB. */
  const held = async (count: number) => {
    let made = 0;
    let cancelled = false;
    const stream = {
      next: (): Promise<StreamEvent> => {
        made += 1;
        return Promise.resolve(made > count ? { kind: 'done' } : { kind: 'frame', bytes: frame });
      },
      cancel: () => {
        cancelled = true;
      },
    };
    const output = await holdOutput(stream, Promise.resolve());
    let frames = 0;
    for (;;) {
      const event = await output.next();
      if (event.kind !== 'frame') {
        await output.close();
        return { frames, end: event, cancelled };
      }
      frames += 1;
    }
  };

  it('is delivered whole after the upload', async () => {
    const { frames, end, cancelled } = await held(2);
    assert.deepEqual([frames, end, cancelled], [2, { kind: 'done' }, false]);
  });

  it('may have 256 MiB, and not one frame more', async () => {
    const run = async (count: number): Promise<string> => {
      let made = 0;
      const ended = Promise.withResolvers<undefined>();
      const output = await holdOutput(
        {
          next: () => {
            made += 1;
            if (made <= count) return Promise.resolve({ kind: 'frame', bytes: frame });
            ended.resolve(undefined);
            return Promise.resolve({ kind: 'done' });
          },
          cancel: () => undefined,
        },
        ended.promise,
      );
      for (;;) {
        const event = await output.next();
        if (event.kind === 'frame') continue;
        await output.close();
        return event.kind === 'unreachable' ? event.message : event.kind;
      }
    };
    assert.equal(await run(most), 'done');
    assert.equal(
      await run(most + 1),
      `calling node: the output exceeds the limit of ${limits.heldOutputBytes} bytes during the upload`,
    );
  }).timeout(120_000);
});
