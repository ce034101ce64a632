import type { Harm, HarmKind, SeenAnswer } from '../history.ts';

/** How long the effects of a harm last after its target works again, in milliseconds. */
const aftermathMs = 3_000;

/** Something that took time, perhaps at one replica. */
interface Timed {
  from: number;
  to: number;
  replica?: string;
}

/** What is harmed for all replicas. */
const everywhere: readonly HarmKind[] = ['container', 'database', 'stall'];

/** A replica is not there, or answers nothing. */
const replicaAway: readonly HarmKind[] = ['kill', 'restart', 'freeze'];

/** The database is not there, or answers nothing. */
const databaseAway: readonly HarmKind[] = ['database', 'stall', 'cut', 'hold'];

/**
 * Returns the kind of a harm that was done during a time, if there was one. Harms of other replicas than that of `timed` do not
 * count.
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
 * Returns the harm that explains an answer that no client wants. A connection is lost with its process; one that was frozen
 * answers late. 503 is documented for a database that is away and for a replica that stops, and 502 for direct calls and uploads for which
 * a stream fails; a replica that was frozen may find that either took too long.
 */
export function excuseOf(answer: SeenAnswer, harms: readonly Harm[]): HarmKind | undefined {
  if (answer.status === undefined) return harmDuring(harms, answer, ['kill', 'restart']);
  if (answer.status === 503) return harmDuring(harms, answer, [...databaseAway, 'restart', 'freeze']);
  if (answer.status === 502) return failureExcuse(harms, answer);
  return undefined;
}

/**
 * Returns the harm that explains that a stream was cut off: it is lost with its process, and if its end cannot be stored for half a
 * minute.
 *
 * @param timed without a replica if any may have had it
 */
export function cutExcuse(harms: readonly Harm[], timed: Timed): HarmKind | undefined {
  const fatal = [
    ...harms.filter(({ kind }) => replicaAway.includes(kind)),
    ...longOutages(harms, timed.replica),
  ];
  return harmDuring(fatal, timed, [...replicaAway, ...databaseAway]);
}

/**
 * Returns the harm that explains that a stream failed: it fails with its container, when its replica stops, and when another one has
 * taken it over. It outlasts a database that is away for less than half a minute.
 */
export function failureExcuse(harms: readonly Harm[], timed: Timed): HarmKind | undefined {
  const fatal = [
    ...harms.filter(({ kind }) => kind === 'container' || replicaAway.includes(kind)),
    ...harms.filter(({ kind, from, to }) => (kind === 'cut' || kind === 'hold') && to - from >= takeoverMs),
    ...longOutages(harms, timed.replica),
  ];
  return harmDuring(fatal, timed, [...replicaAway, ...databaseAway, 'container']);
}

/** The database is away for this replica, or for all. */
export function outageDuring(harms: readonly Harm[], timed: Timed): HarmKind | undefined {
  return harmDuring(harms, timed, databaseAway);
}

/** A replica whose last heartbeat is 15 seconds old is taken for dead; it stores one every three seconds. */
const takeoverMs = 12_000;

/** Streams wait so long for the database. */
const outageMs = 30_000;

/** Outages that are too long for streams of a replica. Harms that follow each other closely are one outage. */
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

/** Whether a replica feels a harm; any, if it is not known. */
function concerns({ kind, target }: Harm, replica: string | undefined): boolean {
  return everywhere.includes(kind) || replica === undefined || target === replica;
}
