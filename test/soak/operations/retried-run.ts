import { newId, type SoakContext } from '../load/soak-context.ts';
import { startRun } from '../load/start-run.ts';

/** Runs a step that fails a few times, with retry delays during which the run leaves the memory of its replica. */
export async function retriedRun(context: SoakContext): Promise<void> {
  const { choose } = context;
  const input = { id: newId(), failures: 1 + choose.below(4), delayMs: choose.below(500) };
  await startRun(context, { flow: 'retried', input });
}
