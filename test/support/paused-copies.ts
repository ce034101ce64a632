import type { Database } from '../../service/store/database.ts';

interface PausedRun {
  executionId: string;
  pauseId: string;
}

/** Makes a number of copies of a run that waits for a decision, with its journal and pause. */
export async function copyPausedRun(
  db: Database,
  { tenantId, executionId, pauseId }: PausedRun & { tenantId: string },
  count: number,
): Promise<PausedRun[]> {
  const copies = Array.from({ length: count }, (_, index) => {
    const number = (index + 1).toString(16).padStart(8, '0');
    // Keeps the first characters of the id, which are its time.
    return {
      executionId: executionId.slice(0, 24) + number,
      pauseId: pauseId.slice(0, 18) + number.toUpperCase(),
    };
  });
  await db.transaction(async (tx) => {
    const own = { tenant_id: tenantId, execution_id: executionId };
    const [execution] = (await tx('executions').where({ tenant_id: tenantId, id: executionId })) as object[];
    const [pause] = (await tx('pauses').where(own)) as object[];
    const journal = (await tx('journal').where(own).orderBy('seq')) as { body: string }[];
    const chunk = 20;
    for (let from = 0; from < count; from += chunk) {
      const some = copies.slice(from, from + chunk);
      await tx('executions').insert(some.map((copy) => ({ ...execution, id: copy.executionId })));
      await tx('pauses').insert(
        some.map((copy) => ({ ...pause, id: copy.pauseId, execution_id: copy.executionId })),
      );
      await tx('journal').insert(
        some.flatMap((copy) =>
          journal.map((row) => ({
            ...row,
            execution_id: copy.executionId,
            body: row.body.replaceAll(executionId, copy.executionId).replaceAll(pauseId, copy.pauseId),
          })),
        ),
      );
    }
  });
  return copies;
}
