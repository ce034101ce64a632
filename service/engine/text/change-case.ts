import type { WorkMeter } from '../work/work-meter.ts';

/** Characters per unit of work. Beyond ASCII, a character can become three. */
const asciiPerUnit = 96;
const otherPerUnit = 10;

/**
 * Converts a text to upper case.
 *
 * @throws WorkExceeded if it costs more than the remaining budget
 */
export function upperCase(text: string, meter: WorkMeter): string {
  charge(text, meter);
  return text.toUpperCase();
}

/**
 * Converts a text to lower case.
 *
 * @throws WorkExceeded if it costs more than the remaining budget
 */
export function lowerCase(text: string, meter: WorkMeter): string {
  charge(text, meter);
  return text.toLowerCase();
}

function charge(text: string, meter: WorkMeter): void {
  meter.spend(text.length / asciiPerUnit);
  if (/[^\x00-\x7f]/.test(text)) meter.spend(text.length / otherPerUnit);
}
