import type { Expression } from './expressions.ts';
import { printBroken, printFlat } from './expressions.ts';

/** A statement of a class body: `text: str | None = None`. */
export interface AnnotatedAssignment {
  name: string;
  /** Members of the union that is the annotation; one alone when it is none. */
  annotation: Expression[];
  /** A name, a literal, or a call with one argument. */
  value: string;
}

const lineWidth = 88;
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
    // Parentheses that gain nothing are left out.
    return 8 + value.length <= lineWidth ? `${head}(\n        ${value}\n    )` : head + value;
  return `${name}: ${breakAnnotation(annotation)} = ${value}`;
}

function breakAnnotation(annotation: readonly Expression[]): string {
  const [only] = annotation;
  if (annotation.length === 1 && only !== undefined)
    return typeof only === 'string' ? only : forceSubscript(only, indent);
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
