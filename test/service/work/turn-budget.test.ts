import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { loopTurns, streamTurns, takeInTurns } from '../../../service/work/turn-budget.ts';
import { threadMs } from '../../../service/work/thread-time.ts';

function work(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until;);
}

describe('the time of streams in a turn of the event loop', () => {
  it('is shared by all streams, and resets with each turn', async () => {
    await nextTurn();
    assert.equal(streamTurns.isSpent(), false);
    work(6);
    assert.equal(streamTurns.isSpent(), true);
    await Promise.resolve();
    assert.equal(streamTurns.isSpent(), true);
    await nextTurn();
    assert.equal(streamTurns.isSpent(), false);
  });

  it('resumes waiting streams in order within the time of a turn', async () => {
    const order: number[] = [];
    let pieces = 0;
    let mostPieces = 0;
    const over = new AbortController();
    const streams = Array.from({ length: 30 }, async (_, stream) => {
      for (let piece = 0; piece < 3; piece += 1) {
        work(1);
        order.push(stream);
        pieces += 1;
        mostPieces = Math.max(mostPieces, pieces);
        await streamTurns.yieldIfSpent();
      }
    });
    const counting = (async () => {
      while (!over.signal.aborted) {
        await nextTurn();
        pieces = 0;
      }
    })();
    // All first pieces were processed when the streams were made.
    pieces = 0;
    mostPieces = 0;
    await Promise.all(streams);
    over.abort();
    await counting;
    // In each round, every stream has one piece before any has the next. The first ones need not wait.
    for (const round of [1, 2]) {
      const places = order.slice(30 * round, 30 * (round + 1));
      assert.equal(new Set(places).size, 30, String(order));
    }
    assert.ok(mostPieces <= 4, `${mostPieces} pieces of 1 ms in one turn`);
  });

  it('is separate from that of loops, which never wait for streams', async () => {
    const over = new AbortController();
    const streams = Array.from({ length: 500 }, async () => {
      while (!over.signal.aborted) {
        work(0.2);
        await streamTurns.yieldIfSpent();
      }
    });
    let turns = 0;
    const counting = (async () => {
      while (!over.signal.aborted) {
        await nextTurn();
        turns += 1;
      }
    })();
    await nextTurn();
    turns = 0;
    for (let piece = 0; piece < 10; piece += 1) {
      work(6);
      await loopTurns.yieldIfSpent();
    }
    over.abort();
    await Promise.all([...streams, counting]);
    // Ten streams or so continue in each turn, so one line would have taken 50 turns for each piece.
    assert.ok(turns <= 30, `${turns} turns for 10 pieces`);
  });

  it('pauses streams that exceed it, and delivers their items in order before their end', async () => {
    const streams = ['a', 'b'].map((name) =>
      Readable.from(
        Array.from({ length: 60 }, (_, n) => [`${name}${2 * n}`, `${name}${2 * n + 1}`]),
        { objectMode: true },
      ),
    );
    const taken: string[][] = [[], []];
    let turns = 0;
    let perTurn = 0;
    let most = 0;
    const ends = streams.map((stream, index) => {
      const items = takeInTurns<string>(stream, (item) => {
        work(1);
        perTurn += 1;
        most = Math.max(most, perTurn);
        taken[index]?.push(item);
      });
      stream.on('data', (read: string[]) => items.take(read));
      return new Promise((resolve) =>
        stream.once('end', () => items.end(() => resolve(taken[index]?.length))),
      );
    });
    let isOver = false;
    const countTurns = async (): Promise<void> => {
      while (!isOver) {
        await nextTurn();
        turns += 1;
        perTurn = 0;
      }
    };
    const counting = countTurns();
    assert.deepEqual(await Promise.all(ends), [120, 120]);
    isOver = true;
    await counting;
    for (const [index, name] of ['a', 'b'].entries())
      assert.deepEqual(
        taken[index],
        Array.from({ length: 120 }, (_, n) => `${name}${n}`),
      );
    // 240 items of 1 ms, 2 ms a turn, and at least one for each turn of counting.
    assert.ok(turns >= 240 / 12, `${turns} turns`);
    assert.ok(most <= 12, `${most} in one turn`);
  });

  it('lets a short response through during a flood of streams', async () => {
    let isOver = false;
    const floods = Array.from({ length: 10 }, () => {
      let isPaused = false;
      const flood = { pause: () => (isPaused = true), resume: () => (isPaused = false) };
      const items = takeInTurns<number>(flood, () => work(0.5));
      const send = (): void => {
        if (isOver) return;
        if (!isPaused) items.take([1, 2, 3]);
        setImmediate(send);
      };
      send();
      return flood;
    });
    assert.equal(floods.length, 10);
    for (let answer = 0; answer < 5; answer += 1) {
      const began = threadMs();
      await new Promise<void>((resolve) => {
        const idle = { pause: () => undefined, resume: () => undefined };
        const items = takeInTurns<string>(idle, () => undefined);
        setImmediate(() => {
          items.take(['log', 'output']);
          items.end(resolve);
        });
      });
      assert.ok(threadMs() - began < 500, `${threadMs() - began} ms`);
    }
    isOver = true;
    await nextTurn();
  });
});
