import type { Scalar } from '../../specs/messages/message-model.ts';
import type { JsonValue } from './sdk-model.ts';

/** Patterns of field names with a sample text; the first match counts. */
const texts: readonly [word: RegExp, text: string][] = [
  [/e?mail/, 'ada@example.com'],
  [/ur[il]|link|website|homepage/, 'https://example.com'],
  [/currency/, 'EUR'],
  [/country/, 'PT'],
  [/language|locale/, 'en'],
  [/time_?zone/, 'Europe/Lisbon'],
  [/phone/, '+351210000000'],
  [/date|day/, '2026-01-31'],
  [/colou?r/, '#336699'],
  [/path|file/, 'reports/january.txt'],
  [/(^|_)(id|key|sku|ref|reference|code)$/, 'a-1'],
  [/title|subject|headline/, 'Two ships'],
  [/name|author|user|customer/, 'Ada'],
  [/city/, 'Lisbon'],
  [/address|street/, '1 Harbour Street'],
  [/word|token|term|keyword|tag|label/, 'ship'],
  [/separator|delimiter/, ','],
  [
    /text|body|content|message|sentence|paragraph|document|summary|comment|note/,
    'Two ships left the harbour.',
  ],
];

/** Returns a text that suits the name of its field. */
export function sampleText(fieldName: string): string {
  const name = fieldName.toLowerCase();
  return texts.find(([word]) => word.test(name))?.[1] ?? 'example';
}

/**
 * Returns a canonical ProtoJSON value that suits the name of its field: never a default, so that it is seen on the
 * wire.
 */
export function sampleScalar(scalar: Scalar, fieldName: string): JsonValue {
  switch (scalar) {
    case 'bool':
      return true;
    case 'string':
      return sampleText(fieldName);
    case 'bytes':
      return 'c2hpcA==';
    case 'int64':
    case 'uint64':
      return String(sampleInteger(fieldName));
    case 'int32':
    case 'uint32':
      return sampleInteger(fieldName);
    case 'double':
    case 'float':
      return 1.5;
  }
}

function sampleInteger(fieldName: string): number {
  const name = fieldName.toLowerCase();
  if (/cents|price|amount|total|cost|minor/.test(name)) return 1250;
  if (name.includes('percent')) return 20;
  if (name.includes('year')) return 2026;
  if (/limit|max|size|top/.test(name)) return 10;
  return 3;
}
