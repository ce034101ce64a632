import { limits } from '../../../specs/limits.ts';

/** The limit on inputs, plus room for the context: secrets, config, descriptors of a binding. */
export const maxCallBytes = limits.inputBytes + 4_194_304;

/** Error text of a call that is too large to be sent. */
export function callTooLarge(bytes: number): string {
  return `sending to node: the call has ${bytes} bytes, at most ${maxCallBytes} can be sent`;
}
