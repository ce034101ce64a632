import type { Harm, HarmKind, SeenAnswer } from '../history.ts';

/** How long the effects of a harm last after its target works again, in milliseconds. */
const aftermathMs = 3_000;

/** Something that took time, perhaps at one replica. */
interface Timed {
  from: number;
  to: number;
  replica?: string;
}

/**
 * Returns the kind of a harm that was done during a time, if there was one. Kills and freezes of other replicas than that of `timed`
 * count only with `anywhere`.
 */
export function harmDuring(
  harms: readonly Harm[],
  timed: Timed,
  kinds: readonly HarmKind[],
  anywhere: readonly HarmKind[] = ['container', 'database'],
): HarmKind | undefined {
  return harms.find(
    ({ kind, target, from, to }) =>
      kinds.includes(kind) &&
      (anywhere.includes(kind) || timed.replica === undefined || target === timed.replica) &&
      from <= timed.to &&
      timed.from <= to + aftermathMs,
  )?.kind;
}

/**
 * Returns the harm that explains an answer that no client wants. A connection is lost with its process, and a frozen one answers
 * nothing. 503 is documented for a database that is away, and 502 for a container; a replica that was frozen may find that either
 * took too long.
 */
export function excuseOf(answer: SeenAnswer, harms: readonly Harm[]): HarmKind | undefined {
  if (answer.status === undefined) return harmDuring(harms, answer, ['kill', 'freeze']);
  if (answer.status === 503) return harmDuring(harms, answer, ['database', 'freeze']);
  if (answer.status === 502) return harmDuring(harms, answer, ['container', 'freeze']);
  return undefined;
}
