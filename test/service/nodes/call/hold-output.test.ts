import assert from 'node:assert/strict';
import { limits } from '../../../../specs/limits.ts';
import { holdOutput } from '../../../../service/nodes/call/hold-output.ts';
import type { StreamEvent } from '../../../../service/nodes/container/call-stream.ts';
import { eventually } from '../../../support/eventually.ts';
import { itSlow } from '../../../support/fast-run.ts';
import { openSpools } from '../../../support/open-spools.ts';

describe('output that is held back during an upload', () => {
  const frame = new Uint8Array(16_777_216);
  /** The signal of a caller that stays connected. */
  const present = new AbortController().signal;
  const most = limits.heldOutputBytes / frame.length;

  /** A node that answers with the given number of frames of 16 MiB. */
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
    const output = await holdOutput(stream, { uploaded: Promise.resolve(), signal: present });
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

  it('is delivered completely after the upload', async () => {
    const { frames, end, cancelled } = await held(2);
    assert.deepEqual([frames, end, cancelled], [2, { kind: 'done' }, false]);
  });

  it('releases its file when the caller disconnects before it reads, or has already disconnected', async () => {
    for (const when of ['before', 'after']) {
      const ended = Promise.withResolvers<undefined>();
      const caller = new AbortController();
      let made = 0;
      const stream = {
        next: async (): Promise<StreamEvent> => {
          made += 1;
          if (made === 1) return { kind: 'frame', bytes: frame };
          assert.equal(await openSpools(), 1);
          if (when === 'before') caller.abort();
          ended.resolve(undefined);
          return { kind: 'done' };
        },
        cancel: () => undefined,
      };
      const output = await holdOutput(stream, { uploaded: ended.promise, signal: caller.signal });
      if (when === 'after') {
        assert.equal(await openSpools(), 1);
        caller.abort();
      }
      await eventually(async () => ((await openSpools()) === 0 ? true : undefined));
      // Held until here, so that garbage collection closes nothing.
      await output.close();
    }
  });

  it('remains readable until closed if the caller disconnects while reading', async () => {
    const caller = new AbortController();
    const frames: StreamEvent[] = [
      { kind: 'frame', bytes: frame },
      { kind: 'frame', bytes: frame },
    ];
    const ended = Promise.withResolvers<undefined>();
    const output = await holdOutput(
      {
        next: () => {
          const next = frames.shift();
          if (!next) ended.resolve(undefined);
          return Promise.resolve(next ?? { kind: 'done' });
        },
        cancel: () => undefined,
      },
      { uploaded: ended.promise, signal: caller.signal },
    );
    assert.equal((await output.next()).kind, 'frame');
    caller.abort();
    assert.equal((await output.next()).kind, 'frame');
    await output.close();
    assert.equal(await openSpools(), 0);
  });

  it('releases its file and cancels the stream when the output cannot be stored', async () => {
    const frames = [frame];
    let cancelled = false;
    const stream = {
      next: async (): Promise<StreamEvent> => {
        const bytes = frames.shift();
        if (bytes) return { kind: 'frame', bytes };
        assert.equal(await openSpools(), 1);
        throw new Error('no space left');
      },
      cancel: () => {
        cancelled = true;
      },
    };
    const holding = holdOutput(stream, { uploaded: new Promise(() => undefined), signal: present });
    await assert.rejects(holding, /no space left/);
    assert.deepEqual([cancelled, await openSpools()], [true, 0]);
  });

  itSlow('is limited to 256 MiB', async () => {
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
        { uploaded: ended.promise, signal: present },
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
