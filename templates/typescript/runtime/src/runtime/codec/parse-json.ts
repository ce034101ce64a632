import { type ParsedJson, type ParsedObject, setOwn } from "./json.ts";

/** A number that begins with sixteen digits: only then can an integer be beyond 2^53. */
const longInteger = /(?:^|[[,:])\s*-?\d{16}/;

/** The next string, number, word or mark of a valid JSON text. */
const token =
  /\s*(?:"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|true|false|null|[[\]{},:])/y;

/**
 * Parses a JSON text without rounding integers: those that a `number` cannot
 * hold exactly come back as `bigint`. Throws a `SyntaxError`.
 */
export function parseJson(text: string): ParsedJson {
  const parsed = JSON.parse(text) as ParsedJson;
  // The text is valid from here on, so the second reader need not check it.
  return longInteger.test(text) ? new ExactReader(text).value() : parsed;
}

/** Reads a JSON text that is known to be valid. */
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
