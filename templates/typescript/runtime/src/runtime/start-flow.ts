import { Call } from "./call.ts";
import { checkIdempotency } from "./check-idempotency.ts";
import type { Input } from "./codec/values.ts";
import type { Connection } from "./connection.ts";
import { Execution } from "./execution.ts";
import {
  executionIdOf,
  facts,
  type Flow,
  opening,
  path,
} from "./flow-request.ts";
import type { CallOptions } from "./options.ts";
import type { CallResult } from "./response.ts";
import { objectOf } from "./response-object.ts";

/** Starts a flow without waiting for it to end. */
export function startFlow<Taken, Given>(
  connection: Connection,
  flow: Flow<Taken, Given>,
  input: Input<Taken>,
  options: CallOptions = {},
): Call<Execution<Given>> {
  return new Call(start(connection, flow, input, options));
}

async function start<Taken, Given>(
  connection: Connection,
  flow: Flow<Taken, Given>,
  input: Input<Taken>,
  options: CallOptions,
): Promise<CallResult<Execution<Given>>> {
  const body = `${opening(flow, input)}}`;
  const response = await connection.send(path, body, options, facts);
  const value = connection.read(response, () => {
    checkIdempotency(response);
    const id = executionIdOf(objectOf(response), response);
    return new Execution(connection, flow.output, id);
  });
  return { value, response };
}
