/**
 * Characters that are not what they look like: controls (line feed and tab aside), separators that some languages take for
 * line ends, marks that turn the direction of text, zero-width marks, tags, halves of surrogate pairs and noncharacters. The
 * joiners U+200C and U+200D stay, for scripts and emoji are made with them.
 */
const invisible =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff\u{e0000}-\u{e0fff}\p{Cs}\p{Noncharacter_Code_Point}]/gu;

/** Nearly every text: printable ASCII and line feeds. */
const plain = /^[\n -~]*$/;

/**
 * Untrusted text with every line end as `\n` and every invisible character spelled out: U+202E becomes `[U+202E]`. What comes
 * out shows all it holds, survives UTF-8, and has no line ends but `\n` in any language.
 */
export function showInvisible(text: string): string {
  if (plain.test(text)) return text;
  return text.replace(/\r\n?/g, '\n').replace(invisible, (character) => `[${codePointName(character)}]`);
}

/** `U+202E` */
export function codePointName(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
}
