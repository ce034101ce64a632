import { foldLines } from './fold-lines.ts';
import { showInvisible } from './show-invisible.ts';

/** Returns untrusted text in quotes, for use in a sentence. */
export function quotedText(text: string): string {
  return `"${foldLines(showInvisible(text))}"`;
}
