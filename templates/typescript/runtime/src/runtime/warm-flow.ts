import { Call } from "./call.ts";
import type { Connection } from "./connection.ts";
import type { CallOptions } from "./options.ts";
import type { CallResult } from "./response.ts";

/**
 * Warms up the nodes of a flow, so that its next run starts faster. Resolves when
 * the service has accepted the request. Does not run the flow.
 */
export function warmFlow(
  connection: Connection,
  flow: { readonly graphId: string },
  options?: CallOptions,
): Call<void> {
  return new Call(warm(connection, flow.graphId, options));
}

async function warm(
  connection: Connection,
  graphId: string,
  options: CallOptions | undefined,
): Promise<CallResult<void>> {
  const body = JSON.stringify({ graph_id: graphId });
  const path = "/invocations/v1/flows/warm";
  const response = await connection.send(path, body, options);
  return { value: undefined, response };
}
