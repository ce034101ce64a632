import { recordFirstSeen } from '../../generator/changes/first-seen.ts';
import type { SdkModel } from '../../generator/model/sdk-model.ts';
import { reduceModel, symbolsOf } from './reduce-model.ts';
import { seeded } from './seeded.ts';

/** Three versions, each with symbols that the previous one lacks. `latest` is the last. */
export function evolutionTo(latest: SdkModel, seed: number): SdkModel[] {
  const random = seeded(seed);
  const symbols = symbolsOf(latest);
  const addedLast = new Set(symbols.filter(() => random.chance(0.2)));
  const added = new Set([...addedLast, ...symbols.filter(() => random.chance(0.3))]);
  const versions = [reduceModel(latest, added), reduceModel(latest, addedLast), latest];
  let firstSeen: SdkModel['firstSeen'] = [];
  return versions.map((model, index) => {
    const version = index + 1;
    const previous = versions[index - 1];
    if (previous) firstSeen = recordFirstSeen({ surface: previous, firstSeen }, model, version);
    return { ...model, version, semver: `1.${index}.0`, firstSeen };
  });
}
