import assert from 'node:assert/strict';
import { protosOf } from '../fuzz/proto-of-model.ts';
import { type HostileWords, hostileWords } from '../fuzz/hostile-words.ts';
import { compileProtos } from '../../service/messages/compile/compile-protos.ts';
import { randomCases } from '../support/fast-run.ts';
import { pairSeed, type VersionPair, versionPairs } from './version-pairs.ts';

const count = 30;

describe('random pairs of client versions', function () {
  this.timeout(300_000);
  let words: HostileWords;
  let pairs: VersionPair[];

  before(async () => {
    words = await hostileWords();
    pairs = versionPairs(count, pairSeed, words);
  });

  it('are reproducible from a seed', () => {
    assert.deepEqual(versionPairs(count, pairSeed, words), pairs);
    assert.notDeepEqual(versionPairs(count, pairSeed + 1_000, words), pairs);
  });

  it('include major, minor and patch releases', () => {
    const steps = new Set(pairs.map(({ step }) => step));
    assert.deepEqual([...steps].sort(), ['major', 'minor', 'patch']);
  });

  it('have types that a package can publish', async () => {
    for (const { name, edits, after } of pairs.slice(0, randomCases(pairs.length)))
      await assert.doesNotReject(compileProtos(protosOf(after.types)), `${name}: ${edits.join(', ')}`);
  });
});
