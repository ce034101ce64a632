import { performance } from 'node:perf_hooks';
import { getHeapStatistics } from 'node:v8';
import { threadMs } from './work/thread-time.ts';

/**
 * Returns memory to the system while the process is idle. V8's own memory reducer is off (decision 0028), and without it the heap
 * keeps its largest size.
 */
export interface IdleCollection {
  start(): void;
  stop(): void;
}

interface IdleCollectionOptions {
  /** Collects garbage and returns free memory to the system. */
  collect: () => Promise<unknown>;
  /** Time between two checks, called a period. */
  everyMs?: number;
  /** Processor time of the main thread so far, in milliseconds. */
  workedMs?: () => number;
  /** Memory that a collection can free, in bytes: the main thread's committed heap, and external memory that its objects hold. */
  heldBytes?: () => number;
}

/**
 * Number of consecutive nearly idle periods before memory is collected. The first collection returns memory used during startup.
 * Later ones also discard compiled code, so they should not run just before load resumes after a short rest.
 */
const restPeriods = { first: 3, later: 5 };

/** Maximum share of a period that heartbeats and checks take, even on a machine with much other work. */
const restShare = 0.1;

/**
 * A collection stops the process for a tenth of a second. This is worthwhile if memory has grown by this factor since the last
 * collection, or if the main thread has worked for this long: objects that were in use at the last collection may now be free.
 */
const worthwhile = { growth: 1.5, workMs: 2_000 };

/**
 * Creates a collection that does nothing until `start`, and cannot be started again after `stop`. Its timer does not keep the
 * process alive.
 */
export function createIdleCollection({
  collect,
  everyMs = 3_000,
  workedMs = threadMs,
  heldBytes = mainThreadBytes,
}: IdleCollectionOptions): IdleCollection {
  let timer: NodeJS.Timeout | undefined;
  let before = { workedMs: 0, at: 0 };
  let restingPeriods = 0;
  let stopped = false;
  /** State after the last collection. The first collection returns memory used during startup. */
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

/**
 * Resident memory would include memory of other threads, which a collection cannot free and which is freed when they end.
 * `process.memoryUsage()` reads it anyway, and throws if the process cannot open another file.
 */
function mainThreadBytes(): number {
  const { total_heap_size: heap, external_memory: external } = getHeapStatistics();
  return heap + external;
}
