/** In UTF-16 units. */
const maxDetailLength = 1000;

/** Truncates the detail of an error text, and marks the cut: details may quote requests and messages, which may be long. */
export function shortenDetail(detail: string): string {
  return detail.length > maxDetailLength ? `${detail.slice(0, maxDetailLength)}...`.toWellFormed() : detail;
}
