/** The field `text` of the bench message, encoded by hand so that the container does minimal work. */
const textField = 0x0a;

/** Returns a serialized message whose `text` is a number of milliseconds. */
export function timeText(ms: number): Uint8Array {
  const text = Buffer.from(ms.toFixed(3));
  return Buffer.concat([Buffer.from([textField, text.length]), text]);
}

/** Returns the milliseconds of a message of `timeText`, or `undefined` for another message. */
export function readTime(message: Uint8Array): number | undefined {
  const [field, length] = message;
  if (field !== textField || length === undefined) return undefined;
  const ms = Number(Buffer.from(message.subarray(2, 2 + length)).toString());
  return Number.isNaN(ms) ? undefined : ms;
}
