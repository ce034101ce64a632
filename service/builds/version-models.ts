import { hash } from 'node:crypto';
import type { SdkModel } from '../../generator/model/sdk-model.ts';
import { sdkModelOfVersion } from './sdk-model-of-version.ts';
import type { VersionSource } from '../clients/version-source.ts';

/** Builds the models of client versions. */
interface VersionModels {
  modelOf(source: VersionSource): SdkModel;
}

/**
 * Keeps the last model, since a version is built in several languages in a row: a model of 50 members takes 8 to 14 of an
 * archive's 60 ms. This is the only cache of a build (docs/decisions/0036-archiver-writes-the-archives.md).
 */
export function createVersionModels(): VersionModels {
  let last: { key: string; model: SdkModel } | undefined;
  return {
    modelOf: (source) => {
      const key = keyOf(source);
      if (last?.key !== key) last = { key, model: sdkModelOfVersion(source) };
      return last.model;
    },
  };
}

/** Package versions that hold Instances can grow, so the descriptor sets are part of the key. */
function keyOf({ descriptorSets, ...rest }: VersionSource): string {
  const sets = [...descriptorSets].map(([id, bytes]) => [id, hash('sha256', bytes)]);
  return JSON.stringify([rest, sets]);
}
