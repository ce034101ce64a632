import assert from 'node:assert/strict';
import { seeded } from '../fuzz/seeded.ts';
import { harmKinds } from './history.ts';
import { type PlannedHarm, planHarm } from './load/plan-harm.ts';

describe('the harms of a soak', () => {
  const parts = { replicas: ['replica-0', 'replica-1'], containers: ['steps', 'streams'] };
  const planned = (seed: number, groups: number): PlannedHarm[][] =>
    planHarm(seeded(seed), harmKinds, parts).take(groups).toArray();

  it('are the same for the same seed', () => {
    assert.deepEqual(planned(7, 50), planned(7, 50));
    assert.notDeepEqual(planned(7, 50), planned(8, 50));
  });

  it('begin with every kind once in each round', () => {
    const leads = planned(7, 2 * harmKinds.length).map(([first]) => first!.kind);
    for (const round of [leads.slice(0, harmKinds.length), leads.slice(harmKinds.length)])
      assert.deepEqual(round.toSorted(), harmKinds.toSorted());
  });

  it('overlap, but never on the same process or connection', () => {
    const groups = planned(7, 500);
    const pairs = new Set<string>();
    for (const group of groups) {
      const targets = group.map(({ kind, target }) =>
        kind === 'cut' || kind === 'hold' || kind === 'slow' ? `connection of ${target}` : target,
      );
      assert.equal(new Set(targets).size, targets.length, JSON.stringify(group));
      const [first, ...others] = group;
      for (const other of others) {
        assert.ok(other.afterMs <= Math.max(1_000, first!.lengthMs));
        pairs.add(`${first!.kind} ${other.kind}`);
      }
    }
    for (const pair of ['freeze database', 'kill container', 'kill kill', 'freeze cut'])
      assert.ok(pairs.has(pair), pair);
  });
});
