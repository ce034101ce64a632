import { compileFlow } from '../runs/chain-flow.ts';
import { median, type Ratio, ratioOf } from '../statistics.ts';
import { loadStreams, type StreamSource } from './stream-load.ts';
import type { StreamBenchOptions, StreamService } from './stream-service.ts';

/** The reader: a gRPC client of the container, a client of a handler that only forwards frames, or clients of the service. */
export const parties = ['bare', 'gateway', 'node', 'flow'] as const;
export type Party = (typeof parties)[number];

export interface StreamRates {
  /** Medians over the rounds. */
  framesPerSecond: Record<Party, number>;
  firstMs: Record<Party, number>;
  /** Ratio of frames per second to those of `bare` in the same round. */
  rateRatios: Record<Exclude<Party, 'bare'>, Ratio>;
  /** Ratio of the time to the first frame to that of `bare` in the same round. */
  firstRatios: Record<Exclude<Party, 'bare'>, Ratio>;
}

const frames = 20_000;

/** Two nodes with an adapter that maps every field of the second one's input. */
const flow = {
  name: 'Frames through two nodes',
  mode: 'pipeline',
  entry: 'make',
  terminal: 'pass',
  nodes: [
    { id: 'make', package: 'bench/echo', version: '1.0.0', node_name: 'Make' },
    { id: 'pass', package: 'bench/echo', version: '1.0.0', node_name: 'Pass' },
  ],
  edges: [{ id: 'e', from: 'make', to: 'pass', adapter: { text: 'text', count: 'count' } }],
};

/**
 * Reads the same frames from the container, a gateway, a node and a flow, in alternation.
 *
 * @param gateway URL of a handler that forwards the frames of the container (`processes/gateway.ts`)
 */
export async function measureRates(
  { url, key, endpoint, gateway }: StreamService & { gateway: string },
  { seconds, warmUpSeconds, rounds, say }: StreamBenchOptions,
): Promise<StreamRates> {
  const graphId = await compileFlow(url, key, flow);
  const sources: Record<Party, StreamSource> = {
    bare: { endpoint },
    gateway: { url: gateway, key, body: '{"text":"FRAMES"}' },
    node: { url: `${url}/invocations/v1/nodes/bench/echo/1.0.0/Make`, key, body: '{"text":"FRAMES"}' },
    flow: {
      url: `${url}/invocations/v1/flows/invoke/stream`,
      key,
      body: `{"graph_id":"${graphId}","timeout_seconds":120,"input":{"text":"FRAMES"}}`,
    },
  };
  const rates: Record<Party, number[]> = { bare: [], gateway: [], node: [], flow: [] };
  const firsts: Record<Party, number[]> = { bare: [], gateway: [], node: [], flow: [] };
  for (const party of parties) await loadStreams({ source: sources[party], frames, seconds: warmUpSeconds });
  for (let round = 1; round <= rounds; round += 1) {
    for (const party of round % 2 === 1 ? parties : parties.toReversed()) {
      const source = sources[party];
      const { framesPerSecond } = await loadStreams({ source, frames, seconds });
      const { firstMs } = await loadStreams({ source, frames: 1, seconds: seconds / 2 });
      rates[party].push(framesPerSecond);
      firsts[party].push(firstMs);
      say(
        `round ${round}, ${party}: ${framesPerSecond.toFixed(0)} frames/s, the first after ${firstMs.toFixed(2)} ms`,
      );
    }
  }
  const medians = (of: Record<Party, number[]>) => ({
    bare: median(of.bare),
    gateway: median(of.gateway),
    node: median(of.node),
    flow: median(of.flow),
  });
  const ratios = (of: Record<Party, number[]>) => ({
    gateway: ratioOf(of.gateway, of.bare),
    node: ratioOf(of.node, of.bare),
    flow: ratioOf(of.flow, of.bare),
  });
  return {
    framesPerSecond: medians(rates),
    firstMs: medians(firsts),
    rateRatios: ratios(rates),
    firstRatios: ratios(firsts),
  };
}
