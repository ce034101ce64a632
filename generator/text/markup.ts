/** Returns untrusted text as text in HTML, SVG or XML: between tags, and between quotes of either kind. */
export function escapeMarkup(text: string): string {
  // Faster than one expression with a function, which is called for each quote of a long JSON text. Ampersands come first.
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;')
    .replaceAll("'", '&#39;');
}
