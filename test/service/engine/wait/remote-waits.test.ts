import assert from 'node:assert/strict';
import { createRemoteWaits, type RemoteWaits } from '../../../../service/engine/wait/remote-waits.ts';

describe('waits for runs of other replicas', () => {
  const here = new Set<string>();
  let sent: string[];
  let woken: string[];
  let now: number;
  let waits: RemoteWaits;
  beforeEach(() => {
    here.clear();
    [sent, woken, now] = [[], [], 0];
    waits = createRemoteWaits({
      send: (topic, id) => sent.push(`${topic} ${id}`),
      isActive: (id) => here.has(id),
      wake: (id) => woken.push(id),
      now: () => now,
    });
  });

  it('announce the end of a run only if it is watched, and once', () => {
    here.add('watched').add('unwatched');
    waits.receive('watched', 'watched');
    assert.deepEqual(sent, []);
    waits.ended('watched');
    waits.ended('unwatched');
    waits.ended('watched');
    assert.deepEqual(sent, ['ended watched']);
  });

  it('answer a watch that arrives up to a few seconds after the end', () => {
    waits.ended('run');
    waits.receive('watched', 'run');
    assert.deepEqual(sent, ['ended run']);
    now = 2_000;
    waits.ended('second');
    waits.receive('watched', 'run');
    assert.deepEqual(sent.splice(0), ['ended run', 'ended run']);
    now = 4_000;
    waits.ended('third');
    waits.receive('watched', 'run');
    waits.receive('watched', 'second');
    assert.deepEqual(sent, ['ended second']);
  });

  it('ignore unknown runs and runs that have left the replica', () => {
    waits.receive('watched', 'unknown');
    here.add('gone');
    waits.receive('watched', 'gone');
    waits.left('gone');
    waits.ended('gone');
    assert.deepEqual(sent, []);
  });

  it('announce local waits, and end them when the run ends', () => {
    waits.watch('far');
    assert.deepEqual(sent, ['watched far']);
    waits.receive('ended', 'far');
    assert.deepEqual(woken, ['far']);
  });
});
