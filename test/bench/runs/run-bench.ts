import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { median, type Ratio, ratioOf } from '../statistics.ts';
import { compileChain, prepareTenant } from './chain-flow.ts';
import { type ChildProcesses, createChildProcesses } from './child-processes.ts';
import { load, type LoadRequest, type LoadResult } from './load.ts';
import { startRestate } from './restate-server.ts';

/** In the order of measurement, which alternates with its reverse. The most comparable parties are adjacent. */
export const parties = ['restate', 'svc', 'bare'] as const;
type Party = (typeof parties)[number];

interface RunRate extends LoadResult {
  /** Processor time of a run, of the party's processes and the container, without the load generator. */
  cpuMs: number;
}

export interface ChainRates {
  nodes: number;
  /** Medians over the rounds. */
  rates: Record<Party, RunRate>;
  /** Ratios of the service's runs per second to those of the others in the same round. */
  ratios: Record<Exclude<Party, 'svc'>, Ratio>;
}

export interface RunBenchOptions {
  /** Duration of each measurement. */
  seconds: number;
  /** Warm-up of each party before its first measurement, while its code is being optimized. */
  warmUpSeconds: number;
  /** Number of measurements of each party, in alternation. */
  rounds: number;
  say: (text: string) => void;
}

export const connections = 64;
const chainLengths = [1, 10];

/**
 * Measures durable runs per second of flows that are chains of nodes, with callers that wait for the results: by the
 * service, by Restate, and by a handler without an engine. All three call one container. Every party is a separate
 * process, and they are measured in alternation.
 */
export async function measureRuns({
  seconds,
  warmUpSeconds,
  rounds,
  say,
}: RunBenchOptions): Promise<ChainRates[]> {
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-bench-runs-'));
  const children = createChildProcesses();
  try {
    const requests = await startParties(children, folder);
    const chains: ChainRates[] = [];
    for (const nodes of chainLengths) {
      const measured: Record<Party, RunRate[]> = { svc: [], restate: [], bare: [] };
      for (const party of parties) await load({ ...requests(party, nodes), seconds: warmUpSeconds });
      for (let round = 1; round <= rounds; round += 1) {
        for (const party of round % 2 === 1 ? parties : parties.toReversed()) {
          const rate = await measure(children, { ...requests(party, nodes), seconds });
          measured[party].push(rate);
          const { perSecond, p99Ms, cpuMs } = rate;
          say(
            `${nodes} nodes, round ${round}, ${party}: ${perSecond} runs/s, p99 ${p99Ms} ms, CPU ${cpuMs.toFixed(2)} ms/run`,
          );
        }
      }
      const { svc, restate, bare } = measured;
      chains.push({
        nodes,
        rates: { svc: middle(svc), restate: middle(restate), bare: middle(bare) },
        ratios: { restate: ratioOf(rates(svc), rates(restate)), bare: ratioOf(rates(svc), rates(bare)) },
      });
    }
    return chains;
  } finally {
    await children.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Measures one party. The others are idle, so all usage belongs to it. */
async function measure(children: ChildProcesses, request: LoadRequest): Promise<RunRate> {
  const before = await children.cpuSeconds();
  const rate = await load(request);
  const used = (await children.cpuSeconds()) - before;
  return { ...rate, cpuMs: (used * 1_000) / (rate.perSecond * request.seconds) };
}

type RequestOf = (party: Party, nodes: number) => Omit<LoadRequest, 'seconds'>;

async function startParties(children: ChildProcesses, folder: string): Promise<RequestOf> {
  const endpoint = await children.script('processes/session-container.ts', []);
  const bare = await children.script('processes/bare-runs.ts', [endpoint, path.join(folder, 'bare')]);
  const lengths = chainLengths.map(String);
  const handlers = await children.script('processes/restate-steps.ts', [endpoint, ...lengths]);
  const restate = await startRestate(children, { folder: path.join(folder, 'restate'), handlers });
  const dataDir = path.join(folder, 'svc');
  const { key } = await prepareTenant({ dataDir }, endpoint);
  const svc = await startService(children, dataDir);
  const graphs = new Map<number, string>();
  for (const nodes of chainLengths) graphs.set(nodes, await compileChain(svc, key, nodes));
  return (party, nodes) => {
    switch (party) {
      case 'svc':
        return { url: `${svc}/invocations/v1/flows/invoke`, key, connections, graphId: graphs.get(nodes)! };
      case 'restate':
        return { url: `${restate}/bench/chain${nodes}`, key, connections };
      case 'bare':
        return { url: `${bare}/${nodes}`, key, connections };
    }
  };
}

/** Starts `svc serve` as in production, with fsync. */
export function startService(
  children: ChildProcesses,
  dataDir: string,
  env: Record<string, string> = {},
): Promise<string> {
  return children.svc(['serve'], {
    SVC_DATA_DIR: dataDir,
    SVC_PORT: '0',
    SVC_SYNC: 'full',
    SVC_LOG_LEVEL: 'warn',
    ...env,
  });
}

function rates(of: readonly RunRate[]): number[] {
  return of.map(({ perSecond }) => perSecond);
}

function middle(rates: readonly RunRate[]): RunRate {
  return {
    perSecond: median(rates.map(({ perSecond }) => perSecond)),
    p50Ms: median(rates.map(({ p50Ms }) => p50Ms)),
    p99Ms: median(rates.map(({ p99Ms }) => p99Ms)),
    cpuMs: median(rates.map(({ cpuMs }) => cpuMs)),
  };
}
