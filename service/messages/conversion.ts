import type { MessageError } from '../errors/message-errors.ts';

/** The result of a conversion. A payload that does not match its message type is a value, not an exception. */
export type Conversion<T> = { ok: true; value: T } | { ok: false; error: MessageError };

export function converted<T>(value: T): Conversion<T> {
  return { ok: true, value };
}

export function rejected(error: MessageError): { ok: false; error: MessageError } {
  return { ok: false, error };
}
