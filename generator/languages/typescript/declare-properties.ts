/** A property to declare, without its name. */
export interface PropertySchema {
  /** Finished TypeScript type on one line. */
  type: string;
  isRequired: boolean;
}

/** A declared property: its type, and whether it lacks a question mark. */
export type DeclaredProperty = PropertySchema;

/**
 * Declares properties with json-schema-to-typescript, in the order of `schemas`. Its output lines are parsed, because its own
 * formatter takes a hundred times as long as our layout. Most properties of an SDK have one of a few types, so each distinct type
 * is declared once.
 *
 * Every name is a numbered stand-in: the library rewrites names that are not in its style and fails on a property named
 * `hasOwnProperty`. Types are finished TypeScript (`bigint`, `Uint8Array`, cases of oneofs), which JSON Schema cannot express
 * (docs/decisions/0006-typescript-messages-are-interfaces-over-tables.md).
 */
export async function declareProperties(schemas: readonly PropertySchema[]): Promise<DeclaredProperty[]> {
  // Loaded here, because the service and the command line load this language only for its names, and need no types.
  const { compile } = await import('json-schema-to-typescript');
  const distinct = [...new Map(schemas.map((schema) => [keyOf(schema), schema]))];
  const text = await compile(
    {
      type: 'object',
      additionalProperties: false,
      properties: Object.fromEntries(distinct.map(([, { type }], index) => [`p${index}`, { tsType: type }])),
      required: distinct.flatMap(([, { isRequired }], index) => (isRequired ? [`p${index}`] : [])),
    },
    'Properties',
    { format: false, bannerComment: '', $refOptions: { resolve: { external: false } } },
  );
  const declared = readProperties(text);
  const byKey = new Map(distinct.map(([key], index) => [key, declared[index]]));
  return schemas.map((schema) => {
    const property = byKey.get(keyOf(schema));
    if (property === undefined) throw new Error(`json-schema-to-typescript did not declare ${schema.type}`);
    return property;
  });
}

function keyOf({ type, isRequired }: PropertySchema): string {
  return `${isRequired} ${type}`;
}

const line = /^p\d+(\??): (.*)$/;

function readProperties(text: string): DeclaredProperty[] {
  return text.split('\n').flatMap((each) => {
    const [, mark, type] = line.exec(each) ?? [];
    return type === undefined ? [] : [{ type, isRequired: mark === '' }];
  });
}
