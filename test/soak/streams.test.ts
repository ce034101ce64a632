import assert from 'node:assert/strict';
import { splitReaders } from './checks/split-readers.ts';
import { streams } from './checks/streams.ts';
import type { Harm, HarmKind, History, Reading, SeenStream, Upload } from './history.ts';
import { harm, textsOf } from './sound-soak.ts';

describe('the soak check of streams', () => {
  const seen = (changes: Partial<SeenStream>, harms: Harm[] = []): string[] => {
    const stream: SeenStream = {
      operation: 'NDJSON stream',
      executionId: 'X',
      replica: 'replica-0',
      from: 1_500,
      to: 1_600,
      wanted: ['a', 'b'],
      frames: ['a', 'b'],
      end: 'success',
      sent: 2,
      acknowledged: 2,
      ...changes,
    };
    return textsOf(streams, { streams: [stream], harms });
  };

  it('requires all frames, in order', () => {
    assert.deepEqual(seen({}), []);
    assert.equal(seen({ frames: ['a'] }).length, 1);
    assert.equal(seen({ frames: ['b', 'a'] }).length, 1);
    assert.equal(seen({ frames: ['a', 'a', 'b'], end: 'left' }).length, 1);
  });

  it('requires an acknowledgement of every input frame', () => {
    assert.deepEqual(seen({ acknowledged: 1 }), [
      'execution X at replica-0: acknowledged 1 of 2 input frames',
    ]);
  });

  it('accepts a broken connection only while its process is harmed, or the database is away for half a minute', () => {
    const cut = { end: 'cut', frames: ['a'] } as const;
    assert.deepEqual(seen(cut, [harm('kill', 'replica-0')]), []);
    assert.equal(seen(cut, [harm('kill', 'replica-1')]).length, 1);
    assert.equal(seen(cut, [harm('database')]).length, 1);
    assert.deepEqual(seen(cut, [{ ...harm('hold', 'replica-0'), to: 32_000 }]), []);
  });

  it('accepts a failure only while its container is away', () => {
    assert.deepEqual(seen({ end: 'error', error: 'lost' }, [harm('container')]), []);
    assert.equal(seen({ end: 'error', error: 'lost' }).length, 1);
    assert.equal(seen({ end: 'error', error: 'lost' }, [harm('database')]).length, 1);
  });

  it('accepts a failure if its replica is cut off until another one takes over', () => {
    const lost = (kind: HarmKind, target: string, to: number): string[] =>
      seen({ end: 'error', error: 'lost' }, [{ ...harm(kind, target), to }]);
    assert.deepEqual(lost('cut', 'replica-0', 14_000), []);
    assert.deepEqual(lost('hold', 'replica-0', 14_000), []);
    assert.equal(lost('cut', 'replica-0', 9_000).length, 1);
    assert.equal(lost('cut', 'replica-1', 14_000).length, 1);
  });

  it('accepts a failure if the database is away for half a minute, for any combination of reasons', () => {
    const away = (...harms: [kind: HarmKind, target: string, from: number, to: number][]): string[] =>
      seen(
        { end: 'error', error: 'lost', from: 30_000, to: 40_000 },
        harms.map(([kind, target, from, to]) => ({ kind, target, from, to })),
      );
    assert.deepEqual(away(['stall', 'database', 1_000, 31_000]), []);
    assert.equal(away(['stall', 'database', 11_000, 31_000]).length, 1);
    assert.deepEqual(
      away(['stall', 'database', 1_000, 20_000], ['database', 'database', 21_000, 31_000]),
      [],
    );
    assert.deepEqual(away(['stall', 'database', 1_000, 25_000], ['cut', 'replica-0', 24_000, 31_000]), []);
    assert.equal(away(['stall', 'database', 1_000, 25_000], ['cut', 'replica-1', 24_000, 31_000]).length, 1);
    assert.equal(
      away(['stall', 'database', 1_000, 10_000], ['database', 'database', 21_000, 31_000]).length,
      1,
    );
  });
});

describe('the soak check of split streams', () => {
  const frame = (id: string): string => JSON.stringify({ payload: { id }, is_final: false });
  const last = JSON.stringify({ is_final: true, success: true });
  const reading = (from: number, frames: string[], changes: Partial<Reading> = {}): Reading => ({
    streamId: 'S',
    replica: 'replica-0',
    from,
    to: from + 100,
    offset: 0,
    frames,
    end: frames.includes(last) ? 'success' : 'left',
    ...changes,
  });
  const upload: Upload = {
    streamId: 'S',
    executionId: 'X',
    from: 1_000,
    to: 1_100,
    sent: ['a', 'b'],
    acknowledged: 2,
  };
  const whole = [frame('a'), frame('b'), last];
  const check = (history: Partial<History>): string[] =>
    textsOf(splitReaders, { uploads: [upload], readings: [reading(1_000, whole)], ...history });

  it('requires the same frames for every reader', () => {
    const resumed = reading(2_000, [frame('b'), last], { offset: 1 });
    assert.deepEqual(check({ readings: [reading(1_000, [frame('a')]), resumed, reading(3_000, whole)] }), []);
    const other = reading(2_000, [frame('c')]);
    assert.ok(check({ readings: [reading(1_000, whole), other] }).length > 0);
    assert.ok(check({ readings: [reading(1_000, whole), reading(2_000, [frame('a'), last])] }).length > 0);
  });

  it('requires every frame of an acknowledged upload', () => {
    assert.deepEqual(check({}), []);
    assert.equal(check({ readings: [reading(1_000, [frame('a'), last])] }).length, 1);
    assert.equal(check({ uploads: [{ ...upload, acknowledged: 1 }] }).length, 1);
    assert.equal(check({ readings: [] }).length, 1);
  });

  it('accepts a failure only while its container is away', () => {
    const error = JSON.stringify({ is_final: true, error: 'lost' });
    const readings = [reading(1_000, [frame('a'), error], { end: 'error' })];
    assert.equal(check({ readings }).length, 1);
    assert.deepEqual(check({ readings, harms: [harm('container')] }), []);
  });

  it('accepts a lost reader only while its process or the database is harmed', () => {
    const readings = [reading(1_000, whole), reading(1_500, [], { end: 'cut' })];
    assert.equal(check({ readings }).length, 1);
    assert.deepEqual(check({ readings, harms: [harm('database')] }), []);
  });
});
