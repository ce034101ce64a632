import type { FileContent, PrintedText } from '../language.ts';
import { createMemory } from '../remember.ts';
import { createKnownBytes } from './known-bytes.ts';
import { splitAtNames } from './split-at-names.ts';

/** Makes content of files out of texts. */
export interface TextBytes {
  /**
   * A file that reads so, in bytes that are the same array for an equal file, or an equal part of one, that is remembered.
   * @param names of the client, behind which the file is split.
   */
  of(printed: PrintedText, names: readonly string[]): FileContent;
}

/** Characters: longer texts tell of all members of a client, so that hardly any comes again, nor its end in another client. */
const longest = 16_383;

/** Bytes; with those deflated, and as much again of files before them. */
const defaultMost = 8 * 2 ** 20;

/**
 * Remembers the files that came last, at least `most` bytes of them and at most twice as many. Most files of a client's next version
 * read as they did, and the ends of many as those of another client: the archive's hashes and deflated bytes of those are there already
 * (`zip-entry.ts`, `manifest.ts`).
 */
export function createTextBytes(most = defaultMost): TextBytes {
  const known = createKnownBytes(most);
  // One text is split otherwise where the client has another name.
  const contents = createMemory<PrintedText, FileContent>(1);
  return {
    of: (printed, names) =>
      printed.text.length > longest
        ? { content: Buffer.from(printed.text) }
        : contents.recall(printed, names.join(' '), () => contentOf(printed.text, names, known)),
  };
}

/** Remembers nothing. */
export const forgetfulTexts: TextBytes = { of: ({ text }, names) => contentOf(text, names) };

function contentOf(
  text: string,
  names: readonly string[],
  known?: (bytes: Uint8Array) => Uint8Array,
): FileContent {
  if (text.length > longest) return { content: text };
  const bytes = Buffer.from(text);
  const parts: Uint8Array[] | undefined = splitAtNames(bytes, names);
  if (parts !== undefined) return { content: text, parts: known ? parts.map(known) : parts };
  return { content: known ? known(bytes) : text };
}
