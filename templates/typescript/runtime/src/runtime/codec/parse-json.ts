import { type ParsedJson, type ParsedObject, setOwn } from "./json.ts";

/** A number with at least sixteen digits. Shorter integers are below 2^53. */
const longInteger = /(?:^|[[,:])\s*-?\d{16}/;

/** The next token of valid JSON. */
const token =
  /\s*(?:"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|true|false|null|[[\]{},:])/y;

/**
 * Parses JSON without rounding integers. Integers that a `number` cannot
 * represent exactly become `bigint`. Throws a `SyntaxError`.
 */
export function parseJson(text: string): ParsedJson {
  const parsed = JSON.parse(text) as ParsedJson;
  // The text is known to be valid, so the second parser does not validate.
  return longInteger.test(text) ? new ExactReader(text).value() : parsed;
}

/** Parses JSON that is known to be valid. */
class ExactReader {
  readonly #text: string;
  #position = 0;

  constructor(text: string) {
    this.#text = text;
  }

  value(): ParsedJson {
    const next = this.#next();
    if (next === "{") return this.#object();
    if (next === "[") return this.#list();
    if (/^-?\d+$/.test(next)) return exactInteger(next);
    return JSON.parse(next) as ParsedJson;
  }

  #object(): ParsedObject {
    const object: ParsedObject = {};
    if (this.#peek() === "}") this.#next();
    else {
      do {
        const key = JSON.parse(this.#next()) as string;
        this.#next();
        setOwn(object, key, this.value());
      } while (this.#next() === ",");
    }
    return object;
  }

  #list(): ParsedJson[] {
    const list: ParsedJson[] = [];
    if (this.#peek() === "]") this.#next();
    else {
      do list.push(this.value());
      while (this.#next() === ",");
    }
    return list;
  }

  #peek(): string {
    const start = this.#position;
    const next = this.#next();
    this.#position = start;
    return next;
  }

  #next(): string {
    token.lastIndex = this.#position;
    const match = token.exec(this.#text);
    if (match === null) throw new SyntaxError("unexpected end of JSON");
    this.#position = token.lastIndex;
    return match[0].trim();
  }
}

function exactInteger(digits: string): number | bigint {
  const number = Number(digits);
  return Number.isSafeInteger(number) ? number : BigInt(digits);
}
