import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
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
import { type Cost, createProcessTimes, type ProcessTimes } from './process-times.ts';
import type { Command } from './run-program.ts';
import { measureWarmArchives, type WarmArchives } from './warm-archives.ts';
import { writeDocument } from './write-document.ts';

/** The installed parties of a comparison. */
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
  /** Median of whole processes; undefined if the time was over before. */
  process: Cost | undefined;
  /** In a warm process; only for our generator. */
  warm: Cost | undefined;
  size: OutputSize;
  /** Number of warnings in its output. */
  warnings: number;
}

/** A way to generate the set of languages in sequence. */
interface SetRow {
  name: string;
  cost: Cost;
  /** Whether it is ours. */
  own: boolean;
}

export interface Comparison {
  nodes: number;
  languages: readonly string[];
  /** Rounds of whole processes, all parties in alternation; the last may be incomplete. */
  rounds: number;
  set: readonly SetRow[];
  rows: readonly LanguageRow[];
  /** Failures by party. */
  failures: readonly string[];
}

interface Effort {
  /** Maximum rounds of whole processes. */
  rounds: number;
  /** No process starts after this many milliseconds. */
  budgetMs: number;
  /** Rounds of the warm library and of our generator. */
  warmRounds: number;
  say: (text: string) => void;
}

/** Generates SDKs of one package with this number of nodes with all parties in alternation. */
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
  { languages: all, peers, openapiGenerator, cache }: Parties,
  { rounds: mostRounds, budgetMs, warmRounds, say }: Effort,
): Promise<Comparison> {
  const times = createProcessTimes(budgetMs);
  const document = path.join(folder, 'document.json');
  await writeDocument(nodes, document);
  const languages = openapiGenerator ? openapiGeneratorLanguages(all) : all;
  const own = path.join(folder, 'svc');
  await mkdir(own);
  const generated = path.join(folder, 'openapi-generator');
  const configs = await writeGeneratorConfigs(openapiGenerator ? languages : [], document, generated);

  say(`${nodes} nodes: warm`);
  const warm = await measureWarmArchives(nodes, languages, warmRounds);
  let rounds = 0;
  while (rounds < mostRounds && times.hasTime()) {
    rounds += 1;
    say(`${nodes} nodes: round ${rounds} of whole processes`);
    times.run('svc', ownCommand(nodes, own, languages));
    // The most important measurements come first, in case the time runs out.
    if (openapiGenerator) times.run('batch', batchCommand(cache, configs));
    for (const peer of peers) {
      const output = path.join(folder, peer.name);
      // Without time for another run, the output of an earlier round is used.
      if (times.hasTime()) await rm(output, { recursive: true, force: true });
      times.run(peer.name, peer.command(cache, document, output));
    }
    if (openapiGenerator && rounds === 1) {
      times.run('library', warmCommand(cache, configs, warmRounds, budgetMs / 5));
    }
    for (const [language, config] of configs.files) {
      times.run(generatorTitle(language), generateCommand(cache, config));
    }
    for (const language of languages) times.run(`svc ${language}`, ownCommand(nodes, own, [language]));
  }

  const rows: LanguageRow[] = [];
  for (const language of languages) {
    const archive = warm.languages.get(language);
    if (archive === undefined) throw new Error(`${language} was not measured warm`);
    const process = times.cost(`svc ${language}`);
    rows.push({ language, generator: 'svc', process, warm: archive.cost, size: archive.size, warnings: 0 });
    const others = new Map(
      peers.filter((peer) => peer.language === language).map(({ name }) => [name, path.join(folder, name)]),
    );
    if (openapiGenerator) others.set(generatorTitle(language), path.join(generated, language));
    for (const [generator, output] of others) {
      // The batch command of openapi-generator writes the same files.
      const written = times.cost(generator) ?? (output.startsWith(generated) && existsSync(output));
      if (!written) continue;
      rows.push({
        language,
        generator,
        process: times.cost(generator),
        warm: undefined,
        size: await sizeOfFolder(output),
        warnings: times.warnings(generator),
      });
    }
  }
  const set = setRows(times, languages, warm);
  return { nodes, languages, rounds, set, rows, failures: times.failures() };
}

function setRows(times: ProcessTimes, languages: readonly string[], warm: WarmArchives): SetRow[] {
  const processes = languages.map((language) => times.cost(generatorTitle(language)));
  const sum = processes.every((cost) => cost !== undefined)
    ? processes.reduce((total, cost) => ({ ms: total.ms + cost.ms, cpuMs: total.cpuMs + cost.cpuMs }))
    : undefined;
  const rows: [name: string, cost: Cost | undefined, own: boolean][] = [
    [`svc, warm, ${threadsText(warm.threads.count)}`, warm.threads.set, true],
    ['svc, warm, one thread', warm.oneThread, true],
    ['svc, one process', times.cost('svc'), true],
    ['openapi-generator, warm library', times.lastRound('library'), false],
    ['openapi-generator, one process (`batch`)', times.cost('batch'), false],
    ['openapi-generator, a process for each', sum, false],
  ];
  return rows.flatMap(([name, cost, own]) => (cost === undefined ? [] : [{ name, cost, own }]));
}

function threadsText(count: number): string {
  return count === 1 ? 'one thread of the service' : `${count} threads, as in the service`;
}

function ownCommand(nodes: number, folder: string, languages: readonly string[]): Command {
  const program = path.resolve(import.meta.dirname, 'write-archives.ts');
  return { file: process.execPath, args: [program, String(nodes), folder, ...languages] };
}
