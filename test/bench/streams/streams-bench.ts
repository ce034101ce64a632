import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { prepareTenant } from '../runs/chain-flow.ts';
import { type ChildProcesses, createChildProcesses } from '../runs/child-processes.ts';
import { startService } from '../runs/run-bench.ts';
import { measureFollowers, type FollowerRate } from './follower-rates.ts';
import { measureReaders, type ReaderRate } from './reader-rates.ts';
import type { StreamBenchOptions, StreamService } from './stream-service.ts';
import { measureRates, type StreamRates } from './stream-rates.ts';

export interface StreamFigures {
  rates: StreamRates;
  readers: ReaderRate[];
  followers: FollowerRate;
}

/** Measures frames of pipeline nodes, the readers of their output, and the followers of a run. */
export async function measureStreams(options: StreamBenchOptions): Promise<StreamFigures> {
  const pipelines = (['Make', 'Pass'] as const).map((name) => ({ name, mode: 'pipeline' as const }));
  const { rates, readers } = await withService(
    '../streams/processes/frame-container.ts',
    async (service, children) => {
      const gateway = await children.script('../streams/processes/gateway.ts', [service.endpoint]);
      return {
        rates: await measureRates({ ...service, gateway }, options),
        readers: await measureReaders(service, options),
      };
    },
    pipelines,
  );
  const followers = await withService('../pauses/processes/asking-container.ts', (service) =>
    measureFollowers(service, options),
  );
  return { rates, readers, followers };
}

async function withService<Result>(
  container: string,
  measure: (service: StreamService, children: ChildProcesses) => Promise<Result>,
  nodes?: Parameters<typeof prepareTenant>[2],
): Promise<Result> {
  const folder = await mkdtemp(path.join(tmpdir(), 'svc-bench-streams-'));
  const children = createChildProcesses();
  try {
    const endpoint = await children.script(container, []);
    const { key } = await prepareTenant({ dataDir: folder }, endpoint, nodes);
    const url = await startService(children, folder, { SVC_MAX_CONNECTIONS_PER_ADDRESS: '2000' });
    return await measure({ url, key, endpoint }, children);
  } finally {
    await children.stop();
    await rm(folder, { recursive: true, force: true });
  }
}
