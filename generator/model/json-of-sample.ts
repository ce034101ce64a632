import { remembering } from '../../specs/remembering.ts';
import type { JsonValue } from './sdk-model.ts';

/** A sample as JSON on one line; that of a published package is written once for all languages and versions. */
export function jsonOfSample(sample: JsonValue): string {
  return typeof sample === 'object' && sample !== null ? textOfObject(sample) : JSON.stringify(sample);
}

const textOfObject = remembering((sample: object): string => JSON.stringify(sample));
