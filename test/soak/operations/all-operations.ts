import type { SoakContext } from '../load/soak-context.ts';
import { cancelledRun } from './cancelled-run.ts';
import { directCall } from './direct-call.ts';
import { flowStream } from './flow-stream.ts';
import { followedRun } from './followed-run.ts';
import { forkedRun } from './forked-run.ts';
import { lists } from './lists.ts';
import { liveSession } from './live-session.ts';
import { ndjsonStream } from './ndjson-stream.ts';
import { pausedRun } from './paused-run.ts';
import { splitStream } from './split-stream.ts';
import { unaryRun } from './unary-run.ts';

/** One thing that clients do, and how often they do it in relation to the others. */
export interface Operation {
  name: string;
  weight: number;
  run: (context: SoakContext) => Promise<void>;
}

/** Everything that the clients of a soak do. */
export const operations: readonly Operation[] = [
  { name: 'unary run', weight: 6, run: unaryRun },
  { name: 'direct call', weight: 6, run: directCall },
  { name: 'flow stream', weight: 3, run: flowStream },
  { name: 'NDJSON stream', weight: 3, run: ndjsonStream },
  { name: 'split stream', weight: 3, run: splitStream },
  { name: 'live session', weight: 3, run: liveSession },
  { name: 'paused run', weight: 4, run: pausedRun },
  { name: 'cancelled run', weight: 3, run: cancelledRun },
  { name: 'forked run', weight: 2, run: forkedRun },
  { name: 'lists', weight: 2, run: lists },
  { name: 'followed run', weight: 3, run: followedRun },
];
