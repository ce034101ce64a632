import type { FlowMember, SdkModel } from '../../generator/model/sdk-model.ts';
import type { MessageModel } from '../../specs/messages/message-model.ts';

/** Returns a client with `count` flows from `flow-1` on, each with its own messages of strings. */
export function manyFlows(count: number): SdkModel {
  const numbers = Array.from({ length: count }, (_, index) => index + 1);
  return {
    client: { handle: 'acme', slug: 'many', name: 'Many', description: '' },
    version: 1,
    semver: '1.0.0',
    generator: 'svc/0.0.0',
    goModulePrefix: 'go.svc.internal',
    members: numbers.map((number): FlowMember => {
      return {
        type: 'flow',
        alias: `flow-${number}`,
        mode: 'unary',
        pin: { artifact: `artifact ${number}`, graph: `graph-${number}` },
        comment: '',
        input: `many.Question${number}`,
        output: `many.Answer${number}`,
        sample: {},
      };
    }),
    types: {
      messages: numbers.flatMap((number) => [message(`Question${number}`), message(`Answer${number}`)]),
      enums: [],
    },
    changelog: [],
    firstSeen: [],
    order: [],
  };
}

function message(name: string): MessageModel {
  return {
    fullName: `many.${name}`,
    name,
    comment: '',
    deprecated: false,
    oneofs: [],
    fields: ['text', 'topic', 'author'].map((field, index) => ({
      name: field,
      jsonName: field,
      number: index + 1,
      comment: '',
      deprecated: false,
      cardinality: 'single',
      type: { kind: 'scalar', scalar: 'string' },
    })),
  };
}
