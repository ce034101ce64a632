import type { SoakContext } from '../load/soak-context.ts';
import { appKeys } from './app-keys.ts';
import { builtClient } from './built-client.ts';
import { cancelledRun } from './cancelled-run.ts';
import { compiledFlow } from './compiled-flow.ts';
import { directCall } from './direct-call.ts';
import { flowStream } from './flow-stream.ts';
import { followedRun } from './followed-run.ts';
import { forkedRun } from './forked-run.ts';
import { lists } from './lists.ts';
import { liveSession } from './live-session.ts';
import { ndjsonStream } from './ndjson-stream.ts';
import { pausedRun } from './paused-run.ts';
import { publishedVersion } from './published-version.ts';
import { retriedRun } from './retried-run.ts';
import { splitStream } from './split-stream.ts';
import { unaryRun } from './unary-run.ts';

/** An operation of clients, and its relative frequency. */
export interface Operation {
  name: string;
  weight: number;
  /** Long operations are skipped in soaks of less than a minute. */
  isLong?: true;
  run: (context: SoakContext) => Promise<void>;
}

/** All operations of the clients of a soak. */
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
  { name: 'retried run', weight: 2, isLong: true, run: retriedRun },
  { name: 'compiled flow', weight: 1, run: compiledFlow },
  { name: 'published version', weight: 1, run: publishedVersion },
  { name: 'built client', weight: 1, isLong: true, run: builtClient },
  { name: 'app keys', weight: 1, run: appKeys },
];
