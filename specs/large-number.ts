/** TypeScript's types do not declare `rawJSON` yet. */
export const jsonWithRaw = JSON as typeof JSON & { rawJSON(text: string): unknown };

/**
 * A JSON number that a double would round, as it was written. The type of its field decides whether it may be rounded.
 * Shapes of operations accept it only where they accept any JSON.
 */
export class LargeNumber {
  /** `9223372036854775807`, `1.5e300` */
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  /** Returns the double that `JSON.parse` returns. */
  rounded(): number {
    return Number(this.source);
  }

  /** Makes `JSON.stringify` write the number as it was written. */
  toJSON(): unknown {
    return jsonWithRaw.rawJSON(this.source);
  }

  /** Returns the number that `JSON.parse` returns if it has the same value, and this object otherwise. */
  canonical(): number | LargeNumber {
    const rounded = this.rounded();
    return Number.isFinite(rounded) && decimalOf(String(rounded)) === decimalOf(this.source) ? rounded : this;
  }

  /**
   * Returns the exact integer. A fraction or a number beyond 32 digits fits no integer field and is returned as its
   * source.
   */
  exact(): bigint | string {
    return exactInteger(this.source) ?? this.source;
  }
}

/** Returns a number in a canonical notation, `<sign><digits>e<exponent>`, without zeros at either end of its digits. */
function decimalOf(literal: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = numberParts.exec(literal) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  const zeros = digits.length - significant.length;
  return `${sign}${significant}e${Number(exponent) - fraction.length + zeros}`;
}

const numberParts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** Longest integer that is converted. 2^64 has 20 digits. */
const maxDigits = 32;

/**
 * Returns the integer value of a non-zero number in any notation (`9.3e18`). Undefined for fractions and numbers beyond
 * 32 digits.
 */
function exactInteger(literal: string): bigint | undefined {
  const parts = numberParts.exec(literal);
  if (parts === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  const digits = (whole + fraction).replace(/^0+/, '');
  const length = digits.length + Number(exponent) - fraction.length;
  if (length < 1 || length > maxDigits || !/^0*$/.test(digits.slice(length))) return undefined;
  return BigInt(sign + digits.slice(0, length).padEnd(length, '0'));
}
