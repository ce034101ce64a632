import type { DescMessage } from '@bufbuild/protobuf';
import { done, failed } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import { describeShape, isNumeric } from '../transforms/shape.ts';
import type { Shape } from '../transforms/shape.ts';

/** What fills a field, for texts: a pick as it was written, or any other expression. */
export interface Assignment {
  source: { pick: string } | { expression: string };
  given: Shape;
  /** Path of the field. */
  target: string;
  wanted: Shape;
}

/**
 * Whether what an expression gives can be stored in a field, as far as that shows before anything runs. Numbers go into fields of
 * any number (ranges and fractions show in the run), texts and integers into enums; nothing else is converted unasked.
 */
export function checkAssignment(assignment: Assignment): Outcome<undefined> {
  const problem = problemOf(assignment, assignment.given, assignment.wanted);
  return problem === undefined ? done(undefined) : failed(problem);
}

function problemOf(assignment: Assignment, given: Shape, wanted: Shape): string | undefined {
  if (given.kind === 'dyn' || given.kind === 'null' || isJson(wanted, given)) return undefined;
  if (given.kind === 'list' && wanted.kind === 'list')
    return problemOf(assignment, given.element, wanted.element);
  if (given.kind === 'map' && wanted.kind === 'map') {
    return problemOf(assignment, given.key, wanted.key) ?? problemOf(assignment, given.value, wanted.value);
  }
  if (isComposite(given) || isComposite(wanted)) return otherCardinality(assignment);
  if (given.kind === 'message' && wanted.kind === 'message') {
    return given.type.typeName === wanted.type.typeName
      ? undefined
      : otherMessage(assignment, given.type, wanted.type);
  }
  if (given.kind === 'message' || wanted.kind === 'message') return messageAndScalar(assignment);
  return isStorable(given, wanted) ? undefined : otherKind(assignment, given, wanted);
}

function isStorable(given: Shape, wanted: Shape): boolean {
  if (given.kind === 'enum' && wanted.kind === 'enum') return given.type.typeName === wanted.type.typeName;
  if (given.kind === wanted.kind) return true;
  if (wanted.kind === 'enum') return given.kind === 'string' || isNumeric(given);
  return isNumeric(wanted) && (isNumeric(given) || given.kind === 'enum');
}

/** `google.protobuf.Value` holds whatever JSON does; Struct and ListValue hold maps and lists of it. */
function isJson(wanted: Shape, given: Shape): boolean {
  if (wanted.kind !== 'message') return false;
  switch (wanted.type.typeName) {
    case 'google.protobuf.Value':
      return true;
    case 'google.protobuf.Struct':
      return given.kind === 'map' && (given.key.kind === 'string' || given.key.kind === 'dyn');
    case 'google.protobuf.ListValue':
      return given.kind === 'list';
    default:
      return false;
  }
}

function isComposite({ kind }: Shape): boolean {
  return kind === 'list' || kind === 'map';
}

function subject({ source }: Assignment): string {
  return 'pick' in source ? `field pick "${source.pick}"` : `expression ${source.expression}`;
}

function otherCardinality(assignment: Assignment): string {
  const { given, target, wanted } = assignment;
  const into = `${subject(assignment)} (${describeShape(given)}) into field "${target}" (${describeShape(wanted)})`;
  const hint = given.kind === 'list' ? ': pick one element, e.g. cel("items[0]")' : '';
  return `${into} requires matching cardinality${hint}`;
}

function otherMessage(assignment: Assignment, given: DescMessage, wanted: DescMessage): string {
  return (
    `${subject(assignment)} maps message type "${given.typeName}" into differently-typed message field ` +
    `"${assignment.target}" (type "${wanted.typeName}"): map its fields one by one, or build the message by cel(...)`
  );
}

function messageAndScalar(assignment: Assignment): string {
  const { given, target, wanted } = assignment;
  return (
    `${subject(assignment)} (${describeShape(given)}) into field "${target}" (${describeShape(wanted)}): ` +
    'cannot convert between a message and a scalar: name a field of the message'
  );
}

function otherKind(assignment: Assignment, given: Shape, wanted: Shape): string {
  const words = `${subject(assignment)} gives ${describeShape(given)}, but field "${assignment.target}" is`;
  const hint = wanted.kind === 'enum' ? '' : `: convert it by | cast("${wanted.kind}")`;
  return `${words} ${describeShape(wanted)}${hint}`;
}
