import { RawJson } from './raw-json.ts';

/** The fields of a body, some of which are already text. */
type PartlyRawFields<Body> = {
  [Name in keyof Body]:
    | Body[Name]
    | RawJson
    | (Body[Name] extends object | undefined ? PartlyRaw<Body[Name]> : never)
    | (Body[Name] extends readonly (infer Item)[] ? readonly PartlyRaw<Item>[] : never);
};

/**
 * A body with values that are already text, such as a message of a node. The compiler and `checkAnswer` compare it with its shape
 * without parsing the text, so the shape has to accept any JSON in these places.
 */
export class PartlyRaw<Body> {
  readonly #fields: PartlyRawFields<Body>;

  constructor(fields: PartlyRawFields<Body>) {
    this.#fields = fields;
  }

  static is(value: unknown): value is PartlyRaw<unknown> {
    return typeof value === 'object' && value !== null && #fields in value;
  }

  /** The JSON, with raw values as they were written. */
  get text(): string {
    let text = '';
    for (const name of Object.keys(this.#fields)) {
      const value = this.#fields[name as keyof Body];
      if (value !== undefined) text += `${text === '' ? '' : ','}"${name}":${textOf(value)}`;
    }
    return `{${text}}`;
  }

  /** The body as an object, in which each raw value is a `RawJson`. */
  get shown(): Record<string, unknown> {
    const shown: Record<string, unknown> = {};
    for (const name of Object.keys(this.#fields)) shown[name] = shownOf(this.#fields[name as keyof Body]);
    return shown;
  }
}

function shownOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shownOf);
  return PartlyRaw.is(value) ? value.shown : value;
}

function textOf(value: unknown): string {
  if (PartlyRaw.is(value)) return value.text;
  if (Array.isArray(value) && value.some((item) => PartlyRaw.is(item)))
    return `[${value.map(textOf).join(',')}]`;
  return RawJson.is(value) ? value.text : JSON.stringify(value);
}
