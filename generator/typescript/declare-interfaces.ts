import { compile } from 'json-schema-to-typescript';
import type { JSONSchema } from 'json-schema-to-typescript';

/** A property to declare, without its name. */
export interface PropertySchema {
  /** Finished TypeScript type on one line. */
  type: string;
  isRequired: boolean;
}

/** A property as it was declared: whether it has a question mark, and its type. */
export type DeclaredProperty = PropertySchema;

/**
 * Declares the properties of many interfaces with json-schema-to-typescript and reads its lines back, for us to lay out: its
 * own formatter would take a hundred times as long. The result has the order of what was asked for.
 *
 * Every name is a numbered stand-in, since it rewrites names that are not in its style and a property called `hasOwnProperty`
 * ends it. Types are finished TypeScript (`bigint`, `Uint8Array`, cases of oneofs): JSON Schema has no word for them.
 * All interfaces are parts of one schema, without references to follow (docs/decisions/0006).
 */
export async function declareInterfaces(
  interfaces: readonly (readonly PropertySchema[])[],
): Promise<DeclaredProperty[][]> {
  const schemas = interfaces.map((properties, index): [string, JSONSchema] => [
    `m${index}`,
    objectSchema(properties),
  ]);
  const text = await compile(
    { type: 'object', additionalProperties: false, properties: Object.fromEntries(schemas) },
    'Messages',
    { format: false, bannerComment: '', $refOptions: { resolve: { external: false } } },
  );
  const declared = readInterfaces(text);
  if (declared.length !== interfaces.length)
    throw new Error(
      `json-schema-to-typescript declared ${declared.length} of ${interfaces.length} interfaces`,
    );
  return declared;
}

function objectSchema(properties: readonly PropertySchema[]): JSONSchema {
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(properties.map(({ type }, index) => [`p${index}`, { tsType: type }])),
    required: properties.flatMap(({ isRequired }, index) => (isRequired ? [`p${index}`] : [])),
  };
}

const opening = /^m\d+\?: \{$/;
const property = /^p\d+(\??): (.*)$/;

function readInterfaces(text: string): DeclaredProperty[][] {
  const interfaces: DeclaredProperty[][] = [];
  for (const line of text.split('\n')) {
    const [, mark, type] = property.exec(line) ?? [];
    if (opening.test(line)) interfaces.push([]);
    else if (type !== undefined) interfaces.at(-1)?.push({ type, isRequired: mark === '' });
  }
  return interfaces;
}
