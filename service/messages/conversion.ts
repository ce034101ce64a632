import type { MessageError } from '../errors/message-errors.ts';

/** What a conversion came to: payloads that do not fit are values, not exceptions, because runs and frames count them. */
export type Conversion<T> = { ok: true; value: T } | { ok: false; error: MessageError };

export function converted<T>(value: T): Conversion<T> {
  return { ok: true, value };
}

export function refused(error: MessageError): { ok: false; error: MessageError } {
  return { ok: false, error };
}
