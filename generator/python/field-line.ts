import type { FieldModel } from '../../specs/messages/message-model.ts';
import type { Expression, Item } from './expressions.ts';
import { printBroken, printFlat } from './expressions.ts';
import type { TypeText, TypeTexts } from './type-texts.ts';
import { hasPresence } from './type-texts.ts';

const lineWidth = 88;

/** `text: str = ""`, broken as ruff breaks an annotated assignment. */
export function fieldLine(attribute: string, field: FieldModel, texts: TypeTexts): string {
  const { parts, value } = annotation(field, texts.of(field.type), texts);
  const union = parts.map(printFlat).join(' | ');
  const flat = `${attribute}: ${union} = ${value}`;
  if (4 + flat.length <= lineWidth) return flat;
  const [only] = parts;
  if (parts.length > 1) {
    const inner =
      8 + union.length <= lineWidth
        ? [union]
        : parts.map(
            (part, index) => `${index === 0 ? '' : '| '}${breakSubscript(part, 8, index === 0 ? 0 : 2)}`,
          );
    return [`${attribute}: (`, ...inner.map((line) => `        ${line}`), `    ) = ${value}`].join('\n');
  }
  if (only === undefined || typeof only === 'string') return flat;
  return `${attribute}: ${forceSubscript(only, 4)} = ${value}`;
}

/** An annotation as the members of its union, and the value of an absent field. */
function annotation(
  field: FieldModel,
  type: TypeText,
  texts: TypeTexts,
): { parts: Expression[]; value: string } {
  const own = subscript(type.annotation);
  if (field.cardinality === 'repeated')
    return {
      parts: [{ open: 'list[', items: [{ value: own }], close: ']' }],
      value: 'field(default_factory=list)',
    };
  if (field.cardinality === 'map') {
    const key = texts.of({ kind: 'scalar', scalar: field.mapKey ?? 'string' }).annotation;
    const items: Item[] = [{ value: key }, { value: own }];
    return { parts: [{ open: 'dict[', items, close: ']' }], value: 'field(default_factory=dict)' };
  }
  if (field.type.kind === 'wellKnown' && field.type.wellKnown === 'Value')
    return { parts: [own, '_json.Unset'], value: '_json.UNSET' };
  if (hasPresence(field)) return { parts: [own, 'None'], value: 'None' };
  return { parts: [own], value: type.default ?? 'None' };
}

/** `dict[str, _json.JsonValue]` as brackets around items, other annotations as they are. */
function subscript(text: string): Expression {
  const match = /^(\w+\[)(.+)\]$/.exec(text);
  if (!match) return text;
  const [, open = '', inside = ''] = match;
  return { open, items: inside.split(', ').map((value) => ({ value })), close: ']' };
}

function breakSubscript(part: Expression, indent: number, before: number): string {
  const flat = printFlat(part);
  if (typeof part === 'string' || indent + before + flat.length <= lineWidth) return flat;
  return forceSubscript(part, indent);
}

/** Breaks between the brackets: the items on one line without a last comma when they fit, else one a line with commas. */
function forceSubscript(part: Exclude<Expression, string>, indent: number): string {
  const inside = part.items.map(({ value }) => printFlat(value)).join(', ');
  const margin = ' '.repeat(indent + 4);
  if (part.items.length === 1 || margin.length + inside.length <= lineWidth)
    return `${part.open}\n${margin}${inside}\n${' '.repeat(indent)}${part.close}`;
  return printBroken(part, indent);
}
