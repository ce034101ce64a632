/** Text of a refused key. It does not say which case applies, so it reveals nothing about keys. */
export const unauthorizedText =
  'unauthorized: the key is missing, malformed, unknown, expired or revoked; send it as Authorization: Bearer <key>';

/** Text for a suspended tenant. */
export const suspendedText = 'the operator suspended the tenant and refuses its invocations';

/** A rate that can be exceeded. */
interface ExceededRate {
  /** What it limits, in the plural: `requests of the tenant`. */
  counts: string;
  /** Requests per second; may be a fraction. */
  rps: number;
  burst: number;
}

/** Returns the text for an exceeded rate. Rates below one per second are given per minute. */
export function rateLimitText({ counts, rps, burst }: ExceededRate): string {
  const rate = rps === 0 || rps >= 1 ? `${rps} a second` : `${Number((rps * 60).toPrecision(3))} a minute`;
  return `rate limit exceeded: ${counts} are limited to ${rate}, in bursts of at most ${burst}`;
}
