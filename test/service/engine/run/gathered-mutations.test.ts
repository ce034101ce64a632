import assert from 'node:assert/strict';
import { GatheredMutations } from '../../../../service/engine/run/gathered-mutations.ts';
import { limits } from '../../../../specs/limits.ts';

describe('the mutations of a call', () => {
  const problemOf = (mutations: GatheredMutations): string => {
    const all = mutations.all();
    assert.ok('problem' in all);
    return all.problem;
  };

  it('are kept in order', () => {
    const mutations = new GatheredMutations({ isEnabled: true });
    assert.ok(mutations.isEmpty);
    for (const fragment of ['{}', '{"nodes":[]}']) mutations.add(fragment);
    assert.ok(!mutations.isEmpty);
    assert.deepEqual(mutations.all(), ['{}', '{"nodes":[]}']);
  });

  it('report the first problem only', () => {
    const disabled = new GatheredMutations({ isEnabled: false });
    for (let count = 0; count <= limits.mutationsPerCall; count += 1) disabled.add('{}');
    assert.ok(!disabled.isEmpty);
    assert.match(problemOf(disabled), /without mutation_enabled/);
    const large = new GatheredMutations({ isEnabled: true });
    // In bytes, not in characters.
    large.add('é'.repeat(limits.mutationBytes / 2));
    assert.ok(!('problem' in large.all()));
    large.add('é'.repeat(limits.mutationBytes / 2) + ' ');
    large.add('{}');
    assert.match(problemOf(large), /larger than 1048576 bytes/);
  });
});
