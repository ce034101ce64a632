import type { CallJournalRow } from '../../store/commit/call-write.ts';
import { isUniqueViolation } from '../../store/database-errors.ts';
import { outlast } from '../../store/outlast.ts';
import type { CallRecordParts } from './direct-record.ts';

type Records = CallRecordParts['executions'];

/**
 * Returns records that retry during an outage of the database, for calls whose caller already reads the
 * output.
 */
export function outlastingRecords(executions: Records): Records {
  return {
    write: (execution) => outlast(() => executions.write(execution)),
    append: (row) => appendWithRetries(executions, row),
  };
}

/** Appends a row, and retries during an outage of the database. */
export async function appendWithRetries(
  executions: Pick<Records, 'append'>,
  row: CallJournalRow,
): Promise<void> {
  let isRepeated = false;
  await outlast(async () => {
    try {
      await executions.append(row);
    } catch (error) {
      // The row exists if an earlier attempt was committed but its response was lost.
      if (!isRepeated || !isUniqueViolation(error)) throw error;
    } finally {
      isRepeated = true;
    }
  });
}
