import assert from 'node:assert/strict';
import { createRemoteFollows, type RemoteFollows } from '../../../../service/engine/follow/remote-follows.ts';

describe('followers on other replicas', () => {
  let sent: string[];
  let woken: string[];
  let now: number;
  let follows: RemoteFollows;
  beforeEach(() => {
    [sent, woken, now] = [[], [], 0];
    follows = createRemoteFollows({
      send: (topic, session) => sent.push(`${topic} ${session}`),
      wake: (session) => woken.push(session),
      now: () => now,
    });
  });

  it('are notified only of new events of the sessions that they follow', () => {
    follows.stored('run');
    follows.receive('followed', 'run');
    follows.stored('run');
    follows.stored('other');
    follows.stored('run');
    assert.deepEqual(sent, ['stored run', 'stored run']);
    assert.deepEqual(woken, []);
  });

  it('announce themselves, and continue reading when notified of new events', () => {
    follows.follow('far');
    follows.receive('stored', 'far');
    assert.deepEqual([sent, woken], [['followed far'], ['far']]);
  });

  it('are remembered for a few seconds after their last announcement', () => {
    follows.receive('followed', 'kept');
    follows.receive('followed', 'left');
    now = 5_000;
    follows.receive('followed', 'kept');
    follows.stored('left');
    assert.deepEqual(sent.splice(0), ['stored left']);
    now = 10_000;
    for (const session of ['kept', 'left']) follows.stored(session);
    assert.deepEqual(sent.splice(0), ['stored kept']);
    now = 60_000;
    follows.stored('kept');
    assert.deepEqual(sent, []);
  });

  it('ignore messages about waits', () => {
    follows.receive('watched', 'run');
    follows.receive('ended', 'run');
    follows.stored('run');
    assert.deepEqual([sent, woken], [[], []]);
  });
});
