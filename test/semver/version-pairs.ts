import type { Step } from '../../generator/changes/change-list.ts';
import { compareSurfaces } from '../../generator/changes/compare-surfaces.ts';
import { planRelease } from '../../generator/changes/plan-release.ts';
import { createSampler } from '../../generator/model/sample-message.ts';
import type { SdkModel } from '../../generator/model/sdk-model.ts';
import type { HostileWords } from '../fuzz/hostile-words.ts';
import { randomModels } from '../fuzz/random-model.ts';
import { type Seeded, seeded } from '../fuzz/seeded.ts';
import { draftOf } from './model-draft.ts';
import { lastingEdits } from './lasting-edits.ts';
import type { Edits } from './model-edit.ts';
import { removingEdits } from './removing-edits.ts';

/** Two consecutive versions of a client, and the version step that the service chose for the second. */
export interface VersionPair {
  /** Slug of the client, such as `pair-07`, by which the findings of checkers name the pair. */
  name: string;
  /** Descriptions of the edits to the first version. */
  edits: readonly string[];
  before: SdkModel;
  after: SdkModel;
  step: Step;
}

/** Fixed, so that the result in CI does not depend on chance. `SVC_SEMVER_SEED` sets another seed. */
export const pairSeed = Number(process.env.SVC_SEMVER_SEED ?? 20_261_123);

const allEdits = { ...lastingEdits, ...removingEdits };

/** Returns pairs from a seed, until `count` of them are minor or patch releases. Each second version has one to three random edits. */
export function versionPairs(count: number, seed: number, words: HostileWords): VersionPair[] {
  const pairs: VersionPair[] = [];
  for (let next = seed, compatible = 0; compatible < count; next += 1) {
    const [model] = randomModels(1, next, words);
    // Most releases of a client add something.
    const edits = next % 3 === 0 ? allEdits : lastingEdits;
    const pair = pairOf(model!, { name: `pair-${pairs.length}`, random: seeded(next), words, edits });
    if (pair === undefined) continue;
    pairs.push(pair);
    if (pair.step !== 'major') compatible += 1;
  }
  return pairs;
}

interface PairChoice {
  name: string;
  random: Seeded;
  words: HostileWords;
  edits: Edits;
}

/** Returns `undefined` if the model has no place for the random edits. */
function pairOf(model: SdkModel, { name, random, words, edits }: PairChoice): VersionPair | undefined {
  const before: SdkModel = {
    ...model,
    client: { ...model.client, handle: 'acme', slug: name },
    version: 1,
    semver: '1.0.0',
    changelog: [planRelease(1, { ...model, slug: name }, undefined).release],
    firstSeen: [],
  };
  const after = structuredClone(before);
  const draft = draftOf(after, random, words);
  const kinds = Object.values(edits);
  const done = Array.from({ length: 1 + random.below(3) }, () => random.pick(kinds)(draft));
  const said = done.filter((each) => each !== undefined);
  if (said.length === 0) return undefined;
  tidy(after);
  const [surface, now] = [
    { ...before, slug: name },
    { ...after, slug: name },
  ];
  const { semver, firstSeen, release } = planRelease(2, now, { surface, semver: '1.0.0', firstSeen: [] });
  const { step } = compareSurfaces(surface, now);
  return {
    name,
    edits: said,
    before,
    after: { ...after, version: 2, semver, firstSeen, changelog: [release, ...before.changelog] },
    step,
  };
}

/** Sorts a model, and replaces its samples with samples of the edited types. */
function tidy({ members, types }: SdkModel): void {
  const byName = (a: { fullName: string }, b: { fullName: string }): number =>
    a.fullName < b.fullName ? -1 : 1;
  types.messages.sort(byName);
  types.enums.sort(byName);
  members.sort((a, b) => (a.alias < b.alias ? -1 : 1));
  const sampler = createSampler(types);
  for (const member of members) member.sample = sampler.sample(member.input);
}
