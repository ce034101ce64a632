/** In UTF-16 units. */
const maxDetailLength = 1000;

/** Truncates the detail of an error text: details may quote requests and messages, which may be long. */
export function shortenDetail(detail: string): string {
  return shorten(detail, maxDetailLength);
}

/**
 * Truncates a text, and marks the cut. Replaces unpaired surrogates in a text that is truncated.
 *
 * @param maxLength in UTF-16 units, without the mark
 */
export function shorten(text: string, maxLength: number): string {
  return text.length > maxLength ? `${text.slice(0, maxLength)}...`.toWellFormed() : text;
}
