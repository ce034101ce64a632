/** The part of JSON Schema 2020-12 that messages need. */
export interface JsonSchema {
  $schema?: string;
  $ref?: string;
  $defs?: Record<string, JsonSchema>;
  title?: string;
  description?: string;
  deprecated?: boolean;
  type?: JsonType | JsonType[];
  enum?: (string | number | null)[];
  format?: string;
  pattern?: string;
  contentEncoding?: 'base64';
  minimum?: number;
  maximum?: number;
  items?: JsonSchema;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  maxProperties?: number;
  propertyNames?: JsonSchema;
  additionalProperties?: boolean | JsonSchema;
  allOf?: JsonSchema[];
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  not?: JsonSchema;
}

/** A type of JSON Schema. `integer` is a number without a fraction. */
export type JsonType = 'null' | 'boolean' | 'object' | 'array' | 'number' | 'integer' | 'string';

/**
 * Which JSON is described. `input`: what the service accepts, so only declared fields. `output`: what a reader has to expect,
 * which may include fields and enum values that a later version adds.
 */
export type Direction = 'input' | 'output';
