import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { DatabaseOptions } from '../../../service/store/open-database.ts';
import { postgresServer } from '../../support/postgres-server.ts';
import { compileFlow, prepareTenant } from '../runs/chain-flow.ts';
import { type ChildProcesses, createChildProcesses } from '../runs/child-processes.ts';
import { startRestate } from '../runs/restate-server.ts';
import { startService } from '../runs/run-bench.ts';
import { median, percentile, type Ratio, ratioOf } from '../statistics.ts';
import { type CycleResult, loadCycles, loadRestateCycles } from './cycle-load.ts';

export interface CycleRates {
  database: 'SQLite' | 'PostgreSQL';
  /** Medians over the rounds. */
  cyclesPerSecond: number;
  plainPerSecond: number;
  /** Ratio of cycles to plain runs in the same round. */
  ratio: Ratio;
  /** On SQLite: cycles of Restate, and the ratio to these in the same round. */
  restate?: { cyclesPerSecond: number; ratio: Ratio };
}

/** Milliseconds from sending a decision to the start of the node with it. */
export interface ResumeDelay {
  database: CycleRates['database'];
  replicas: number;
  p50Ms: number;
  p99Ms: number;
}

interface PausesBenchOptions {
  /** Duration of each measurement. */
  seconds: number;
  warmUpSeconds: number;
  rounds: number;
  say: (text: string) => void;
}

export const callers = 64;
/** The time to resume is measured on an almost idle service. */
const timedCallers = 2;

/** Both flows have two nodes. The first node of the flow that pauses is called twice. */
const flowOf = (first: string): object => ({
  name: `Two nodes from ${first}`,
  entry: first,
  terminal: 'z',
  nodes: [first, 'z'].map((id) => ({ id, package: 'bench/echo', version: '1.0.0', node_name: 'Echo' })),
  edges: [{ id: 'e', from: first, to: 'z' }],
});

/** Compares runs that pause and resume with runs of the same number of nodes that do not, on both databases and two replicas. */
export async function measurePauses(
  options: PausesBenchOptions,
): Promise<{ rates: CycleRates[]; delays: ResumeDelay[] }> {
  const rates: CycleRates[] = [];
  const delays: ResumeDelay[] = [];
  for (const database of ['SQLite', 'PostgreSQL'] as const) {
    const folder = await mkdtemp(path.join(tmpdir(), 'svc-bench-pauses-'));
    const children = createChildProcesses();
    try {
      const url = database === 'SQLite' ? undefined : await (await postgresServer()).createDatabase();
      const services = await startServices(children, { dataDir: folder, ...(url !== undefined && { url }) });
      const restate =
        database === 'SQLite' ? await startAsking(children, folder, services.endpoint) : undefined;
      rates.push({ database, ...(await measureRates(services, restate, options)) });
      for (let replicas = 1; replicas <= services.urls.length; replicas += 1) {
        delays.push({ database, replicas, ...(await measureDelay(services, replicas, options)) });
      }
    } finally {
      await children.stop();
      await rm(folder, { recursive: true, force: true });
    }
  }
  return { rates, delays };
}

/** Starts Restate with a service whose runs wait at awakeables, and returns its load. */
async function startAsking(
  children: ChildProcesses,
  folder: string,
  endpoint: string,
): Promise<(seconds: number) => Promise<CycleResult>> {
  const script = 'processes/restate-asks.ts';
  const [handlers = '', side = ''] = (await children.script(script, [endpoint])).split(' ');
  const ingress = await startRestate(children, { folder: path.join(folder, 'restate'), handlers });
  return (seconds) => loadRestateCycles({ ingress, side, seconds, callers });
}

interface Services {
  /** Of the container. */
  endpoint: string;
  /** Of one replica on SQLite, of two on PostgreSQL. */
  urls: string[];
  key: string;
  asking: string;
  plain: string;
}

async function startServices(children: ChildProcesses, database: DatabaseOptions): Promise<Services> {
  const endpoint = await children.script('../pauses/processes/asking-container.ts', []);
  const { key } = await prepareTenant(database, endpoint);
  const { url } = database;
  const env: Record<string, string> = url ? { SVC_DATABASE_URL: url } : {};
  const urls: string[] = [];
  for (let replica = 0; replica < (url ? 2 : 1); replica += 1) {
    urls.push(await startService(children, database.dataDir, env));
  }
  const [first = ''] = urls;
  return {
    endpoint,
    urls,
    key,
    asking: await compileFlow(first, key, flowOf('ask')),
    plain: await compileFlow(first, key, flowOf('a')),
  };
}

async function measureRates(
  { urls, key, asking, plain }: Services,
  restate: ((seconds: number) => Promise<CycleResult>) | undefined,
  { seconds, warmUpSeconds, rounds, say }: PausesBenchOptions,
): Promise<Omit<CycleRates, 'database'>> {
  const load = (asks: boolean, duration: number) =>
    loadCycles({
      urls: urls.slice(0, 1),
      key,
      graphId: asks ? asking : plain,
      asks,
      seconds: duration,
      callers,
      isTimed: false,
    });
  const loads = new Map<string, (duration: number) => Promise<CycleResult>>([
    ...(restate ? ([['cycles of Restate', restate]] as const) : []),
    ['cycles', (duration) => load(true, duration)],
    ['plain runs', (duration) => load(false, duration)],
  ]);
  const measured = new Map<string, number[]>();
  for (const each of loads.values()) await each(warmUpSeconds);
  for (let round = 1; round <= rounds; round += 1) {
    const order = round % 2 === 1 ? [...loads] : [...loads].toReversed();
    for (const [name, each] of order) {
      const { perSecond } = await each(seconds);
      measured.set(name, [...(measured.get(name) ?? []), perSecond]);
      say(`round ${round}: ${perSecond.toFixed(0)} ${name}/s`);
    }
  }
  const [cycles, runs, others] = ['cycles', 'plain runs', 'cycles of Restate'].map(
    (name) => measured.get(name) ?? [],
  ) as [number[], number[], number[]];
  return {
    cyclesPerSecond: median(cycles),
    plainPerSecond: median(runs),
    ratio: ratioOf(cycles, runs),
    ...(restate && { restate: { cyclesPerSecond: median(others), ratio: ratioOf(cycles, others) } }),
  };
}

async function measureDelay(
  { urls, key, asking }: Services,
  replicas: number,
  { seconds, rounds, say }: PausesBenchOptions,
): Promise<Pick<ResumeDelay, 'p50Ms' | 'p99Ms'>> {
  const { delays } = await loadCycles({
    urls: urls.slice(0, replicas),
    key,
    graphId: asking,
    asks: true,
    seconds: seconds * rounds,
    callers: timedCallers,
    isTimed: true,
  });
  const [p50Ms, p99Ms] = [percentile(delays, 0.5), percentile(delays, 0.99)];
  say(
    `${delays.length} decisions on ${replicas} replicas: p50 ${p50Ms.toFixed(1)} ms, p99 ${p99Ms.toFixed(1)} ms`,
  );
  return { p50Ms, p99Ms };
}
