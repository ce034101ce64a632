import type { FieldModel } from '../../../specs/messages/message-model.ts';
import type { FlowMember, NodeMember, SdkModel } from '../../../generator/model/sdk-model.ts';

/** Lengths of the names in a model. */
interface NameLengths {
  /** Of the aliases of members. */
  alias: number;
  /** Of the message that all members take and return, and of an enum and its values. */
  type: number;
  /** Number of fields of the message. */
  fields: number;
}

/** Returns a model with a unary and a pipeline node, a unary and a pipeline flow, one message, and an enum with an alias. */
export function longNameModel({ alias, type, fields: count }: NameLengths): SdkModel {
  const name = nameOf('M', type);
  const fields: FieldModel[] = Array.from({ length: count }, (_, n) => {
    const field = nameOf('bcd'[n] ?? 'e', 4);
    return {
      name: field,
      jsonName: field,
      number: n + 1,
      comment: '',
      deprecated: false,
      cardinality: 'single',
      type: { kind: 'scalar', scalar: 'string' },
    };
  });
  const fullName = `test.${name}`;
  const sample = Object.fromEntries(fields.map((field) => [field.name, 'some']));
  const shared = { comment: '', input: fullName, output: fullName, sample };
  const node = (letter: string, mode: NodeMember['mode']): NodeMember => {
    const pin = { package: 'acme/text', version: '1.0.0', node: letter, ulid: '01J' };
    return { type: 'node', alias: nameOf(letter, alias), mode, pin, ...shared };
  };
  const flow = (letter: string, mode: FlowMember['mode']): FlowMember => {
    const pin = { artifact: letter, graph: letter };
    return { type: 'flow', alias: nameOf(letter, alias), mode, pin, ...shared };
  };
  return {
    client: { name: 'Lengths', slug: 'lengths', description: '', handle: 'acme' },
    version: 1,
    semver: '1.0.0',
    generator: 'svc/0.0.0',
    goModulePrefix: 'go.svc.internal',
    members: [node('f', 'unary'), node('g', 'pipeline'), flow('h', 'unary'), flow('i', 'pipeline')],
    types: {
      messages: [{ fullName, name, comment: '', deprecated: false, fields, oneofs: [] }],
      enums: [
        {
          fullName: `test.${nameOf('E', type)}`,
          name: nameOf('E', type),
          comment: '',
          deprecated: false,
          values: ['V', 'W'].map((letter) => ({
            name: nameOf(letter, type).toUpperCase(),
            number: 0,
            comment: '',
            deprecated: false,
          })),
        },
      ],
    },
    changelog: [{ semver: '1.0.0', version: 1, added: [], changed: [], removed: [] }],
    firstSeen: [],
    order: [],
  };
}

/** Returns models with long aliases, a long type, or both, with no field and with one, for each length from `first` to `last`. */
export function longNameModels(first: number, last: number): SdkModel[] {
  const lengths = Array.from({ length: last - first + 1 }, (_, n) => first + n);
  return [0, 1].flatMap((fields) =>
    lengths.flatMap((length) => [
      longNameModel({ alias: length, type: 5, fields }),
      longNameModel({ alias: 5, type: length, fields }),
      longNameModel({ alias: length, type: length, fields }),
    ]),
  );
}

/** Returns a name of `length` characters. */
export function nameOf(letter: string, length: number): string {
  return `${letter}${'a'.repeat(length - 1)}`;
}
