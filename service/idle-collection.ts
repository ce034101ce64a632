import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';

/**
 * Returns memory to the system while the process is at rest. V8's own memory reducer is off (decision 0028), and without it the
 * heap keeps what it once needed.
 */
export interface IdleCollection {
  start(): void;
  stop(): void;
}

interface IdleCollectionOptions {
  /** Collects garbage and returns free memory to the system. */
  collect: () => Promise<unknown>;
  /** Time between two looks, a period. */
  everyMs?: number;
  /** Processor time of the main thread so far, milliseconds. */
  workedMs?: () => number;
  /** What a collection can free: committed heap of the main thread and memory outside that its objects hold, bytes. */
  heldBytes?: () => number;
}

/**
 * Periods in a row in which the process does nearly nothing, before memory is collected. The first collection returns what starting
 * took. Later ones also throw compiled code away, so the load after a short rest should not find them.
 */
const restPeriods = { first: 3, later: 5 };

/** Share of a period that heartbeats and checks take at most, also on a machine with much other work. */
const restShare = 0.1;

/**
 * A collection stops the process for a tenth of a second. It is worth that when memory has grown by this factor since the last one, or
 * when the main thread has worked for this time: objects that were in use at the last one may be free now.
 */
const worthwhile = { growth: 1.5, workMs: 2_000 };

export function createIdleCollection({
  collect,
  everyMs = 3_000,
  workedMs = mainThreadMs,
  heldBytes = mainThreadBytes,
}: IdleCollectionOptions): IdleCollection {
  let timer: NodeJS.Timeout | undefined;
  let before = { workedMs: 0, at: 0 };
  let restingPeriods = 0;
  let stopped = false;
  /** After the last collection. The first one returns what starting took. */
  let collected = { bytes: 0, workedMs: 0 };

  const look = async (): Promise<void> => {
    const now = { workedMs: workedMs(), at: performance.now() };
    const resting = now.workedMs - before.workedMs < restShare * (now.at - before.at);
    before = now;
    restingPeriods = resting ? restingPeriods + 1 : 0;
    if (restingPeriods < (collected.bytes === 0 ? restPeriods.first : restPeriods.later)) return;
    const hasGrown = heldBytes() >= worthwhile.growth * collected.bytes;
    const hasWorked = now.workedMs - collected.workedMs >= worthwhile.workMs;
    if (!hasGrown && !hasWorked) return;
    await collect();
    before = { workedMs: workedMs(), at: performance.now() };
    collected = { bytes: heldBytes(), workedMs: before.workedMs };
  };

  const next = (): void => {
    if (stopped) return;
    timer = setTimeout(() => void look().then(next), everyMs).unref();
  };

  return {
    start: () => {
      before = { workedMs: workedMs(), at: performance.now() };
      next();
    },
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}

function mainThreadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

/**
 * Resident memory would count what other threads hold: a collection cannot free it, and it leaves when they end. `process.memoryUsage()`
 * reads it all the same, and throws if the process has no file left to open.
 */
function mainThreadBytes(): number {
  const { total_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}
