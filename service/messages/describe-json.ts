const shown = 60;

/** A JSON value in a few words, for messages: `"abc"`, `12`, `an array`. Never longer than a line. */
export function describeJson(json: unknown): string {
  switch (typeof json) {
    case 'string':
      return JSON.stringify(json.length > shown ? `${json.slice(0, shown)}...`.toWellFormed() : json);
    case 'number':
    case 'bigint':
    case 'boolean':
      return String(json);
    default:
      if (json === null) return 'null';
      return Array.isArray(json) ? 'an array' : 'an object';
  }
}
