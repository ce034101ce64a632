import type {
  EnumModel,
  FieldModel,
  FieldType,
  MessageModel,
  OneofModel,
} from '../../specs/messages/message-model.ts';
import type { RandomTexts } from './random-texts.ts';
import type { Seeded } from './seeded.ts';

const scalars = ['double', 'float', 'int32', 'int64', 'uint32', 'uint64', 'bool', 'string', 'bytes'] as const;
const mapKeys = ['int32', 'int64', 'uint32', 'uint64', 'bool', 'string'] as const;
export const wellKnown = [
  ...([
    'Any',
    'BoolValue',
    'BytesValue',
    'DoubleValue',
    'Duration',
    'Empty',
    'FieldMask',
    'FloatValue',
  ] as const),
  ...(['Int32Value', 'Int64Value', 'ListValue', 'NullValue', 'StringValue', 'Struct', 'Timestamp'] as const),
  ...(['UInt32Value', 'UInt64Value', 'Value'] as const),
];
interface FieldChoice {
  random: Seeded;
  texts: RandomTexts;
  message: MessageModel;
  /** Claims a new name in a scope. */
  symbol: (scope: string) => string;
  /** Claims a name in a scope. Returns whether it was free. */
  claim: (scope: string, name: string) => boolean;
  messages: readonly MessageModel[];
  enums: readonly EnumModel[];
}

/** Adds fields and oneofs to a message. protoc accepts their names. */
export function addFields({ random, texts, message, symbol, claim, messages, enums }: FieldChoice): void {
  const jsonNames = new Set<string>();
  const defaultNames = new Set<string>();
  const nextNumber = randomNumbers(random);
  const oneofs: OneofModel[] = Array.from({ length: random.below(3) }, () => ({
    name: symbol(message.fullName),
    comment: texts.comment(),
    fields: [],
  }));
  for (let left = random.below(random.chance(0.03) ? 60 : 9); left > 0; left -= 1) {
    const name = symbol(message.fullName);
    const number = nextNumber();
    const defaultName = jsonNameOf(name);
    const jsonName = random.chance(0.05) ? `${name}-${number}"'\\*/` : defaultName;
    // protoc also compares default JSON names, even those of fields with a custom JSON name.
    if (jsonNames.has(jsonName) || defaultNames.has(defaultName)) continue;
    jsonNames.add(jsonName);
    defaultNames.add(defaultName);
    const oneof = oneofs.length > 0 && random.chance(0.4) ? random.pick(oneofs) : undefined;
    const drawn = oneof
      ? 'single'
      : random.pick(['single', 'single', 'optional', 'repeated', 'map'] as const);
    const hasRoom = drawn !== 'map' || claim(message.fullName, entryNameOf(name));
    const cardinality = hasRoom ? drawn : 'repeated';
    message.fields.push({
      name,
      jsonName,
      number,
      comment: texts.comment(),
      deprecated: random.chance(0.1),
      cardinality,
      type: random.chance(0.1)
        ? { kind: 'message', fullName: message.fullName }
        : randomType(random, messages, enums),
      ...(cardinality === 'map' && { mapKey: random.pick(mapKeys) }),
      ...(oneof && { oneof: oneof.name }),
    } satisfies FieldModel);
    oneof?.fields.push(name);
  }
  message.oneofs.push(...oneofs.filter(({ fields }) => fields.length > 0));
}

/** Returns field numbers: consecutive ones, or any that protobuf allows. */
function randomNumbers(random: Seeded): () => number {
  const gap = random.chance(0.1) ? 8_000_000 : 1;
  let last = 0;
  return () => {
    last += 1 + random.below(gap);
    // Reserved by protobuf.
    if (last >= 19_000 && last <= 19_999) last = 20_000;
    return last;
  };
}

/** Returns the name of the message that protoc generates for the entries of a map. */
function entryNameOf(name: string): string {
  const camel = name.replace(
    /(?:^|_)_*([a-z])?/g,
    (_, letter: string | undefined) => letter?.toUpperCase() ?? '',
  );
  return `${camel}Entry`;
}

function randomType(
  random: Seeded,
  messages: readonly MessageModel[],
  enums: readonly EnumModel[],
): FieldType {
  const kind = random.below(8);
  if (kind === 0) return { kind: 'wellKnown', wellKnown: random.pick(wellKnown) };
  if (kind <= 2) return { kind: 'message', fullName: random.pick(messages).fullName };
  if (kind <= 4 && enums.length > 0) return { kind: 'enum', fullName: random.pick(enums).fullName };
  return { kind: 'scalar', scalar: random.pick(scalars) };
}

/** Converts a name like protoc: removes underscores and capitalizes the letter after each. */
function jsonNameOf(name: string): string {
  return name.replace(/_+([a-z])?/g, (_, letter: string | undefined) => letter?.toUpperCase() ?? '');
}
