import type { Bracketed, Expression } from './expressions.ts';
import { printBroken, printExpression, printFlat } from './expressions.ts';
import { lineWidth } from './line-width.ts';

/** A statement of a class body: `text: str | None = None`. */
export interface AnnotatedAssignment {
  name: string;
  /** Members of the annotation's union; a single member if it is not a union. */
  annotation: Expression[];
  /** A name, a literal, or a call with one argument. */
  value: string;
}

const indent = 4;

/**
 * Prints an annotated assignment in a class body as ruff does. If the line is too long, ruff first breaks the call of the
 * value, then adds parentheses around the value, then breaks the annotation; other parts stay on their line.
 */
export function printAssignment({ name, annotation, value }: AnnotatedAssignment): string {
  const union = annotation.map(printFlat).join(' | ');
  const head = `${name}: ${union} = `;
  if (indent + head.length + value.length <= lineWidth) return head + value;
  const [, callee, argument] = /^(\w+\()(.+)\)$/.exec(value) ?? [];
  if (callee !== undefined && argument !== undefined && indent + head.length + callee.length <= lineWidth)
    return `${head}${callee}\n        ${argument}\n    )`;
  if (indent + head.length + '('.length <= lineWidth)
    // Parentheses without benefit are omitted, unless the annotation could be broken instead.
    return 8 + value.length <= lineWidth || !isName(annotation)
      ? `${head}(\n        ${value}\n    )`
      : head + value;
  return `${name}: ${breakAnnotation(annotation)} = ${value}`;
}

/** Prints a declaration in a class body, `text: str`, as ruff does. */
export function printDeclaration({ name, annotation }: Omit<AnnotatedAssignment, 'value'>): string {
  const flat = `${name}: ${annotation.map(printFlat).join(' | ')}`;
  return indent + flat.length <= lineWidth ? flat : `${name}: ${breakAnnotation(annotation)}`;
}

/** Returns the parts of an annotation, `State | UnknownValue` or `dict[str, _json.JsonValue]`. */
export function annotationParts(text: string): Expression[] {
  return text.split(' | ').map((part) => {
    const [, open, inside = ''] = /^(\w+\[)(.+)\]$/.exec(part) ?? [];
    if (open === undefined) return part;
    return { open, items: inside.split(', ').map((value) => ({ value })), close: ']' };
  });
}

/** Returns an annotation as an item between brackets. */
export function annotationItem(text: string): Expression {
  const parts = annotationParts(text);
  const [only] = parts;
  return parts.length === 1 && only !== undefined ? only : { union: parts.map(printFlat) };
}

/**
 * Prints the head of a method without arguments, from its name to the colon, as ruff prints it. If it is too long, the
 * argument gets its own line, then the annotation is broken.
 */
export function printPropertyHead(name: string, annotation: Expression[]): string {
  const union = annotation.map(printFlat).join(' | ');
  const flat = `${name}(self) -> ${union}:`;
  if (indent + 'def '.length + flat.length <= lineWidth) return flat;
  const fits = indent + ') -> :'.length + union.length <= lineWidth;
  return `${name}(\n        self,\n    ) -> ${fits ? union : breakAnnotation(annotation)}:`;
}

function breakAnnotation(annotation: readonly Expression[]): string {
  const [only] = annotation;
  if (annotation.length === 1 && only !== undefined)
    return isBracketed(only) ? forceSubscript(only, indent) : printFlat(only);
  const union = annotation.map(printFlat).join(' | ');
  const inner =
    8 + union.length <= lineWidth
      ? [union]
      : annotation.map((part, index) =>
          index === 0 ? breakSubscript(part, 8, 0) : `| ${breakSubscript(part, 8, 2)}`,
        );
  return ['(', ...inner.map((line) => `        ${line}`), '    )'].join('\n');
}

function breakSubscript(part: Expression, indent: number, before: number): string {
  const flat = printFlat(part);
  if (!isBracketed(part) || indent + before + flat.length <= lineWidth) return flat;
  return forceSubscript(part, indent);
}

/**
 * Breaks between the brackets: the items go on one line without a trailing comma if they fit, otherwise one per line with commas.
 */
function forceSubscript(part: Bracketed, indent: number): string {
  const inside = part.items.map(({ value }) => printFlat(value)).join(', ');
  const margin = ' '.repeat(indent + 4);
  const end = `\n${' '.repeat(indent)}${part.close}`;
  const [only] = part.items;
  if (part.items.length === 1 && only !== undefined)
    return `${part.open}\n${margin}${printExpression(only.value, indent + 4, 0, 0)}${end}`;
  if (margin.length + inside.length <= lineWidth) return `${part.open}\n${margin}${inside}${end}`;
  return printBroken(part, indent);
}

/** Reports whether an annotation cannot be broken. */
function isName(annotation: readonly Expression[]): boolean {
  const [only] = annotation;
  return annotation.length === 1 && only !== undefined && !isBracketed(only);
}

function isBracketed(expression: Expression): expression is Bracketed {
  return typeof expression !== 'string' && 'items' in expression;
}
