import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { median } from '../statistics.ts';
import {
  batchCommand,
  generateCommand,
  generatorTitle,
  openapiGeneratorLanguages,
  warmCommand,
  writeGeneratorConfigs,
} from './openapi-generator.ts';
import { type OutputSize, sizeOfFolder } from './output-size.ts';
import type { Peer } from './peer.ts';
import { type Command, type Run, runProgram } from './run-program.ts';
import { measureWarmArchives, type WarmArchives } from './warm-archives.ts';
import { writeDocument } from './write-document.ts';

/** What is compared: all of it is installed. */
export interface Parties {
  /** Ids of our languages. */
  languages: readonly string[];
  peers: readonly Peer[];
  /** Whether openapi-generator takes part. */
  openapiGenerator: boolean;
  cache: string;
}

/** One generator for one language. */
export interface LanguageRow {
  language: string;
  generator: string;
  /** Median of whole processes. */
  processMs: number;
  /** Warm, in a process that stays: ours alone. */
  warmMs: number | undefined;
  size: OutputSize;
  /** Lines of its own output that warn. */
  warnings: number;
}

/** The languages that openapi-generator has too, one after the other. Milliseconds. */
export interface SetTimes {
  languages: readonly string[];
  ownProcessMs: number;
  ownWarmMs: number;
  /** Median of the sums of a process for each language; undefined without openapi-generator, as the two below. */
  processesMs: number | undefined;
  batchMs: number | undefined;
  /** The last round of a JVM that makes the set again and again. */
  libraryMs: number | undefined;
}

export interface Comparison {
  nodes: number;
  /** Rounds of whole processes, all parties in turn. */
  rounds: number;
  set: SetTimes;
  rows: readonly LanguageRow[];
}

export interface Effort {
  /** At most so many rounds of whole processes; the first is always run whole. */
  rounds: number;
  /** No further round of anything begins after so many milliseconds. */
  budgetMs: number;
  /** Rounds of the warm library, and of ours. */
  warmRounds: number;
  say: (text: string) => void;
}

/** Makes SDKs of one package of so many nodes by all parties in turn. */
export async function compare(nodes: number, parties: Parties, effort: Effort): Promise<Comparison> {
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-bench-peers-output-'));
  try {
    return await compareIn(folder, nodes, parties, effort);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function compareIn(
  folder: string,
  nodes: number,
  { languages, peers, openapiGenerator, cache }: Parties,
  { rounds: mostRounds, budgetMs, warmRounds, say }: Effort,
): Promise<Comparison> {
  const endsAt = performance.now() + budgetMs;
  const document = path.join(folder, 'document.json');
  await writeDocument(nodes, document);
  const both = openapiGenerator ? openapiGeneratorLanguages(languages) : [...languages];
  const generated = path.join(folder, 'openapi-generator');
  const configs = await writeGeneratorConfigs(openapiGenerator ? both : [], document, generated);
  const own = path.join(folder, 'svc');
  await mkdir(own);

  const ownSet: number[] = [];
  const processes: number[] = [];
  const batch: number[] = [];
  const ownTimes = timesOf(languages);
  const generatorTimes = timesOf(both);
  const peerTimes = timesOf(peers.map(({ name }) => name));
  const warnings = new Map<string, number>();
  const run = async (command: Command, output?: string): Promise<Run> => {
    if (output !== undefined) await rm(output, { recursive: true, force: true });
    return runProgram(command);
  };

  let rounds = 0;
  while (rounds === 0 || (rounds < mostRounds && performance.now() < endsAt)) {
    say(`${nodes} nodes: round ${rounds + 1} of whole processes`);
    ownSet.push((await run(ownCommand(nodes, own, both))).ms);
    for (const language of languages) {
      ownTimes.get(language)?.push((await run(ownCommand(nodes, own, [language]))).ms);
    }
    for (const peer of peers) {
      const output = path.join(folder, peer.name);
      await rm(output, { recursive: true, force: true });
      const { ms, output: printed } = await run(peer.command(cache, document, output));
      peerTimes.get(peer.name)?.push(ms);
      warnings.set(peer.name, countWarnings(printed));
    }
    let sum = 0;
    for (const [language, config] of configs.files) {
      const { ms, output } = await run(generateCommand(cache, config), path.join(generated, language));
      generatorTimes.get(language)?.push(ms);
      warnings.set(generatorTitle(language), countWarnings(output));
      sum += ms;
    }
    if (openapiGenerator) {
      processes.push(sum);
      batch.push((await run(batchCommand(cache, configs))).ms);
    }
    rounds += 1;
  }

  say(`${nodes} nodes: warm`);
  const warm = await measureWarmArchives(nodes, both, warmRounds);
  const leftMs = Math.max(0, endsAt - performance.now());
  const libraryMs = openapiGenerator
    ? lastRound(runProgram(warmCommand(cache, configs, warmRounds, leftMs)).output)
    : undefined;

  const rows: LanguageRow[] = [];
  for (const language of both) {
    rows.push(ownRow(language, ownTimes, warm));
    for (const { name } of peers.filter((peer) => peer.language === language)) {
      rows.push({
        language,
        generator: name,
        processMs: median(peerTimes.get(name) ?? []),
        warmMs: undefined,
        size: await sizeOfFolder(path.join(folder, name)),
        warnings: warnings.get(name) ?? 0,
      });
    }
    if (!openapiGenerator) continue;
    rows.push({
      language,
      generator: generatorTitle(language),
      processMs: median(generatorTimes.get(language) ?? []),
      warmMs: undefined,
      size: await sizeOfFolder(path.join(generated, language)),
      warnings: warnings.get(generatorTitle(language)) ?? 0,
    });
  }
  return {
    nodes,
    rounds,
    set: {
      languages: both,
      ownProcessMs: median(ownSet),
      ownWarmMs: warm.setMs,
      processesMs: openapiGenerator ? median(processes) : undefined,
      batchMs: openapiGenerator ? median(batch) : undefined,
      libraryMs,
    },
    rows,
  };
}

function timesOf(names: readonly string[]): Map<string, number[]> {
  return new Map(names.map((name) => [name, []]));
}

function ownRow(
  language: string,
  times: ReadonlyMap<string, readonly number[]>,
  { languages }: WarmArchives,
): LanguageRow {
  const warm = languages.get(language);
  if (warm === undefined) throw new Error(`${language} was not measured warm`);
  return {
    language,
    generator: 'svc',
    processMs: median(times.get(language) ?? []),
    warmMs: warm.ms,
    size: warm.size,
    warnings: 0,
  };
}

function ownCommand(nodes: number, folder: string, languages: readonly string[]): Command {
  const program = path.resolve(import.meta.dirname, 'write-archives.ts');
  return { file: process.execPath, args: [program, String(nodes), folder, ...languages] };
}

function countWarnings(output: string): number {
  return output.split('\n').filter((line) => /\bWARN(ING)?\b/.test(line)).length;
}

/** Of the lines `round <milliseconds>`. */
function lastRound(output: string): number {
  const rounds = [...output.matchAll(/^round (\d+)$/gm)].map(([, ms]) => Number(ms));
  const last = rounds.at(-1);
  if (last === undefined || rounds.length < 2) throw new Error(`the library made no two rounds: ${output}`);
  return last;
}
