import type { RootType } from "./codec/codec.ts";
import { byCodec } from "./codec/from-json.ts";
import type { ParsedJson } from "./codec/json.ts";
import { ValueError } from "./errors.ts";
import { invalidResponse } from "./invalid-response.ts";
import type { RawResponse } from "./response.ts";

/** Binds `readOutput` to a type. */
export function readerOf<Output>(
  type: RootType<Output>,
): (json: unknown, response: RawResponse) => Output {
  return (json, response) => readOutput(type, json, response);
}

/** Decodes the output of a flow. Throws an `InvalidResponseError`. */
export function readOutput<Output>(
  type: RootType<Output>,
  json: unknown,
  response: RawResponse,
): Output {
  if (json === undefined) throw invalidResponse(response, "output is missing");
  try {
    return byCodec(type, (codec) => codec.read(json as ParsedJson)) as Output;
  } catch (error) {
    if (!(error instanceof ValueError)) throw error;
    throw invalidResponse(response, error.message, error);
  }
}
