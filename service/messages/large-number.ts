/** A JSON number beyond 2^53 as it was written: whether it may be rounded, its field says. */
export class LargeNumber {
  /** `9223372036854775807`, `1.5e300` */
  readonly source: string;

  constructor(source: string) {
    this.source = source;
  }

  /** As `JSON.parse` reads it. */
  rounded(): number {
    return Number(this.source);
  }

  /** The integer that it says; the source where it says a fraction or a giant, which no integer field takes. */
  exact(): bigint | string {
    return exactInteger(this.source) ?? this.source;
  }
}

/** 2^64 has 20 digits. */
const maxDigits = 32;

/** The integer that a number other than zero says, whatever its form (`9.3e18`); undefined for fractions and giants. */
function exactInteger(literal: string): bigint | undefined {
  const parts = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d+))?$/.exec(literal);
  if (parts === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent = '0'] = parts;
  const digits = (whole + fraction).replace(/^0+/, '');
  const length = digits.length + Number(exponent) - fraction.length;
  if (length < 1 || length > maxDigits || !/^0*$/.test(digits.slice(length))) return undefined;
  return BigInt(sign + digits.slice(0, length).padEnd(length, '0'));
}
