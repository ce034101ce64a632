import type { CallJournalRow } from '../../store/commit/call-write.ts';
import { isUniqueViolation } from '../../store/database-errors.ts';
import { outlast } from '../../store/outlast.ts';
import type { CallRecordParts } from './direct-record.ts';

type Records = CallRecordParts['executions'];

/** Returns records that wait while the database is unavailable, for calls whose caller already reads the output. */
export function outlastingRecords(executions: Records): Records {
  return {
    write: (execution) => outlast(() => executions.write(execution)),
    append: (row) => appendSurely(executions, row),
  };
}

/** Appends a row, and waits while the database is unavailable. */
export async function appendSurely(executions: Pick<Records, 'append'>, row: CallJournalRow): Promise<void> {
  let isRepeated = false;
  await outlast(async () => {
    try {
      await executions.append(row);
    } catch (error) {
      // An attempt whose response was lost was committed.
      if (!isRepeated || !isUniqueViolation(error)) throw error;
    } finally {
      isRepeated = true;
    }
  });
}
