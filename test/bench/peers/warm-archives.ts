import { generateSdk } from '../../../generator/generate-sdk.ts';
import { sdkFiles } from '../../../generator/sdk-files.ts';
import { loadLanguage } from '../../../service/builds/load-language.ts';
import { createVersionModels } from '../../../service/builds/version-models.ts';
import { largeSources } from '../large-source.ts';
import { median } from '../statistics.ts';
import type { Cost } from './process-times.ts';
import { type OutputSize, sizeOfFiles } from './output-size.ts';

/** Archives of ours in a process that has made some before. */
export interface WarmArchives {
  /** Median of the set, one language after the other. */
  set: Cost;
  /** By language: medians, and what the archive holds. */
  languages: ReadonlyMap<string, { cost: Cost; size: OutputSize }>;
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
    ids.map(async (id) => ({ id, ...(await loadLanguage(id)), times: [] as Cost[] })),
  );
  const sets: Cost[] = [];
  for (let round = -3; round < rounds; round += 1) {
    const source = nextSource();
    const costs: Cost[] = [];
    for (const { language, templates, times } of loaded) {
      const cpuBefore = process.cpuUsage();
      const startedAt = performance.now();
      await generateSdk(models.modelOf(source), language, templates);
      const ms = performance.now() - startedAt;
      const { user, system } = process.cpuUsage(cpuBefore);
      const cost = { ms, cpuMs: (user + system) / 1000 };
      costs.push(cost);
      // What comes before round 0 warms up.
      if (round >= 0) times.push(cost);
    }
    if (round >= 0) {
      sets.push({ ms: sumOf(costs.map(({ ms }) => ms)), cpuMs: sumOf(costs.map(({ cpuMs }) => cpuMs)) });
    }
  }
  const source = nextSource();
  const languages = new Map<string, { cost: Cost; size: OutputSize }>();
  for (const { id, language, templates, times } of loaded) {
    const files = await sdkFiles(models.modelOf(source), language, templates);
    languages.set(id, { cost: medianCost(times), size: sizeOfFiles(files) });
  }
  return { set: medianCost(sets), languages };
}

function medianCost(costs: readonly Cost[]): Cost {
  return { ms: median(costs.map(({ ms }) => ms)), cpuMs: median(costs.map(({ cpuMs }) => cpuMs)) };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
