import { shorten } from '../../errors/shorten.ts';

const maxCharacters = 60;

/** Describes a JSON value briefly, for error messages: `"abc"`, `12`, `an array`. */
export function describeJson(json: unknown): string {
  switch (typeof json) {
    case 'string':
      return JSON.stringify(shorten(json, maxCharacters));
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(json);
    default:
      if (json === null) return 'null';
      return Array.isArray(json) ? 'an array' : 'an object';
  }
}
