import { generateSdk } from '../../../generator/generate-sdk.ts';
import { sdkFiles } from '../../../generator/sdk-files.ts';
import { createBuildPool } from '../../../service/builds/build-pool.ts';
import { buildsAtOnce } from '../../../service/builds/build-runner.ts';
import { loadLanguage } from '../../../service/languages/load-language.ts';
import { createVersionModels } from '../../../service/builds/version-models.ts';
import type { VersionSource } from '../../../service/clients/version-source.ts';
import { largeSources } from '../large-source.ts';
import { median } from '../statistics.ts';
import type { Cost } from './process-times.ts';
import { type OutputSize, sizeOfFiles } from './output-size.ts';

/** Archives of svc in a warm process. */
export interface WarmArchives {
  /** Median of the set in the threads of the service, all started together. */
  threads: { count: number; set: Cost };
  /** Median of the set, in sequence in one thread. */
  oneThread: Cost;
  /** By language: medians, of which `oneThread` is the sum, and the size of the archive. */
  languages: ReadonlyMap<string, { cost: Cost; size: OutputSize }>;
}

/** Duration of the warm-up rounds; the library of openapi-generator gets four times as long. */
const warmUpMs = 5_000;

export async function measureWarmArchives(
  nodes: number,
  ids: readonly string[],
  rounds: number,
): Promise<WarmArchives> {
  const { set: oneThread, languages } = await measureOneThread(nodes, ids, rounds);
  return { threads: await measureThreads(await largeSources(nodes), ids, rounds), oneThread, languages };
}

/** Measures the languages in sequence. Those of a version share one model, as they do in the service. */
async function measureOneThread(
  nodes: number,
  ids: readonly string[],
  rounds: number,
): Promise<{ set: Cost; languages: WarmArchives['languages'] }> {
  const nextSource = await largeSources(nodes);
  const models = createVersionModels();
  const loaded = await Promise.all(
    ids.map(async (id) => ({ id, ...(await loadLanguage(id)), times: [] as Cost[] })),
  );
  const sets: Cost[] = [];
  const measuredFrom = performance.now() + warmUpMs;
  while (sets.length < rounds) {
    const counts = performance.now() >= measuredFrom;
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
      if (counts) times.push(cost);
    }
    if (counts) {
      sets.push({ ms: sumOf(costs.map(({ ms }) => ms)), cpuMs: sumOf(costs.map(({ cpuMs }) => cpuMs)) });
    }
  }
  const source = nextSource();
  const languages = new Map<string, { cost: Cost; size: OutputSize }>();
  for (const { id, language, templates, times } of loaded) {
    const files = await sdkFiles(models.modelOf(source), language, templates);
    languages.set(id, { cost: medianCost(times), size: await sizeOfFiles(files) });
  }
  return { set: medianCost(sets), languages };
}

/** Builds the set with the build pool like the build runner: the next language runs when a thread is free. */
async function measureThreads(
  nextSource: () => VersionSource,
  ids: readonly string[],
  rounds: number,
): Promise<WarmArchives['threads']> {
  const count = buildsAtOnce();
  const pool = createBuildPool();
  const sets: Cost[] = [];
  try {
    const measuredFrom = performance.now() + warmUpMs;
    while (sets.length < rounds) {
      const counts = performance.now() >= measuredFrom;
      const source = nextSource();
      const waiting = [...ids];
      const work = async (): Promise<void> => {
        for (let language = waiting.shift(); language !== undefined; language = waiting.shift()) {
          await pool.build({ source, language });
        }
      };
      const cpuBefore = process.cpuUsage();
      const startedAt = performance.now();
      await Promise.all(Array.from({ length: count }, work));
      const ms = performance.now() - startedAt;
      const { user, system } = process.cpuUsage(cpuBefore);
      if (counts) sets.push({ ms, cpuMs: (user + system) / 1000 });
    }
  } finally {
    await pool.close();
  }
  return { count, set: medianCost(sets) };
}

function medianCost(costs: readonly Cost[]): Cost {
  return { ms: median(costs.map(({ ms }) => ms)), cpuMs: median(costs.map(({ cpuMs }) => cpuMs)) };
}

function sumOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0);
}
