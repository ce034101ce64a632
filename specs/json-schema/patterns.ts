/** Patterns of ProtoJSON strings for JSON Schema and OpenAPI, in ECMA-262 syntax without flags. */

/** A decimal integer of any size: JSON Schema has no ranges for strings. */
export const integer = '^-?[0-9]+$';
export const unsigned = '^[0-9]+$';

/** An integer as a map key, with one spelling for each value, so that no key occurs twice. */
export const integerKey = '^(0|-?[1-9][0-9]*)$';
export const unsignedKey = '^(0|[1-9][0-9]*)$';

/** Strings for the values that JSON numbers cannot express. */
export const notNumbers: readonly string[] = ['NaN', 'Infinity', '-Infinity'];
export const notNumber = '^(NaN|-?Infinity)$';
export const decimal = '^(NaN|-?Infinity|-?[0-9]+(\\.[0-9]+)?([eE][+-]?[0-9]{1,3})?)$';

/** The largest `float`, in the shortest text that parses to it. */
export const floatMax = 3.4028235e38;

/** Base64 or base64url, with or without padding. */
export const base64 =
  '^([A-Za-z0-9+/_-]{4})*([A-Za-z0-9+/_-]{2}(==)?|[A-Za-z0-9+/_-]{3}=?|[A-Za-z0-9+/_-]{4})?$';

/** An RFC 3339 time in upper case, from the year 1 on. The pattern does not check the length of months. */
export const timestamp =
  '^(?!0000)[0-9]{4}-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])T([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9]' +
  '(\\.[0-9]{1,9})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$';

/** Seconds. */
export const duration = '^-?[0-9]+(\\.[0-9]{1,9})?s$';

/** Paths in lowerCamelCase, separated by commas. */
export const fieldMask = '^[^_]*$';
