import type { EnumModel } from '../../../specs/messages/message-model.ts';
import type { ClassLine } from './class-lines.ts';
import { classLines, describe } from './class-lines.ts';
import { docstring } from './docstrings.ts';
import type { Expression } from './expressions.ts';
import { printAssigned, printExpression } from './expressions.ts';
import { stringLiteral } from './literals.ts';
import type { TypeTexts } from './type-texts.ts';
import { lineWidth } from './line-width.ts';

/** An enum class. */
export interface EnumView {
  name: string;
  /** `Color(_json.OpenEnum)`, with the base on its own line if the name leaves no room for it. */
  head: string;
  docstring: string;
  members: ClassLine[];
  /** Items of the dict of further proto names: `"OLD": "NEW"`. */
  aliases: string[];
}

const base = '_json.OpenEnum';

/** Returns the view of an enum. An alias becomes a further name of the member with its number. */
export function enumView(type: EnumModel, texts: TypeTexts): EnumView {
  const canonical = new Map<number, string>();
  const latest = new Map<number, string>();
  const aliases: string[] = [];
  const members = type.values.map((value) => {
    const name = texts.valueName(type.fullName, value.name);
    const wire = stringLiteral(value.name);
    const original = canonical.get(value.number);
    // An alias refers to the member before it, so that no value is written twice.
    const before = latest.get(value.number);
    latest.set(value.number, name);
    if (original === undefined) canonical.set(value.number, wire);
    else aliases.push(`${wire}: ${original}`);
    const line = before === undefined ? memberLine(name, wire, value.number) : printAssigned(name, before, 4);
    return { line, symbol: value };
  });
  const name = texts.typeName(type.fullName);
  const head = `${name}(${base})`;
  return {
    name,
    head: `class ${head}:`.length <= lineWidth ? head : `${name}(\n    ${base}\n)`,
    docstring: docstring([...describe(type), `Proto enum \`${type.fullName}\`.`], 4),
    members: classLines(members),
    aliases,
  };
}

function memberLine(name: string, wire: string, number: number): string {
  const items = [{ value: wire }, { value: String(number) }];
  const pair: Expression = { open: '(', items, close: ')' };
  return `${name} = ${printExpression(pair, 4, name.length + 3, 0)}`;
}
