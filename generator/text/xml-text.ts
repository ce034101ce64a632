import { showInvisible } from './show-invisible.ts';

/** Returns untrusted text as the text of an XML element. */
export function xmlText(text: string): string {
  return showInvisible(text).replace(/[&<>]/g, (character) => escapes[character] ?? '');
}

const escapes: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' };
