import { compile } from 'json-schema-to-typescript';
import type { JSONSchema } from 'json-schema-to-typescript';

/** An interface to declare, without its name. */
export interface InterfaceSchema {
  /** Finished comment lines. */
  comment: string[];
  properties: PropertySchema[];
}

export interface PropertySchema {
  /** Finished TypeScript type on one line. */
  type: string;
  isRequired: boolean;
  /** Finished comment lines. */
  comment: string[];
}

/** What was declared, in the order of what was asked for. */
export type DeclaredInterface = InterfaceSchema;
export type DeclaredProperty = PropertySchema;

/**
 * Declares interfaces with json-schema-to-typescript and reads its lines back, for us to lay out: its own formatter would take
 * a hundred times as long.
 *
 * Every name is a numbered stand-in, since it rewrites names that are not in its style and a property called `hasOwnProperty`
 * ends it. Types are finished TypeScript (`bigint`, `Uint8Array`, cases of oneofs): JSON Schema has no word for them.
 */
export async function declareInterfaces(schemas: readonly InterfaceSchema[]): Promise<DeclaredInterface[]> {
  const text = await compile(rootSchema(schemas), 'Root', {
    format: false,
    bannerComment: '',
    $refOptions: { resolve: { external: false } },
  });
  const declared = readInterfaces(text);
  return schemas.map((_, index) => {
    const found = declared.get(`M${index}`);
    if (found === undefined) throw new Error(`json-schema-to-typescript left out interface ${index}`);
    return found;
  });
}

/** Interfaces are named by titles: as definitions, each would be copied to where it is referred to, at a third of the time. */
function rootSchema(schemas: readonly InterfaceSchema[]): JSONSchema {
  return {
    type: 'object',
    additionalProperties: false,
    properties: Object.fromEntries(
      schemas.map((schema, index) => [`p${index}`, { title: `M${index}`, ...objectSchema(schema) }]),
    ),
  };
}

function objectSchema({ comment, properties }: InterfaceSchema): JSONSchema {
  return {
    type: 'object',
    additionalProperties: false,
    ...described(comment),
    properties: Object.fromEntries(
      properties.map(({ type, comment: said }, index) => [`p${index}`, { tsType: type, ...described(said) }]),
    ),
    required: properties.flatMap(({ isRequired }, index) => (isRequired ? [`p${index}`] : [])),
  };
}

function described(comment: readonly string[]): { description?: string } {
  return comment.length === 0 ? {} : { description: comment.join('\n') };
}

const opening = /^export interface (\w+) \{$/;
const property = /^p\d+(\??): (.*)$/;

/** Interfaces by their stand-in names. No line of a comment can be taken for code: each begins with ` *`. */
function readInterfaces(text: string): Map<string, DeclaredInterface> {
  const interfaces = new Map<string, DeclaredInterface>();
  let current: DeclaredInterface | undefined;
  let comment: string[] = [];
  for (const line of text.split('\n')) {
    const name = opening.exec(line)?.[1];
    const [, mark, type] = property.exec(line) ?? [];
    if (line === '/**') comment = [];
    else if (line.startsWith(' * ') || line === ' *') comment.push(line.slice(3).trimEnd());
    else if (name !== undefined) {
      current = { comment, properties: [] };
      interfaces.set(name, current);
      comment = [];
    } else if (type !== undefined && current !== undefined) {
      current.properties.push({ type, isRequired: mark === '', comment });
      comment = [];
    }
  }
  return interfaces;
}
