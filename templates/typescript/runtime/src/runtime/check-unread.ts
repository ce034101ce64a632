import { ConfigurationError } from "./errors.ts";

/** Refuses a loop over a stream that is over, which would end at once. */
export function checkUnread(isOver: boolean): void {
  if (isOver)
    throw new ConfigurationError(
      "a stream can be read once: call the method again for another one",
    );
}
