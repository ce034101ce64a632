import type { JsonValue } from '../model/sdk-model.ts';

/** The service's response to the invocation of a flow that was waited for and succeeded. */
export function endedRun(output: JsonValue): JsonValue {
  const result = { success: true, output, completed_at: 1 };
  return { accepted: true, execution_id: '0'.repeat(32), result };
}
