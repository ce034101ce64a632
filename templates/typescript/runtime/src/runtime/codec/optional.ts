import type { Codec } from "./codec.ts";

/** Codec of a field with presence: it has no default value. */
export function optional({ read, write, readsNull }: Codec): Codec {
  return { read, write, ...(readsNull && { readsNull }) };
}
