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
      isHere: (id) => here.has(id),
      wake: (id) => woken.push(id),
      now: () => now,
    });
  });

  it('tell the end of a run that somebody watches, once, and of no other', () => {
    here.add('watched').add('unwatched');
    waits.hear('watched', 'watched');
    assert.deepEqual(sent, []);
    waits.ended('watched');
    waits.ended('unwatched');
    waits.ended('watched');
    assert.deepEqual(sent, ['ended watched']);
  });

  it('answer at once to a watch that comes after the end, for some seconds', () => {
    waits.ended('run');
    waits.hear('watched', 'run');
    assert.deepEqual(sent, ['ended run']);
    now = 2_000;
    waits.ended('second');
    waits.hear('watched', 'run');
    assert.deepEqual(sent.splice(0), ['ended run', 'ended run']);
    now = 4_000;
    waits.ended('third');
    waits.hear('watched', 'run');
    waits.hear('watched', 'second');
    assert.deepEqual(sent, ['ended second']);
  });

  it('say nothing of a run that they do not know, nor of one that has gone elsewhere', () => {
    waits.hear('watched', 'unknown');
    here.add('gone');
    waits.hear('watched', 'gone');
    waits.left('gone');
    waits.ended('gone');
    assert.deepEqual(sent, []);
  });

  it('watch what somebody waits for here, and wake him when it has ended', () => {
    waits.watch('far');
    assert.deepEqual(sent, ['watched far']);
    waits.hear('ended', 'far');
    assert.deepEqual(woken, ['far']);
  });
});
