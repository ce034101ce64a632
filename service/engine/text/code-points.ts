/** Returns the length of a text in Unicode code points. */
export function codePointLength(text: string): number {
  let pairs = 0;
  for (let at = 0; at < text.length - 1; at++) {
    if (isPairAt(text, at)) {
      pairs++;
      at++;
    }
  }
  return text.length - pairs;
}

/** Returns the UTF-16 index of the code point `index`, at most the length of the text. */
export function unitIndex(text: string, index: number): number {
  let at = 0;
  for (let left = index; left > 0 && at < text.length; left--) at += isPairAt(text, at) ? 2 : 1;
  return at;
}

function isPairAt(text: string, at: number): boolean {
  return isHigh(text.charCodeAt(at)) && isLow(text.charCodeAt(at + 1));
}

function isHigh(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLow(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
