import type { EnumModel } from '../../../specs/messages/message-model.ts';
import { describeSymbol } from '../../documents/describe-symbol.ts';
import { summary } from './doc-comment.ts';
import { stringLiteral } from './literals.ts';
import type { TypeTexts } from './type-texts.ts';

/** An enum: an open struct with a property for each of its values. */
export interface EnumView {
  comment: string;
  name: string;
  values: {
    comment: string;
    isObsolete: boolean;
    name: string;
    /** Names with the same number are one value, which has the first name. */
    canonical: string;
    text: string;
    number: number;
  }[];
}

/** Returns the view of an enum with its values in the order of declaration, aliases included. */
export function enumView(type: EnumModel, texts: TypeTexts): EnumView {
  const { fullName, values } = type;
  const canonical = new Map<number, string>();
  for (const { name, number } of values) if (!canonical.has(number)) canonical.set(number, name);
  return {
    comment: summary([
      ...describeSymbol(type),
      `The enum ${fullName}. A value that this release does not know survives a round trip.`,
    ]),
    name: texts.typeName(fullName),
    values: values.map((value) => {
      const described = describeSymbol(value);
      return {
        comment: summary(described.length === 0 ? [`The value ${value.name}.`] : described, 4),
        isObsolete: value.deprecated,
        name: texts.valueName(fullName, value.name),
        canonical: stringLiteral(canonical.get(value.number) ?? value.name),
        text: stringLiteral(value.name),
        number: value.number,
      };
    }),
  };
}
