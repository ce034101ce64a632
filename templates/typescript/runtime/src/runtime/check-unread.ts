import { ConfigurationError } from "./errors.ts";

/** Rejects a loop over a finished stream, which would end immediately. */
export function checkUnread(isOver: boolean): void {
  if (isOver)
    throw new ConfigurationError(
      "a stream can be read once: call the method again for another one",
    );
}
