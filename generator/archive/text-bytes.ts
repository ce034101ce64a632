/** Makes content of files out of texts. */
export interface TextBytes {
  /** UTF-8, the same array for an equal text that is remembered: what is made of an array once is made of the text once then. */
  of(text: string): string | Uint8Array;
}

/**
 * Longer texts tell of all members of a client, so that hardly any comes again; and V8 looks no longer text up by what it
 * says.
 */
const longest = 16_383;

/** Characters; with their bytes, and those deflated, a bit more than twice as much memory, and twice that at most. */
const defaultMost = 8 * 2 ** 20;

/**
 * Remembers the texts that came last, at least `most` characters of them and at most twice as many. Most files of a client's next version
 * read as they did: the archive's hashes and deflated bytes of those are there already (`zip-entry.ts`, `manifest.ts`).
 */
export function createTextBytes(most = defaultMost): TextBytes {
  let recent = new Map<string, Uint8Array>();
  let older = new Map<string, Uint8Array>();
  let characters = 0;
  return {
    of: (text) => {
      if (text.length > longest) return utf8(text);
      const known = recent.get(text);
      if (known) return known;
      const bytes = older.get(text) ?? utf8(text);
      if (characters + text.length > most) {
        older = recent;
        recent = new Map();
        characters = 0;
      }
      recent.set(text, bytes);
      characters += text.length;
      return bytes;
    },
  };
}

/** Remembers nothing. */
export const forgetfulTexts: TextBytes = { of: (text) => text };

const encoder = new TextEncoder();

function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}
