import type { Codec, MapKey } from "./codec.ts";
import * as scalar from "./scalars.ts";
import { ValueProblem } from "./value-problem.ts";

/** Codecs of map keys by scalar type. */
export const string: MapKey = (key) => key;

export const bool: MapKey = (key) => {
  if (key === "true" || key === "false") return key;
  throw new ValueProblem("expected true or false as key");
};

export const int32: MapKey = (key) => integer(scalar.int32, key);

export const int64: MapKey = (key) => integer(scalar.int64, key);

export const uint32: MapKey = (key) => integer(scalar.uint32, key);

export const uint64: MapKey = (key) => integer(scalar.uint64, key);

function integer(codec: Codec, key: string): string {
  const written = codec.write(key);
  return typeof written === "string" ? written : JSON.stringify(written);
}
