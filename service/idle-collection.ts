import { performance } from 'node:perf_hooks';

/**
 * Returns memory to the system while the process is at rest. V8's own memory reducer is off (decision 0028), and without it the
 * heap keeps what it once needed.
 */
export interface IdleCollection {
  start(): void;
  stop(): void;
}

interface Activity {
  /** Processor time, milliseconds. */
  workedMs: number;
  /** Time in which the event loop was not waiting, milliseconds. Where processors are short, most of it can pass without work. */
  busyMs: number;
}

interface IdleCollectionOptions {
  /** Collects garbage and returns free memory to the system. */
  collect: () => Promise<unknown>;
  /** Time between two looks, milliseconds. */
  everyMs?: number;
  /** What the main thread has done so far. */
  activity?: () => Activity;
  /** Resident memory of the process, bytes. */
  residentBytes?: () => number;
}

/** Shares of a period that heartbeats and checks take at most, the second also on a machine with much other work. */
const restShares: Activity = { workedMs: 0.1, busyMs: 0.5 };

/**
 * So many periods in which the process does nearly nothing are rest. Shorter pauses are part of the work: after each collection,
 * the load that follows runs slower for some seconds, while the heap grows again.
 */
const restPeriods = 5;

/** A collection stops the process for a tenth of a second, so it waits until it is worth that. */
const worthwhileGrowth = 1.25;

/** A collection that leaves less than this share of memory is repeated. */
const repeatedBelow = 0.9;

export function createIdleCollection({
  collect,
  everyMs = 2_000,
  activity = mainThreadActivity,
  residentBytes = () => process.memoryUsage.rss(),
}: IdleCollectionOptions): IdleCollection {
  let timer: NodeJS.Timeout | undefined;
  let before = { workedMs: 0, busyMs: 0, at: 0 };
  let restingPeriods = 0;
  /** After the last collection. The first one returns what starting took. */
  let collectedBytes = 0;

  const look = async (): Promise<void> => {
    const now = { ...activity(), at: performance.now() };
    const periodMs = now.at - before.at;
    const resting =
      now.workedMs - before.workedMs < restShares.workedMs * periodMs &&
      now.busyMs - before.busyMs < restShares.busyMs * periodMs;
    before = now;
    restingPeriods = resting ? restingPeriods + 1 : 0;
    if (restingPeriods < restPeriods || residentBytes() < worthwhileGrowth * collectedBytes) return;
    const grown = residentBytes();
    await collect();
    const left = residentBytes();
    // What one collection frees lets the next one free more, so a collection that helped is repeated at the next look.
    if (left >= repeatedBelow * grown) collectedBytes = left;
    before = { ...activity(), at: performance.now() };
  };

  const next = (): void => {
    timer = setTimeout(() => void look().then(next), everyMs).unref();
  };

  return {
    start: () => {
      before = { ...activity(), at: performance.now() };
      next();
    },
    stop: () => clearTimeout(timer),
  };
}

function mainThreadActivity(): Activity {
  const { user, system } = process.threadCpuUsage();
  return { workedMs: (user + system) / 1_000, busyMs: performance.eventLoopUtilization().active };
}
