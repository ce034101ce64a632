import { compileFlow } from '../runs/chain-flow.ts';
import { median } from '../statistics.ts';
import { runLoad } from './stream-load.ts';
import type { StreamBenchOptions, StreamService } from './stream-service.ts';

/** Events that the followers of one run receive. */
export interface FollowerRate {
  followers: number;
  /** Events of the run after its pause. */
  events: number;
  /** Events per second of all followers together, from the decision to the end of the last follower. */
  eventsPerSecond: number;
}

export interface FollowLoadRequest {
  url: string;
  key: string;
  graphId: string;
  followers: number;
}

export type FollowLoadResult = Omit<FollowerRate, 'followers'>;

const followers = 500;
const chainLength = 100;

/** Returns a run that pauses, so that its followers connect first, and then passes through a chain of nodes. */
function askingChain(): object {
  const ids = ['ask', ...Array.from({ length: chainLength }, (_, index) => `n${index}`)];
  return {
    name: `A question and ${chainLength} nodes`,
    entry: 'ask',
    terminal: ids.at(-1),
    nodes: ids.map((id) => ({ id, package: 'bench/echo', version: '1.0.0', node_name: 'Echo' })),
    edges: ids.slice(1).map((to, index) => ({ id: `e${index}`, from: ids[index], to })),
  };
}

/** Follows runs in sequence, each with many sockets. */
export async function measureFollowers(
  { url, key }: StreamService,
  { rounds, say }: StreamBenchOptions,
): Promise<FollowerRate> {
  const graphId = await compileFlow(url, key, askingChain());
  const request: FollowLoadRequest = { url, key, graphId, followers };
  const rates: number[] = [];
  let events = 0;
  // The first round is the warm-up.
  for (let round = 0; round <= rounds; round += 1) {
    const measured = await runLoad<FollowLoadResult>('follow-load.ts', request);
    if (round === 0) continue;
    ({ events } = measured);
    rates.push(measured.eventsPerSecond);
    say(
      `round ${round}: ${measured.eventsPerSecond.toFixed(0)} events/s to ${followers} followers of ${events} events`,
    );
  }
  return { followers, events, eventsPerSecond: median(rates) };
}
