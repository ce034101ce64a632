import type { JsonValue } from '../model/sdk-model.ts';

/** Answer of the service to a flow that was invoked and waited for, and that succeeded. */
export function endedRun(output: JsonValue): JsonValue {
  const result = { success: true, output, completed_at: 1 };
  return { accepted: true, execution_id: '0'.repeat(32), result };
}
