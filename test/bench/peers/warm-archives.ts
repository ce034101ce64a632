import { generateSdk } from '../../../generator/generate-sdk.ts';
import { sdkFiles } from '../../../generator/sdk-files.ts';
import { loadLanguage } from '../../../service/builds/load-language.ts';
import { createVersionModels } from '../../../service/builds/version-models.ts';
import { largeSources } from '../large-source.ts';
import { median } from '../statistics.ts';
import { type OutputSize, sizeOfFiles } from './output-size.ts';

/** Archives of ours in a process that has made some before. */
export interface WarmArchives {
  /** Median of the set, one language after the other, milliseconds. */
  setMs: number;
  /** By language: median milliseconds, and what the archive holds. */
  languages: ReadonlyMap<string, { ms: number; size: OutputSize }>;
}

/** Each round is of a client that was not built before; its languages share one model, as they do in the service. */
export async function measureWarmArchives(
  nodes: number,
  ids: readonly string[],
  rounds: number,
): Promise<WarmArchives> {
  const nextSource = await largeSources(nodes);
  const models = createVersionModels();
  const loaded = await Promise.all(
    ids.map(async (id) => ({ id, ...(await loadLanguage(id)), times: [] as number[] })),
  );
  const sets: number[] = [];
  for (let round = -5; round < rounds; round += 1) {
    const source = nextSource();
    let setMs = 0;
    for (const { language, templates, times } of loaded) {
      const startedAt = performance.now();
      await generateSdk(models.modelOf(source), language, templates);
      const ms = performance.now() - startedAt;
      setMs += ms;
      // What comes before round 0 warms up.
      if (round >= 0) times.push(ms);
    }
    if (round >= 0) sets.push(setMs);
  }
  const source = nextSource();
  const languages = new Map<string, { ms: number; size: OutputSize }>();
  for (const { id, language, templates, times } of loaded) {
    const files = await sdkFiles(models.modelOf(source), language, templates);
    languages.set(id, { ms: median(times), size: await sizeOfFiles(files) });
  }
  return { setMs: median(sets), languages };
}
