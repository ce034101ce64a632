import type { EnumModel } from '../../../specs/messages/message-model.ts';
import { describe, described } from './describe.ts';
import { docComment } from './doc-comment.ts';
import { printConstant } from './lines.ts';
import { stringLiteral } from './literals.ts';
import type { TypeTexts } from './type-texts.ts';

/** An enum and its table. */
export interface EnumView {
  name: string;
  doc: string;
  variants: { doc: string; name: string; isDefault: boolean }[];
  /** Constants: additional names of variants. */
  constants: { doc: string; line: string }[];
  /** `"STATE_OPEN" = 1 => Open,` */
  rows: string[];
  /** `"STATE_OPENED" => Open,` */
  aliases: string[];
}

/** Returns the view of an enum. Its variants are the values with different numbers, and aliases become constants. */
export function enumView(type: EnumModel, texts: TypeTexts): EnumView {
  const nameOf = (value: string): string => texts.valueName(type.fullName, value);
  const first = new Map<number, string>();
  for (const { name, number } of type.values) if (!first.has(number)) first.set(number, nameOf(name));
  const own = type.values.filter(({ name, number }) => first.get(number) === nameOf(name));
  const further = type.values.filter(({ name, number }) => first.get(number) !== nameOf(name));
  const initial = own.find(({ number }) => number === 0) ?? own[0];
  return {
    name: texts.typeName(type.fullName),
    doc: docComment([...describe(type), `Proto enum \`${type.fullName}\`.`], 0),
    variants: own.map((value) => ({
      doc: docComment(described(value, `Proto value \`${value.name}\`.`), 4),
      name: nameOf(value.name),
      isDefault: value === initial,
    })),
    constants: further.map((value) => ({
      doc: docComment(described(value, `Proto value \`${value.name}\`.`), 4),
      line: printConstant(nameOf(value.name), 'Self', `Self::${first.get(value.number) ?? ''}`),
    })),
    rows: own.map(({ name, number }) => `${stringLiteral(name)} = ${number} => ${nameOf(name)},`),
    aliases: further.map(({ name, number }) => `${stringLiteral(name)} => ${first.get(number) ?? ''},`),
  };
}
