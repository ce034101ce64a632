import type { Harm, HarmKind, SeenAnswer } from '../history.ts';

/** Time after the end of a fault during which its effects last, in milliseconds. */
const aftermathMs = 3_000;

/** A period, at one replica if `replica` is set. */
interface Timed {
  from: number;
  to: number;
  replica?: string;
}

/** Faults that affect all replicas. */
const everywhere: readonly HarmKind[] = ['container', 'database', 'stall'];

/** Faults during which a replica is down or unresponsive. */
const replicaAway: readonly HarmKind[] = ['kill', 'restart', 'freeze'];

/** Faults during which the database is down or unresponsive. */
const databaseAway: readonly HarmKind[] = ['database', 'stall', 'cut', 'hold'];

/**
 * Returns the kind of a fault that overlapped the period, or undefined if there was none. Faults of replicas other than
 * that of `timed` do not count.
 */
function harmDuring(harms: readonly Harm[], timed: Timed, kinds: readonly HarmKind[]): HarmKind | undefined {
  return harms.find(
    (harm) =>
      kinds.includes(harm.kind) &&
      concerns(harm, timed.replica) &&
      harm.from <= timed.to &&
      timed.from <= harm.to + aftermathMs,
  )?.kind;
}

/**
 * Returns the fault that explains an unexpected response. A request without a response lost its connection with the
 * process of its replica. 503 is documented for a database outage and for a replica that is stopping, and 502 for
 * direct calls and uploads whose stream fails; a replica that was frozen may also time out either way.
 */
export function excuseOf(answer: SeenAnswer, harms: readonly Harm[]): HarmKind | undefined {
  if (answer.status === undefined) return harmDuring(harms, answer, ['kill', 'restart']);
  if (answer.status === 503) return harmDuring(harms, answer, [...databaseAway, 'restart', 'freeze']);
  if (answer.status === 502) return failureExcuse(harms, answer);
  return undefined;
}

/**
 * Returns the fault that explains why a stream was cut off: the connection is lost with its process, and when the end
 * of the stream cannot be stored for half a minute.
 *
 * @param timed has no replica if any replica may have served the stream
 */
export function cutExcuse(harms: readonly Harm[], timed: Timed): HarmKind | undefined {
  const fatal = [
    ...harms.filter(({ kind }) => replicaAway.includes(kind)),
    ...longOutages(harms, timed.replica),
  ];
  return harmDuring(fatal, timed, [...replicaAway, ...databaseAway]);
}

/**
 * Returns the fault that explains why a stream failed: a stream fails with its container, when its replica stops, and
 * when another replica takes it over. It survives a database outage of less than half a minute.
 */
export function failureExcuse(harms: readonly Harm[], timed: Timed): HarmKind | undefined {
  const takeovers = harms.filter(
    ({ kind, from, to }) => (kind === 'cut' || kind === 'hold') && to - from >= takeoverMs,
  );
  return (
    cutExcuse(harms, timed) ??
    harmDuring(harms, timed, ['container']) ??
    harmDuring(takeovers, timed, ['cut', 'hold'])
  );
}

/** Returns the fault that made the database unavailable to this replica, or to all replicas, during the period. */
export function outageDuring(harms: readonly Harm[], timed: Timed): HarmKind | undefined {
  return harmDuring(harms, timed, databaseAway);
}

/**
 * Shortest loss of the database connection that may cause a takeover: a replica is considered dead 15 seconds after its
 * last heartbeat, and it sends one every three seconds.
 */
const takeoverMs = 12_000;

/** Time for which streams wait for the database. */
const outageMs = 30_000;

/**
 * Returns the database outages that outlast the streams of a replica. Faults that follow each other closely are one
 * outage.
 */
function longOutages(harms: readonly Harm[], replica: string | undefined): Harm[] {
  const outages: Harm[] = [];
  for (const harm of harms.toSorted((one, other) => one.from - other.from)) {
    if (!databaseAway.includes(harm.kind) || !concerns(harm, replica)) continue;
    const last = outages.at(-1);
    if (last && harm.from <= last.to + aftermathMs) last.to = Math.max(last.to, harm.to);
    else outages.push({ ...harm });
  }
  return outages.filter(({ from, to }) => to - from >= outageMs - aftermathMs);
}

/** Reports whether a fault affects a replica. Without a replica, every fault counts. */
function concerns({ kind, target }: Harm, replica: string | undefined): boolean {
  return everywhere.includes(kind) || replica === undefined || target === replica;
}
