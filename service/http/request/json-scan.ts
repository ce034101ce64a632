/** What a JSON body may contain. Sizes are in bytes of the UTF-8 text. */
export interface JsonBounds {
  /** Levels of objects and arrays; the outermost is level 1. */
  nesting: number;
  /** Objects, arrays, strings, numbers and literals. Keys do not count. */
  values: number;
  numberBytes: number;
  keyBytes: number;
}

/** A member of the outermost object. */
interface Member {
  /** Start and end of its value in the body, without surrounding white space. */
  start: number;
  end: number;
  /** Values within the value, itself included. */
  values: number;
}

interface ScanOptions {
  bounds: JsonBounds;
  /** Keys of the outermost object whose members are found. With it, a key of that object that occurs twice is a problem. */
  names?: readonly string[] | undefined;
  /** Whether a key that occurs twice in any object is a problem. */
  uniqueKeys?: boolean;
}

const quote = 0x22;
const backslash = 0x5c;
const openObject = 0x7b;
const closeObject = 0x7d;
const openArray = 0x5b;
const closeArray = 0x5d;
const colon = 0x3a;
const comma = 0x2c;
const minus = 0x2d;

/**
 * Scans JSON while it arrives, byte by byte, and holds it to bounds before anything parses it. Does not find all syntax errors:
 * `JSON.parse` does that afterwards, for the parts that are parsed.
 */
export class JsonScan {
  /** Number of values so far. */
  values = 0;
  /** The members that have arrived completely, by name. */
  readonly members = new Map<string, Member>();
  readonly #bounds: JsonBounds;
  readonly #names: ReadonlySet<string>;
  /** The deepest level at which a key must not occur twice in an object. */
  readonly #uniqueLevels: number;
  /** The keys so far of each open object, by level. Undefined if they may repeat. */
  readonly #keys: (Set<string> | undefined)[] = [];
  /** 1 for each open object, 0 for each open array, by level. */
  readonly #isObject: number[] = [];
  #at = 0;
  #depth = 0;
  #token: 'none' | 'key' | 'string' | 'number' | 'other' = 'none';
  #tokenStart = 0;
  #escaped = false;
  #keyNext = false;
  #name: string | undefined;
  #valueStart = -1;
  #valuesBefore = 0;

  constructor({ bounds, names, uniqueKeys = false }: ScanOptions) {
    this.#bounds = bounds;
    this.#names = new Set(names);
    this.#uniqueLevels = uniqueKeys ? bounds.nesting : names ? 1 : 0;
  }

  /**
   * Scans what has arrived since the last call.
   *
   * @param body all bytes so far
   * @returns what is wrong, as soon as a bound is exceeded
   */
  advance(body: Buffer): string | undefined {
    while (this.#at < body.length) {
      const problem =
        this.#token === 'key' || this.#token === 'string' ? this.#inString(body) : this.#between(body);
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  /** Continues a string to its end, or to the end of what has arrived. */
  #inString(body: Buffer): string | undefined {
    let at = this.#at;
    let escaped = this.#escaped;
    let closed = false;
    for (; at < body.length && !closed; at += 1) {
      if (escaped) escaped = false;
      else if (body[at] === backslash) escaped = true;
      else if (body[at] === quote) closed = true;
    }
    this.#at = at;
    this.#escaped = escaped;
    const length = at - this.#tokenStart - (closed ? 2 : 1);
    if (this.#token === 'key' && length > this.#bounds.keyBytes)
      return `a key is longer than ${this.#bounds.keyBytes} bytes`;
    if (!closed) return undefined;
    const problem = this.#token === 'key' ? this.#endOfKey(body) : undefined;
    this.#token = 'none';
    return problem;
  }

  /** Continues outside of strings, to the next string or the end of what has arrived. */
  #between(body: Buffer): string | undefined {
    const { numberBytes } = this.#bounds;
    for (; this.#at < body.length; this.#at += 1) {
      const code = body[this.#at] ?? 0;
      if (code === quote) {
        this.#startToken(this.#keyNext ? 'key' : 'string');
        this.#at += 1;
        return this.#overValues();
      }
      if (code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09) {
        this.#token = 'none';
      } else if (code === openObject || code === openArray) {
        this.#startToken('none');
        this.#depth += 1;
        if (this.#depth > this.#bounds.nesting) {
          return `the JSON nests deeper than ${this.#bounds.nesting} levels`;
        }
        this.#isObject[this.#depth] = code === openObject ? 1 : 0;
        this.#keyNext = code === openObject;
        if (code === openObject && this.#depth <= this.#uniqueLevels) this.#keys[this.#depth] = new Set();
      } else if (code === closeObject || code === closeArray) {
        this.#token = 'none';
        if (this.#depth === 1) this.#endOfMember(body);
        this.#depth = Math.max(0, this.#depth - 1);
        this.#keyNext = false;
      } else if (code === comma) {
        this.#token = 'none';
        if (this.#depth === 1) this.#endOfMember(body);
        this.#keyNext = this.#isObject[this.#depth] === 1;
      } else if (code === colon) {
        this.#token = 'none';
        this.#keyNext = false;
      } else if (this.#token === 'none') {
        this.#startToken(code === minus || (code >= 0x30 && code <= 0x39) ? 'number' : 'other');
      } else if (this.#token === 'number' && this.#at - this.#tokenStart >= numberBytes) {
        return `a number is longer than ${numberBytes} characters`;
      }
      const problem = this.#overValues();
      if (problem !== undefined) return problem;
    }
    return undefined;
  }

  #overValues(values = this.values): string | undefined {
    return values > this.#bounds.values ? `the JSON has more than ${this.#bounds.values} values` : undefined;
  }

  #startToken(token: 'none' | 'key' | 'string' | 'number' | 'other'): void {
    this.#token = token;
    this.#tokenStart = this.#at;
    if (token === 'key') return;
    if (this.#name !== undefined && this.#valueStart < 0) {
      this.#valueStart = this.#at;
      this.#valuesBefore = this.values;
    }
    this.values += 1;
  }

  #endOfKey(body: Buffer): string | undefined {
    const isOutermost = this.#depth === 1;
    if (isOutermost) {
      this.#name = undefined;
      this.#valueStart = -1;
    }
    if (this.#depth > this.#uniqueLevels) return undefined;
    const keys = this.#keys[this.#depth];
    const key = textOf(body.toString('utf8', this.#tokenStart, this.#at));
    if (!keys || key === undefined) return undefined;
    if (keys.has(key)) return `the key ${JSON.stringify(key)} occurs twice`;
    keys.add(key);
    if (isOutermost && this.#names.has(key)) this.#name = key;
    // Keys may lack their values: the syntax is checked later.
    return this.#overValues(keys.size - 1);
  }

  #endOfMember(body: Buffer): void {
    if (this.#name !== undefined && this.#valueStart >= 0) {
      let end = this.#at;
      while (isSpace(body[end - 1])) end -= 1;
      const values = this.values - this.#valuesBefore;
      this.members.set(this.#name, { start: this.#valueStart, end, values });
    }
    this.#name = undefined;
  }
}

/** Undefined for a string that is not JSON. */
function textOf(source: string): string | undefined {
  if (!source.includes('\\')) return source.slice(1, -1);
  try {
    return JSON.parse(source) as string;
  } catch {
    return undefined;
  }
}

function isSpace(code: number | undefined): boolean {
  return code === 0x20 || code === 0x0a || code === 0x0d || code === 0x09;
}
