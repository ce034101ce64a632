import type { FieldModel, FieldType, MessageModel, TypeModel } from '../../specs/messages/message-model.ts';

/**
 * Returns the types of a model as protos, one file per package, without comments. Types of other packages are printed as
 * `Empty`, because the files might import each other in a cycle. This cannot hide a conflict of names.
 */
export function protosOf({ messages, enums }: TypeModel): Record<string, string> {
  const packages = Map.groupBy([...messages, ...enums], packageOf);
  return Object.fromEntries(
    Array.from(packages, ([name, types], index) => {
      const head = ['syntax = "proto3";', name === '' ? '' : `package ${name};`, ...imports];
      const body = childrenOf('', types);
      return [`p${index}.proto`, [...head, ...body].join('\n')];
    }),
  );
}

type Type = TypeModel['messages' | 'enums'][number];

const files = ['any', 'duration', 'empty', 'field_mask', 'struct', 'timestamp', 'wrappers'];
const imports = files.map((file) => `import "google/protobuf/${file}.proto";`);

function packageOf({ fullName, name }: Type): string {
  return fullName.slice(0, -name.length).replace(/\.$/, '');
}

/** @param parent name within the package, followed by a dot; empty for the package itself */
function childrenOf(parent: string, types: readonly Type[]): string[] {
  return types
    .filter(({ name }) => name.startsWith(parent) && !name.slice(parent.length).includes('.'))
    .flatMap((type) => {
      const own = type.name.slice(parent.length);
      if (!('values' in type))
        return [`message ${own} {`, ...childrenOf(`${type.name}.`, types), ...fieldsOf(type, types), '}'];
      const numbers = new Set(type.values.map(({ number }) => number));
      const aliases = numbers.size < type.values.length ? ['option allow_alias = true;'] : [];
      return [
        `enum ${own} {`,
        ...aliases,
        ...type.values.map((value) => `${value.name} = ${value.number};`),
        '}',
      ];
    });
}

function fieldsOf({ fields, oneofs }: MessageModel, types: readonly Type[]): string[] {
  const print = (field: FieldModel): string => fieldText(field, types);
  return [
    ...fields.filter(({ oneof }) => oneof === undefined).map(print),
    ...oneofs.flatMap(({ name }) => [
      `oneof ${name} {`,
      ...fields.filter(({ oneof }) => oneof === name).map(print),
      '}',
    ]),
  ];
}

function fieldText(field: FieldModel, types: readonly Type[]): string {
  const { name, number, jsonName, cardinality, mapKey } = field;
  const type = typeText(field.type, types);
  const declared = { single: type, optional: `optional ${type}`, repeated: `repeated ${type}` };
  const head = cardinality === 'map' ? `map<${mapKey ?? ''}, ${type}>` : declared[cardinality];
  const json = jsonName.startsWith(`${name}-`) ? ` [json_name = ${JSON.stringify(jsonName)}]` : '';
  return `${head} ${name} = ${number}${json};`;
}

function typeText(type: FieldType, types: readonly Type[]): string {
  if (type.kind === 'scalar') return type.scalar;
  if (type.kind === 'wellKnown') return `.google.protobuf.${type.wellKnown}`;
  const isNear = types.some(({ fullName }) => fullName === type.fullName);
  return isNear ? `.${type.fullName}` : '.google.protobuf.Empty';
}
