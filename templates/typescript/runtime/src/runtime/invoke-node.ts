import { Call } from "./call.ts";
import type { RootType } from "./codec/codec.ts";
import { fromJson } from "./codec/from-json.ts";
import { toJson } from "./codec/to-json.ts";
import type { Input } from "./codec/values.ts";
import type { Connection } from "./connection.ts";
import { ValueError } from "./errors.ts";
import { invalidResponse } from "./invalid-response.ts";
import type { CallOptions } from "./options.ts";
import type { CallResult } from "./response.ts";

/** Descriptor of a node. */
export interface NodeOperation<Taken, Given> {
  /** Path relative to the base URL. */
  readonly path: string;
  readonly input: RootType<Taken>;
  readonly output: RootType<Given>;
}

/** Calls a node. */
export function invokeNode<Taken, Given>(
  connection: Connection,
  node: NodeOperation<Taken, Given>,
  input: Input<Taken>,
  options: CallOptions | undefined,
): Call<Given> {
  return new Call(exchange(connection, node, input, options));
}

async function exchange<Taken, Given>(
  connection: Connection,
  node: NodeOperation<Taken, Given>,
  input: Input<Taken>,
  options: CallOptions | undefined,
): Promise<CallResult<Given>> {
  const body = toJson(node.input, input);
  const response = await connection.send(node.path, body, options);
  const value = connection.read(response, () => {
    try {
      return fromJson(node.output, response.body);
    } catch (error) {
      if (!(error instanceof ValueError)) throw error;
      throw invalidResponse(response, error.message, error);
    }
  });
  return { value, response };
}
