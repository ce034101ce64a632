import { setTimeout as pause } from 'node:timers/promises';
import { decide, findPause } from '../load/decide.ts';
import { anyReplica, newId, otherReplica, type SoakContext } from '../load/soak-context.ts';
import { startRun } from '../load/start-run.ts';

const plans = ['once', 'race', 'race', 'same', 'late', 'expire', 'edge'] as const;

/**
 * Starts a run that pauses, and sends decisions: one; two different or two equal ones to two replicas at once; another
 * one after the run has resumed; one after the pause has expired; or one close to its expiry.
 */
export async function pausedRun(context: SoakContext): Promise<void> {
  const { choose } = context;
  const plan = choose.pick(plans);
  const isShort = plan === 'expire' || plan === 'edge';
  const pauseSeconds = isShort ? 2 + choose.below(4) : 120;
  const started = await startRun(context, {
    flow: 'asking',
    input: { id: newId(), pauseSeconds, escalateSeconds: choose.chance(0.4) ? 1 + choose.below(5) : 0 },
    wait: true,
    mayEnd: isShort ? ['COMPLETED', 'CANCELLED'] : ['COMPLETED'],
  });
  if (!started) return;
  const found = await findPause(context, started);
  // Without a decision, the pause may expire.
  if (!found) {
    started.run.mayEnd.add('CANCELLED');
    return;
  }
  const expected = isShort ? [200, 409] : [200];
  const first = anyReplica(context);
  const one = (value: string, replica = first): Promise<number | undefined> =>
    decide(context, found, { value, replica, expected });
  const left = found.expiresAt - Date.now();
  if (plan === 'expire') await pause(Math.max(0, left + choose.below(3_000)));
  else if (plan === 'edge') await pause(Math.max(0, left - 30 + choose.below(60)));
  else await pause(choose.below(2_000));
  const second = plan === 'same' ? 'first' : 'second';
  const statuses = await Promise.all([
    one('first'),
    ...(plan === 'once' || plan === 'late' ? [] : [one(second, otherReplica(context, first))]),
  ]);
  if (plan === 'late') {
    await pause(choose.below(5_000));
    statuses.push(await one('late', anyReplica(context)));
  }
  // If no decision was accepted, the pause expires.
  if (!statuses.includes(200)) started.run.mayEnd.add('CANCELLED');
}
