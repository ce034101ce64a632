import { InterruptedResponseError } from "./errors.ts";

/**
 * A stream ended before its last frame, or the service did not receive the
 * whole input. The frames received before are valid.
 */
export class StreamInterruptedError extends InterruptedResponseError {
  override readonly name: string = "StreamInterruptedError";
}
