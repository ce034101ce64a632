import { conversionCosts } from './conversion-costs.ts';

interface JsonFacts {
  /** Cost of the most expensive message, in microseconds. */
  perMessage: number;
  values: number | undefined;
}

const comma = 0x2c;
const openBracket = 0x5b;
const openBrace = 0x7b;

/**
 * Estimates the processor time to convert a JSON text, in microseconds. Counts delimiters without parsing, so those inside strings
 * count too. Returns early above `maxMicros`.
 */
export function estimateJson(
  text: string | Uint8Array,
  { perMessage, values }: JsonFacts,
  maxMicros: number,
): number {
  let micros = text.length * conversionCosts.byte;
  if (micros > maxMicros) return micros;
  if (values !== undefined) {
    const most = micros + values * (conversionCosts.value + perMessage);
    if (most <= maxMicros) return most;
  }
  const isString = typeof text === 'string';
  for (let at = 0; at < text.length && micros <= maxMicros; at += 1) {
    const code = isString ? text.charCodeAt(at) : text[at];
    if (code === openBrace) micros += perMessage;
    else if (code === comma || code === openBracket) micros += conversionCosts.value;
  }
  return micros;
}
