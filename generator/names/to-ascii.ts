/** Letters that Unicode does not decompose, in the usual romanization. */
const romanized: Readonly<Record<string, string>> = {
  // Latin
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', đ: 'd', ð: 'd', þ: 'th', ł: 'l', ħ: 'h', ı: 'i', ĸ: 'k', ŋ: 'n' },
  // Greek
  ...{ α: 'a', β: 'b', γ: 'g', δ: 'd', ε: 'e', ζ: 'z', η: 'i', θ: 'th', ι: 'i', κ: 'k', λ: 'l', μ: 'm' },
  ...{ ν: 'n', ξ: 'x', ο: 'o', π: 'p', ρ: 'r', σ: 's', ς: 's', τ: 't', υ: 'y', φ: 'f', χ: 'ch', ψ: 'ps' },
  ...{ ω: 'o' },
  // Cyrillic
  ...{ а: 'a', б: 'b', в: 'v', г: 'g', д: 'd', е: 'e', ж: 'zh', з: 'z', и: 'i', к: 'k', л: 'l', м: 'm' },
  ...{ н: 'n', о: 'o', п: 'p', р: 'r', с: 's', т: 't', у: 'u', ф: 'f', х: 'kh', ц: 'ts', ч: 'ch' },
  ...{ ш: 'sh', щ: 'shch', ъ: '', ы: 'y', ь: '', э: 'e', ю: 'yu', я: 'ya', є: 'ie', і: 'i', ґ: 'g' },
};

/**
 * Returns text with its letters and digits in ASCII: `Größe` is `Grosse`, `Цена` is `Tsena`. A letter of a script that is not in
 * the table becomes its code point, as a separate word: `ua4e2d`. Combining marks are dropped. Characters other than letters and
 * digits stay unchanged.
 */
export function toAscii(text: string): string {
  // Most text is ASCII already.
  if (/^[\x00-\x7f]*$/.test(text)) return text;
  return text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/[^\x00-\x7f](?=(\p{Lu})?)/gu, romanize);
}

function romanize(character: string, capitalAfter?: string): string {
  const lower = character.toLowerCase();
  const latin = Object.hasOwn(romanized, lower) ? romanized[lower] : undefined;
  if (latin !== undefined) {
    if (lower === character) return latin;
    return capitalAfter === undefined ? latin.charAt(0).toUpperCase() + latin.slice(1) : latin.toUpperCase();
  }
  if (!/[\p{L}\p{N}]/u.test(character)) return character;
  return ` u${(character.codePointAt(0) ?? 0).toString(16)} `;
}
