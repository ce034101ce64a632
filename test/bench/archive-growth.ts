import { createTextBytes } from '../../generator/archive/text-bytes.ts';
import { generateSdk } from '../../generator/generate-sdk.ts';
import { loadLanguage } from '../../service/builds/load-language.ts';
import { createVersionModels } from '../../service/builds/version-models.ts';
import type { VersionSource } from '../../service/builds/version-source.ts';
import { largeSources } from './large-source.ts';
import { median } from './statistics.ts';

/** What ten times the members cost, in milliseconds: medians of archives that were built in turn. */
export interface ArchiveGrowth {
  language: string;
  fewMs: number;
  manyMs: number;
}

export const fewMembers = 20;
export const manyMembers = 200;

/** Builds ten small archives and a large one in turn, each of a client that was not built before; the model is not counted. */
export async function measureArchiveGrowth(
  languages: readonly string[],
  rounds: number,
): Promise<ArchiveGrowth[]> {
  const nextFew = await largeSources(fewMembers);
  const nextMany = await largeSources(manyMembers);
  const fewModels = createVersionModels();
  const manyModels = createVersionModels();
  // As a worker of the service keeps them.
  const texts = createTextBytes();
  const growth: ArchiveGrowth[] = [];
  for (const id of languages) {
    const { language, templates } = await loadLanguage(id);
    const build = async (models: typeof fewModels, source: VersionSource): Promise<number> => {
      const model = models.modelOf(source);
      const startedAt = performance.now();
      await generateSdk(model, language, templates, texts);
      return performance.now() - startedAt;
    };
    const few: number[] = [];
    const many: number[] = [];
    for (let round = -5; round < rounds; round += 1) {
      const small: number[] = [];
      for (let i = 0; i < 10; i += 1) small.push(await build(fewModels, nextFew()));
      const large = await build(manyModels, nextMany());
      // What comes before round 0 warms up.
      if (round < 0) continue;
      few.push(...small);
      many.push(large);
    }
    growth.push({ language: id, fewMs: median(few), manyMs: median(many) });
  }
  return growth;
}
