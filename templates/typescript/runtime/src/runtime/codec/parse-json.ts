import { type ParsedJson, type ParsedObject, setOwn } from "./json.ts";
import { ValueProblem } from "./value-problem.ts";

/** The next token of valid JSON. */
const token =
  /\s*(?:"[^"\\]*(?:\\.[^"\\]*)*"|-?\d[\d.eE+-]*|true|false|null|[[\]{},:])/y;

/**
 * Parses JSON without rounding integers. Integers that a `number` cannot
 * represent exactly become `bigint`. Throws a `SyntaxError`, or a
 * `ValueProblem` if an object has the same name twice.
 */
export function parseJson(text: string): ParsedJson {
  // Afterwards, the text is known to be valid: the reader does not validate.
  JSON.parse(text);
  return new ExactReader(text).value();
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
        if (Object.hasOwn(object, key))
          throw new ValueProblem(`${JSON.stringify(key)} is set twice`);
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
