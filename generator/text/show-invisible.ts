/**
 * Invisible or misleading characters: controls (except line feed and tab), separators that some languages treat as
 * line ends, marks that change the direction of text, zero-width marks, tags, lone surrogates and noncharacters. The
 * joiners U+200C and U+200D stay: scripts and emoji need them.
 */
const invisible =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff\u{e0000}-\u{e0fff}\p{Cs}\p{Noncharacter_Code_Point}]/gu;

/** Most texts: printable ASCII and line feeds. */
const plain = /^[\n -~]*$/;

/**
 * Returns untrusted text with every line end as `\n` and every invisible character spelled out: U+202E becomes
 * `[U+202E]`. The result is entirely visible, survives UTF-8, and has only `\n` as line end in any language.
 */
export function showInvisible(text: string): string {
  if (plain.test(text)) return text;
  return text.replace(/\r\n?/g, '\n').replace(invisible, (character) => `[${codePointName(character)}]`);
}

/** Returns the name of a code point: `U+202E`. */
function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
