import type { SdkModel } from '../../generator/model/sdk-model.ts';
import { sdkModelOfVersion } from './sdk-model-of-version.ts';
import type { VersionSource } from './version-source.ts';

/** Makes the models of client versions, and keeps what the next build is likely to ask for again. */
export interface VersionModels {
  modelOf(source: VersionSource): SdkModel;
}

/**
 * A descriptor set takes up to two hundred times its size, with all that seven languages remember of its types and members for four clients
 * that name them differently: 20 MB for a package of 60 nodes, whose set has 98 KB.
 */
const defaultKeptBytes = 1.5 * 2 ** 20;

/**
 * Keeps the last model, for a version is built in several languages in a row, and the descriptor sets that were used last, up
 * to `keptBytes`: package versions hardly ever change, and clients share them. The generator reads a set that it has met before no
 * second time, and recalls what it made of the types in it (`generator/remember.ts`).
 */
export function createVersionModels(keptBytes = defaultKeptBytes): VersionModels {
  // In the order of their last use.
  const known = new Map<string, Uint8Array>();
  let last: { key: string; model: SdkModel } | undefined;

  const keep = (versionId: string, loaded: Uint8Array): Uint8Array => {
    const before = known.get(versionId);
    // Versions that hold Instances grow; all others come back byte for byte.
    const descriptorSet = before && Buffer.compare(before, loaded) === 0 ? before : loaded;
    known.delete(versionId);
    known.set(versionId, descriptorSet);
    return descriptorSet;
  };

  const forgetOldest = (): void => {
    let bytes = [...known.values()].reduce((sum, { length }) => sum + length, 0);
    for (const [versionId, { length }] of known) {
      if (bytes <= keptBytes) return;
      known.delete(versionId);
      bytes -= length;
    }
  };

  return {
    modelOf: (source) => {
      const { descriptorSets, ...rest } = source;
      const key = JSON.stringify(rest);
      if (last?.key === key) return last.model;
      const kept = new Map([...descriptorSets].map(([id, loaded]) => [id, keep(id, loaded)]));
      forgetOldest();
      const model = sdkModelOfVersion({ ...rest, descriptorSets: kept });
      last = { key, model };
      return model;
    },
  };
}
