import { base64Decode, base64Encode } from '@bufbuild/protobuf/wire';
import { type DescField, type DescMessage, ScalarType } from '@bufbuild/protobuf';

/**
 * Rewrites input that the service accepts beyond the schemas into the form of the schemas. It covers exactly the
 * exceptions in docs/json-schema.md. With `openapi`, it also covers those of OpenAPI 3.0, which has no union types.
 */
export function canonicalSpelling(
  type: DescMessage,
  json: unknown,
  form: 'json-schema' | 'openapi',
): unknown {
  const openapi = form === 'openapi';

  const message = (desc: DescMessage, value: unknown): unknown => {
    if (desc.typeName.startsWith('google.protobuf.')) return wellKnown(desc, value);
    if (!isObject(value)) return value;
    const entries = Object.entries(value).flatMap(([key, inside]): [string, unknown][] => {
      const found = desc.fields.find(({ name, jsonName }) => key === jsonName || key === name);
      if (found === undefined) return [[key, inside]];
      if (inside === null && !holdsNull(found) && (openapi || found.oneof !== undefined)) return [];
      return [[found.jsonName, field(found, inside)]];
    });
    return Object.fromEntries(entries);
  };

  const field = (desc: DescField, value: unknown): unknown => {
    if (desc.fieldKind === 'list')
      return Array.isArray(value) ? value.map((each) => single(desc, each)) : value;
    if (desc.fieldKind !== 'map') return single(desc, value);
    if (!isObject(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, each]) => [mapKey(desc.mapKey, key), single(desc, each)]),
    );
  };

  const single = (desc: DescField, value: unknown): unknown => {
    if (desc.message) return message(desc.message, value);
    if (desc.enum) {
      if (desc.enum.typeName === 'google.protobuf.NullValue') return openapi ? null : value;
      return openapi && typeof value === 'number' ? desc.enum.value[value]?.name : value;
    }
    return scalar(desc.scalar, value);
  };

  const wellKnown = (desc: DescMessage, value: unknown): unknown => {
    const [only] = desc.fields;
    const isWrapper = desc.fields.length === 1 && only?.name === 'value' && only.fieldKind === 'scalar';
    if (isWrapper && desc.typeName.endsWith('Value')) return scalar(only.scalar, value);
    return value;
  };

  const scalar = (type: ScalarType, value: unknown): unknown => {
    switch (type) {
      case ScalarType.STRING:
      case ScalarType.BOOL:
        return value;
      case ScalarType.BYTES:
        return typeof value === 'string' ? base64Encode(base64Decode(value)) : value;
      case ScalarType.DOUBLE:
      case ScalarType.FLOAT:
        if (typeof value !== 'string') return value;
        if (Number.isFinite(Number(value))) return Number(value);
        return openapi ? 0 : value;
      case ScalarType.INT64:
      case ScalarType.UINT64:
      case ScalarType.SINT64:
      case ScalarType.FIXED64:
      case ScalarType.SFIXED64:
        return typeof value === 'string' || openapi ? String(BigInt(value as string)) : value;
      default:
        return typeof value === 'string' ? Number(value) + 0 : value;
    }
  };

  return message(type, json);
}

function mapKey(type: ScalarType, key: string): string {
  return type === ScalarType.STRING || type === ScalarType.BOOL
    ? key
    : String(BigInt(Number(key) === 0 ? 0 : integerText(key)));
}

/** Returns an integer key in its canonical form. `1e2` is also a valid 32-bit key. */
function integerText(key: string): string {
  return /^[-+]?\d+$/.test(key) || key.startsWith('0') ? key : String(Number(key));
}

function holdsNull(field: DescField): boolean {
  const name = field.message?.typeName ?? field.enum?.typeName;
  return (
    field.fieldKind !== 'list' &&
    field.fieldKind !== 'map' &&
    (name === 'google.protobuf.Value' || name === 'google.protobuf.NullValue')
  );
}

function isObject(json: unknown): json is object {
  return typeof json === 'object' && json !== null && !Array.isArray(json);
}
