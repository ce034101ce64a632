/** TypeScript's types do not declare `rawJSON` yet. */
export const jsonWithRaw = JSON as typeof JSON & { rawJSON(text: string): unknown };

/**
 * A JSON number beyond 2^53 as it was written. The type of its field decides whether it may be rounded. Shapes of operations accept it
 * where they accept any JSON, and nowhere else.
 */
export class LargeNumber {
  /** `9223372036854775807`, `1.5e300` */
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  /** The double that `JSON.parse` returns. */
  rounded(): number {
    return Number(this.source);
  }

  /** `JSON.stringify` writes the number as it was written. */
  toJSON(): unknown {
    return jsonWithRaw.rawJSON(this.source);
  }

  /** The number that `JSON.parse` returns, if it has the same value; otherwise the number itself. */
  canonical(): number | LargeNumber {
    const rounded = this.rounded();
    return Number.isFinite(rounded) && decimalOf(String(rounded)) === decimalOf(this.source) ? rounded : this;
  }

  /** The exact integer. A fraction or a number beyond 32 digits fits no integer field and is returned as its source. */
  exact(): bigint | string {
    return exactInteger(this.source) ?? this.source;
  }
}

/** Returns a number in the one notation `<sign><digits>e<exponent>`, without zeros at the ends of its digits. */
function decimalOf(literal: string): string {
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = numberParts.exec(literal) ?? [];
  const digits = (whole + fraction).replace(/^0+/, '');
  const significant = digits.replace(/0+$/, '');
  const zeros = digits.length - significant.length;
  return `${sign}${significant}e${Number(exponent) - fraction.length + zeros}`;
}

const numberParts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/;

/** 2^64 has 20 digits. */
const maxDigits = 32;

/** The integer value of a non-zero number in any notation (`9.3e18`). Undefined for fractions and numbers beyond 32 digits. */
function exactInteger(literal: string): bigint | undefined {
  const parts = numberParts.exec(literal);
  if (parts === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  const digits = (whole + fraction).replace(/^0+/, '');
  const length = digits.length + Number(exponent) - fraction.length;
  if (length < 1 || length > maxDigits || !/^0*$/.test(digits.slice(length))) return undefined;
  return BigInt(sign + digits.slice(0, length).padEnd(length, '0'));
}
