import assert from 'node:assert/strict';
import { EventHub } from '../../../../service/engine/events/event-hub.ts';
import { decodeEntries } from '../../../../service/engine/journal/codec.ts';
import { newRunState } from '../../../../service/engine/journal/state.ts';
import { StreamLog } from '../../../../service/engine/stream/stream-log.ts';
import { createIds } from '../../../../service/ids.ts';
import { manualClock } from '../../../support/manual-clock.ts';
import { until } from '../../../support/until.ts';

const frameBytes = 65_536;

/** A log whose rows are stored when the test decides. */
function openLog() {
  const clock = manualClock();
  const ids = createIds(clock);
  const rows: { seq: number; body: string; store: (kind: 'done' | 'lost') => void }[] = [];
  let lost = 0;
  const parts = {
    writer: {
      write: ({ seq, body }: { seq: number; body: string }) =>
        new Promise((resolve) => rows.push({ seq, body, store: (kind) => resolve({ kind }) })),
    },
    bodyOf: () => Promise.resolve(undefined),
    blobs: { put: () => Promise.resolve('blob') },
    logger: { error: (details: unknown) => assert.fail(JSON.stringify(details)) },
    events: new EventHub(),
    metrics: { countRun: () => undefined },
    clock,
    ids,
    isClosed: () => false,
  };
  const log = new StreamLog({
    parts: parts as never,
    identity: { tenantId: 't', executionId: 'run', graph: {} as never },
    state: newRunState('run'),
    shape: { terminal: 'a' } as never,
    caps: {} as never,
    trace: undefined,
    onLost: () => (lost += 1),
  });
  let index = 0;
  return {
    log,
    rows,
    isFull: () => log.isFull,
    /** Resolves with a row that is about to be stored. */
    row: async (index: number) => {
      await until(() => rows.length > index);
      const row = rows[index];
      assert.ok(row);
      return row;
    },
    lost: () => lost,
    /** Records frames with the given total number of bytes. */
    fill: (bytes: number): void => {
      for (let noted = 0; noted < bytes; noted += frameBytes) {
        const frame = new Uint8Array(frameBytes);
        log.note({ type: 'NODE_FRAME', step: 0, node: 'a', branch: 'run', index, frame });
        index += 1;
      }
    },
    frames: () => index,
  };
}

describe('the log of a stream', () => {
  it('commits a full row at once, and writes rows of about 1 MiB in order', async () => {
    const { log, rows, row, fill, frames } = openLog();
    fill(1_048_576);
    await new Promise(setImmediate);
    assert.equal(rows.length, 1);
    fill(20 * 1_048_576);
    const ended = log.end({ output: new Uint8Array() });
    for (let next = 0, isLast = false; !isLast; next += 1) {
      const { body, store } = await row(next);
      store('done');
      isLast = body.includes('FLOW_COMPLETED');
    }
    await ended;
    assert.deepEqual(
      rows.map(({ seq }) => seq),
      rows.map((_, index) => index + 1),
    );
    const entries = rows.flatMap(({ body }) => decodeEntries(body));
    assert.deepEqual(
      entries.flatMap((entry) => (entry.type === 'NODE_FRAME' ? entry.index : [])),
      Array.from({ length: frames() }, (_, index) => index),
    );
    assert.equal(entries.at(-1)?.type, 'FLOW_COMPLETED');
    assert.ok(rows.every(({ body }) => body.length < 1_600_000));
  });

  it('applies backpressure to frames while too much is uncommitted', async () => {
    const { log, rows, row, isFull, fill } = openLog();
    fill(7 * 1_048_576);
    assert.equal(isFull(), false);
    fill(2 * 1_048_576);
    assert.equal(isFull(), true);
    const steps: string[] = [];
    const room = log.room().then(() => steps.push('room'));
    for (let next = 0; isFull(); next += 1) {
      const { store } = await row(next);
      steps.push('stored');
      store('done');
      await new Promise(setImmediate);
    }
    await room;
    assert.ok(rows.length < 4, `${rows.length} rows`);
    assert.deepEqual(steps, ['stored', 'stored', 'room']);
  });

  it('lifts the backpressure when the run ends or its journal is lost', async () => {
    const ending = openLog();
    ending.fill(9 * 1_048_576);
    const room = ending.log.room();
    ending.log.stopWaiting();
    await room;
    assert.equal(ending.isFull(), false);
    const losing = openLog();
    losing.fill(9 * 1_048_576);
    const lost = losing.log.room();
    (await losing.row(0)).store('lost');
    await lost;
    assert.deepEqual([losing.lost(), losing.log.isLost, losing.isFull()], [1, true, false]);
  });
});
