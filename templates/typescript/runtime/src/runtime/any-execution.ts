import type { JsonValue } from "./codec/json.ts";
import { valueType } from "./codec/well-known-types.ts";
import type { Connection } from "./connection.ts";
import { Execution } from "./execution.ts";

/**
 * Returns a run of any flow by its id, for example the id in a pause. Its
 * output is JSON. Throws a `ValueError` if the id is malformed.
 */
export function execution(
  connection: Connection,
  id: string,
): Execution<JsonValue> {
  return new Execution(connection, valueType, id);
}
