/** A JSON number beyond 2^53 as it was written. The type of its field decides whether it may be rounded. */
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

  /** The exact integer. A fraction or a number beyond 32 digits fits no integer field and is returned as its source. */
  exact(): bigint | string {
    return exactInteger(this.source) ?? this.source;
  }
}

/** 2^64 has 20 digits. */
const maxDigits = 32;

/** The integer value of a non-zero number in any notation (`9.3e18`). Undefined for fractions and numbers beyond 32 digits. */
function exactInteger(literal: string): bigint | undefined {
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal);
  if (parts === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  const digits = (whole + fraction).replace(/^0+/, '');
  const length = digits.length + Number(exponent) - fraction.length;
  if (length < 1 || length > maxDigits || !/^0*$/.test(digits.slice(length))) return undefined;
  return BigInt(sign + digits.slice(0, length).padEnd(length, '0'));
}
