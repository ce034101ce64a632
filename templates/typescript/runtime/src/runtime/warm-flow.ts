import type { CallResult } from "./answer.ts";
import { Call } from "./call.ts";
import type { Connection } from "./connection.ts";
import type { CallOptions } from "./options.ts";

/**
 * Makes what a flow runs ready, so that its next run need not wait for it.
 * Resolves when the service has taken the request; nothing of the flow runs.
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
  const answer = await connection.post(path, body, options);
  return { value: undefined, answer };
}
