import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../../service/store/database.ts';
import type { Tenant } from '../../../service/store/tenants.ts';
import { seeded } from '../../fuzz/seeded.ts';
import type { Deployment } from '../deployment/deployment.ts';
import type { History } from '../history.ts';
import { readEvents } from '../load/read-events.ts';
import { askUntilAnswered, type SoakContext } from '../load/soak-context.ts';
import type { Evidence, ShownExecution } from './evidence.ts';
import { findLeftovers } from './find-leftovers.ts';
import { journalGaps, storedPauses, storedUsage } from './read-database.ts';

/**
 * Time limit for the service to become idle: pauses without a decision expire after two minutes, and dead replicas are
 * detected after 15 seconds.
 */
const quietMs = 240_000;

/** Number of executions that are read concurrently. */
const readers = 8;

/** Waits until the service is idle, and reads everything that the checks examine. */
export async function readEvidence(deployment: Deployment, history: History): Promise<Evidence> {
  const db = await deployment.openDatabase();
  try {
    const leftovers = await leftoversOnceQuiet(db, deployment);
    return {
      executions: await readExecutions(deployment, history),
      pauses: await storedPauses(db),
      usage: await storedUsage(db, deployment.tenants),
      journalGaps: await journalGaps(db),
      leftovers,
    };
  } finally {
    await db.close();
  }
}

async function leftoversOnceQuiet(db: Database, deployment: Deployment): Promise<string[]> {
  const deadline = Date.now() + quietMs;
  for (;;) {
    const leftovers = await findLeftovers(db, deployment);
    if (leftovers.length === 0 || Date.now() > deadline) return leftovers;
    await pause(1_000);
  }
}

async function readExecutions(
  { replicas, tenants }: Deployment,
  history: History,
): Promise<Map<string, ShownExecution>> {
  const shown = new Map<string, ShownExecution>();
  const left: [string, Tenant][] = [
    ...[...history.runs].map(([id, { tenant }]): [string, Tenant] => [id, tenant]),
    ...history.calls,
  ];
  await Promise.all(
    Array.from({ length: readers }, async (_, reader) => {
      for (let next = left.pop(); next; next = left.pop()) {
        const [id, tenant] = next;
        const context: SoakContext = {
          operation: 'evidence',
          history,
          choose: seeded(reader),
          tenant: tenants.find((each) => each.tenant.id === tenant.id)!,
          replicas,
        };
        shown.set(id, await readExecution(context, id));
      }
    }),
  );
  return shown;
}

async function readExecution(context: SoakContext, id: string): Promise<ShownExecution> {
  const { answer } = await askUntilAnswered(context, {
    path: `/invocations/v1/executions/${id}`,
    expected: [200, 404],
  });
  const record = answer?.status === 200 ? (answer.body as { status: string; completed_at?: string }) : {};
  const { status, completed_at } = record as { status?: string; completed_at?: string };
  const events = (await readEvents(context, id)) ?? [];
  return { ...(status !== undefined && { status }), hasEnded: completed_at !== undefined, events };
}
