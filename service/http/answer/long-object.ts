/**
 * A JSON object with one array of any length, which is written part by part. `parts` yields short arrays, one after the other; other
 * requests are served between them.
 */
export class LongObject<Body extends object> {
  readonly #fields: Body;
  readonly #name: keyof Body & string;
  readonly parts: AsyncIterable<readonly unknown[]>;

  /**
   * @param fields all fields, with an empty array in the place of the long one
   * @param name the field of the long array
   */
  constructor(
    fields: Body,
    name: ArrayName<Body>,
    parts: AsyncIterable<readonly unknown[] & Body[ArrayName<Body>]>,
  ) {
    this.#fields = fields;
    this.#name = name;
    this.parts = parts;
  }

  static is(value: unknown): value is LongObject<object> {
    return typeof value === 'object' && value !== null && #fields in value;
  }

  /** Returns the object with a part of its array, which has the shape of the whole. */
  with(part: readonly unknown[]): object {
    return { ...this.#fields, [this.#name]: part };
  }

  /** The JSON before and after the elements of the array. */
  get around(): [before: string, after: string] {
    const entries = Object.entries(this.#fields);
    const place = entries.findIndex(([name]) => name === this.#name);
    const [before, after] = [membersOf(entries.slice(0, place)), membersOf(entries.slice(place + 1))];
    return [`{${before === '' ? '' : `${before},`}"${this.#name}":[`, `]${after === '' ? '' : `,${after}`}}`];
  }
}

/** The names of the fields that are arrays. */
type ArrayName<Body> = {
  [Name in keyof Body & string]-?: Body[Name] extends readonly unknown[] ? Name : never;
}[keyof Body & string];

function membersOf(entries: readonly [string, unknown][]): string {
  return JSON.stringify(Object.fromEntries(entries)).slice(1, -1);
}
