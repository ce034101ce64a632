import { builders } from 'prettier/doc';
import { bracketed } from '../../layout/bracketed.ts';
import { prettierStyle, printLayout } from '../../layout/print-layout.ts';
import type { Layout } from '../../layout/print-layout.ts';

const { align, group, ifBreak, indent, indentIfBreak, join, line, softline } = builders;

/** Prints a layout as prettier without options would. */
export function print(layout: Layout): string {
  return printLayout(layout, prettierStyle);
}

/** Reports whether a line fits into prettier's 80 columns; a character takes none, one or two. */
export function fitsLine(text: string): boolean {
  if (/^[\x20-\x7e]*$/.test(text)) return text.length <= prettierStyle.width;
  return print(group([text, softline])) === text;
}

/** A type reference: a name, arguments in angle brackets, an array, or one of several types. */
export type TypeText =
  string | { generic: string; of: TypeText[] } | { arrayOf: TypeText } | { anyOf: TypeText[] };

/** Returns the type on one line. */
export function flatType(type: TypeText): string {
  if (typeof type === 'string') return type;
  if ('generic' in type) return `${type.generic}<${type.of.map(flatType).join(', ')}>`;
  if ('arrayOf' in type) return `${flatType(type.arrayOf)}[]`;
  return type.anyOf.map(flatType).join(' | ');
}

/** Returns the type, broken where necessary. */
export function typeLayout(type: TypeText): Layout {
  if (typeof type === 'string') return type;
  if ('arrayOf' in type) return [typeLayout(type.arrayOf), '[]'];
  if ('generic' in type) return genericLayout(type.generic, type.of);
  const members = type.anyOf.map((each) => align(2, typeLayout(each)));
  return group(indent([softline, group([ifBreak('| '), join([line, '| '], members)])]));
}

/**
 * Lays out a generic type. A plain name as the only argument stays on the line of its brackets, no matter how long it
 * is.
 */
function genericLayout(name: string, of: readonly TypeText[]): Layout {
  const [only] = of;
  if (of.length === 1 && typeof only === 'string') return [name, '<', only, '>'];
  return bracketed(`${name}<`, of.map(typeLayout), '>', { trailing: false });
}

/**
 * Returns an entry of an object literal. Prettier moves a value to the next line if its beginning does not fit after
 * the key, and the key is long enough for this to help.
 */
export function entryLayout(key: string, value: Layout): Layout {
  if (key.length < 5) return [key, ': ', value];
  const id = Symbol('entry');
  return [key, ':', group(indent(line), { id }), indentIfBreak(value, { groupId: id })];
}

/** Lays out `left = right`; the right side moves to the next line if its beginning does not fit after the left one. */
export function assignment(left: string, right: Layout): Layout {
  const id = Symbol('assignment');
  return [left, ' =', group(indent(line), { id }), indentIfBreak(right, { groupId: id })];
}

/**
 * Lays out `left = right`, for a call with a short argument: the right side moves to the next line before it is broken.
 */
export function callAssignment(left: string, right: Layout): Layout {
  return group([left, ' =', indent([line, right])]);
}

/** Lays out `left = object.a().b()`: either all on one line, or each call of the chain on its own line. */
export function chainAssignment(left: string, object: string, calls: readonly Layout[]): Layout {
  return group([left, ' = ', object, indent(calls.map((call) => [softline, call]))]);
}

/** Returns the head of a function: its parameters break before its return type does. */
export function functionHead(name: string, parameters: readonly Layout[], gives: Layout): Layout {
  return group([
    `${name}(`,
    indent([softline, join([',', line], [...parameters])]),
    ifBreak(','),
    softline,
    '): ',
    gives,
    ' {',
  ]);
}

/** Returns a layout in a block at this depth. */
export function indented(levels: number, layout: Layout): Layout {
  const margin = '  '.repeat(levels);
  let deeper: Layout = [margin, layout];
  for (let level = 0; level < levels; level++) deeper = indent(deeper);
  return deeper;
}
