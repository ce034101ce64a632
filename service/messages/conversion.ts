import type { MessageError } from '../errors/message-errors.ts';

/** The result of a conversion. A payload that does not match its message type is a value, not an exception. */
export type Conversion<T> = { ok: true; value: T } | { ok: false; error: MessageError };

/** Makes a conversion that succeeded. */
export function converted<T>(value: T): Conversion<T> {
  return { ok: true, value };
}

/** Makes a conversion that failed: the payload does not match its type. */
export function rejected(error: MessageError): { ok: false; error: MessageError } {
  return { ok: false, error };
}
