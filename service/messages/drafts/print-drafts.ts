import type { DraftField, DraftMessage } from './message-draft.ts';

/** Proto source of drafted messages, with the source locations of its elements. */
interface PrintedDrafts {
  source: string;
  /** In source order. */
  locations: PrintedLocation[];
}

interface PrintedLocation {
  /** Path as in descriptor.proto: `[4, message]`, `[4, message, 2, field]`. */
  path: number[];
  /** Zero-based line, column, end line and end column. The end line is omitted if it equals the first. */
  span: number[];
  /** As the compiler stores it, possibly empty. */
  leadingComments: string;
}

/** Field numbers of FileDescriptorProto and DescriptorProto. */
const messageType = 4;
const field = 2;

/**
 * Prints drafted messages as a proto3 file with their descriptions as leading comments. References are fully qualified, so that no
 * drafted name can shadow another.
 */
export function printDrafts(messages: readonly DraftMessage[], packageName: string): PrintedDrafts {
  const lines = ['syntax = "proto3";', '', `package ${packageName};`];
  const locations: PrintedLocation[] = [];
  messages.forEach((message, index) => {
    lines.push('', ...commentLines(message.description, ''));
    const start = lines.length;
    const open = `message ${message.name} {`;
    lines.push(open);
    const inner = message.fields.map((one, position): PrintedLocation => {
      // Without the blank line the compiler would attach the comment to the previous field.
      if (one.description !== '' && position > 0) lines.push('');
      lines.push(...commentLines(one.description, '  '));
      const text = `${fieldType(one, packageName)} ${one.name} = ${position + 1};`;
      lines.push(`  ${text}`);
      return {
        path: [messageType, index, field, position],
        span: [lines.length - 1, 2, 2 + text.length],
        leadingComments: leading(one.description),
      };
    });
    lines.push('}');
    const span = [start, 0, lines.length - 1, 1];
    locations.push(
      { path: [messageType, index], span, leadingComments: leading(message.description) },
      ...inner,
    );
  });
  return { source: `${lines.join('\n')}\n`, locations };
}

function fieldType({ cardinality, type }: DraftField, packageName: string): string {
  const name = 'scalar' in type ? type.scalar : `.${packageName}.${type.message}`;
  return cardinality === 'single' ? name : `${cardinality} ${name}`;
}

function commentLines(description: string, indent: string): string[] {
  return description === '' ? [] : [`${indent}// ${description}`];
}

function leading(description: string): string {
  return description === '' ? '' : ` ${description}\n`;
}
