import { shorten } from '../../errors/shorten.ts';

const maxCharacters = 100;

/** Prepares a container's text for an error: on one line, and short. */
export function shortened(text: string): string {
  return shorten(text.replace(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, ' '), maxCharacters);
}
