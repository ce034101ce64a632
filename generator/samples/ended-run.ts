import type { JsonValue } from '../model/sdk-model.ts';

/** Returns the service's response to a flow invocation that waited for its run, which succeeded. */
export function endedRun(output: JsonValue): JsonValue {
  const result = { success: true, output, completed_at: 1 };
  return { accepted: true, execution_id: '0'.repeat(32), result };
}
