import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { median, type Ratio, ratioOf } from '../statistics.ts';
import { compileChain, prepareTenant } from './chain-flow.ts';
import { createChildProcesses } from './child-processes.ts';
import { load } from './load.ts';
import { connections, type RunBenchOptions, startService } from './run-bench.ts';
import { storeRuns } from './stored-runs.ts';

/** Runs per second of a flow of one node, with a number of stored runs. Medians over the rounds. */
export interface Growth {
  stored: [few: number, many: number];
  perSecond: [few: number, many: number];
  /** Ratio of the time of a run with many stored runs to that with few, in one round. */
  ratio: Ratio;
}

/** Measures the cost of stored executions for new ones, with two services in alternation, the second with ten times as many. */
export async function measureGrowth(
  { seconds, warmUpSeconds, rounds, say }: RunBenchOptions,
  fewest: number,
): Promise<Growth> {
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-bench-growth-'));
  const children = createChildProcesses();
  try {
    const endpoint = await children.script('processes/session-container.ts', []);
    const parties: { stored: number; measure: (seconds: number) => Promise<number>; rates: number[] }[] = [];
    for (const stored of [fewest, 10 * fewest]) {
      const dataDir = path.join(folder, String(stored));
      const { key } = await prepareTenant({ dataDir }, endpoint);
      await storeOne(dataDir, key);
      await storeRuns(dataDir, stored);
      const url = await startService(children, dataDir);
      const graphId = await compileChain(url, key, 1);
      const request = { url: `${url}/invocations/v1/flows/invoke`, key, connections, graphId };
      const measure = async (duration: number): Promise<number> =>
        (await load({ ...request, seconds: duration })).perSecond;
      await measure(warmUpSeconds);
      parties.push({ stored, measure, rates: [] });
    }
    for (let round = 1; round <= rounds; round += 1) {
      for (const { stored, measure, rates } of round % 2 === 1 ? parties : parties.toReversed()) {
        const rate = await measure(seconds);
        rates.push(rate);
        say(`${stored} stored runs, round ${round}: ${rate} runs/s`);
      }
    }
    const [few, many] = parties.map(({ rates }) => rates) as [number[], number[]];
    return {
      stored: [fewest, 10 * fewest],
      perSecond: [median(few), median(many)],
      ratio: ratioOf(few, many),
    };
  } finally {
    await children.stop();
    await rm(folder, { recursive: true, force: true });
  }

  /** Stores the run that the others are copies of. */
  async function storeOne(dataDir: string, key: string): Promise<void> {
    const service = createChildProcesses();
    try {
      const url = await startService(service, dataDir);
      const graphId = await compileChain(url, key, 1);
      await load({ url: `${url}/invocations/v1/flows/invoke`, key, connections: 1, graphId, seconds: 1 });
    } finally {
      await service.stop();
    }
  }
}
