import { setTimeout as pause } from 'node:timers/promises';
import { systemClock } from '../../../service/clock.ts';
import { createIds } from '../../../service/ids.ts';
import type { Seeded } from '../../fuzz/seeded.ts';
import { type Answer, request } from '../../support/running-service.ts';
import type { SoakReplica } from '../deployment/soak-replica.ts';
import { expectedBy, type SoakTenant } from '../deployment/soak-tenants.ts';
import type { History } from '../history.ts';

/** The context of one operation. */
export interface SoakContext {
  operation: string;
  history: History;
  choose: Seeded;
  tenant: SoakTenant;
  replicas: readonly SoakReplica[];
}

/** A request of an operation. */
interface SoakRequest {
  method?: 'GET' | 'POST' | 'DELETE';
  path: string;
  body?: object | string;
  headers?: Record<string, string>;
  /** Expected statuses. A tenant with small quotas may also get 429. */
  expected: readonly number[];
  /** Default: any replica, preferably an unharmed one. */
  replica?: SoakReplica;
  /** Default: that of the tenant. */
  key?: string;
}

/** A response, and the time at which its request was sent. */
interface SoakAnswer extends Answer {
  sentAt: number;
}

/** Time limit for a response. It exceeds the time for which the service lets a request wait for the database. */
const patienceMs = 90_000;

/** Time for which a client repeats a request. It exceeds the duration of any fault. */
const repeatsMs = 120_000;

const ids = createIds(systemClock);

/** Returns a new id for an input or an idempotency key. */
export function newId(): string {
  return ids.ulid();
}

/** Returns a random replica, almost always an unharmed one. */
export function anyReplica({ choose, replicas }: SoakContext): SoakReplica {
  const well = replicas.filter(({ isHarmed }) => !isHarmed);
  return choose.pick(well.length === 0 || choose.chance(0.05) ? replicas : well);
}

/** Returns another replica that is unharmed, or `replica` if there is none. */
export function otherReplica(context: SoakContext, replica: SoakReplica): SoakReplica {
  const others = context.replicas.filter((each) => each !== replica && !each.isHarmed);
  return others.length === 0 ? replica : context.choose.pick(others);
}

/** Returns the header with the key of the tenant. */
export function authorization({ tenant }: SoakContext): { authorization: string } {
  return { authorization: `Bearer ${tenant.key}` };
}

/** Sends a request once and records the response. Undefined if there was none. */
export async function ask(context: SoakContext, asked: SoakRequest): Promise<SoakAnswer | undefined> {
  const { history, operation, tenant } = context;
  const { method = 'GET', path, body, headers = {}, replica = anyReplica(context) } = asked;
  const { authorization: own } = authorization(context);
  const expected = expectedBy(tenant, asked.expected);
  const seen = { operation, request: `${method} ${path}`, replica: replica.name, expected };
  const sentAt = Date.now();
  try {
    const answer = await request(replica.url + path, {
      method,
      headers: {
        authorization: asked.key === undefined ? own : `Bearer ${asked.key}`,
        'content-type': 'application/json',
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(patienceMs),
    });
    const isExpected = expected.includes(answer.status);
    history.answers.push({
      ...seen,
      from: sentAt,
      to: Date.now(),
      status: answer.status,
      ...(!isExpected && { text: JSON.stringify([answer.body, answer.envelope]) }),
    });
    return { ...answer, sentAt };
  } catch (error) {
    history.answers.push({ ...seen, from: sentAt, to: Date.now(), text: reasonOf(error) });
    return undefined;
  }
}

/**
 * Sends an idempotent request until the status of its response is below 500, or the time is up.
 *
 * @returns `isDoubtful`: an earlier attempt may have succeeded
 */
export async function askUntilAnswered(
  context: SoakContext,
  asked: SoakRequest,
): Promise<{ answer: SoakAnswer | undefined; isDoubtful: boolean }> {
  const deadline = Date.now() + repeatsMs;
  let isDoubtful = false;
  for (;;) {
    const answer = await ask(context, asked);
    if (answer && answer.status < 500) return { answer, isDoubtful };
    isDoubtful = true;
    if (Date.now() > deadline) return { answer: undefined, isDoubtful };
    await pause(500 + context.choose.below(1_000));
  }
}

/** Returns the text of an error, with its causes. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? error.message : `${error.message}: ${reasonOf(error.cause)}`;
}
