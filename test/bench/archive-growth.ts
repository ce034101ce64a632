import { generateSdk } from '../../generator/generate-sdk.ts';
import { loadLanguage } from '../../service/languages/load-language.ts';
import { createVersionModels } from '../../service/builds/version-models.ts';
import type { VersionSource } from '../../service/clients/version-source.ts';
import { largeSources } from './large-source.ts';
import { median } from './statistics.ts';

/** Cost of ten times the members, in milliseconds: medians of archives built in alternation. */
export interface ArchiveGrowth {
  language: string;
  fewMs: number;
  manyMs: number;
}

export const fewMembers = 20;
export const manyMembers = 200;

/** Builds ten small archives and a large one in alternation, without counting the model. */
export async function measureArchiveGrowth(
  languages: readonly string[],
  rounds: number,
): Promise<ArchiveGrowth[]> {
  const nextFew = await largeSources(fewMembers);
  const nextMany = await largeSources(manyMembers);
  const fewModels = createVersionModels();
  const manyModels = createVersionModels();
  const growth: ArchiveGrowth[] = [];
  for (const id of languages) {
    const { language, templates } = await loadLanguage(id);
    const build = async (models: typeof fewModels, source: VersionSource): Promise<number> => {
      const model = models.modelOf(source);
      const startedAt = performance.now();
      await generateSdk(model, language, templates);
      return performance.now() - startedAt;
    };
    const few: number[] = [];
    const many: number[] = [];
    for (let round = -5; round < rounds; round += 1) {
      const small: number[] = [];
      for (let i = 0; i < 10; i += 1) small.push(await build(fewModels, nextFew()));
      const large = await build(manyModels, nextMany());
      // Rounds before 0 warm up.
      if (round < 0) continue;
      few.push(...small);
      many.push(large);
    }
    growth.push({ language: id, fewMs: median(few), manyMs: median(many) });
  }
  return growth;
}
