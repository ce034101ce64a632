import type { DescMessage } from '@bufbuild/protobuf';
import { done, failed } from '../outcome.ts';
import type { Outcome } from '../outcome.ts';
import { describeShape, isNumeric } from '../transforms/shape.ts';
import type { Shape } from '../transforms/shape.ts';

/** An expression and the field that it fills. */
interface Assignment {
  source: { pick: string } | { expression: string };
  actual: Shape;
  /** Field path. */
  target: string;
  expected: Shape;
}

/**
 * Type-checks an assignment. A number fits any numeric field, with range and fraction checked at runtime. A string or integer fits an
 * enum. Everything else needs an explicit conversion.
 */
export function checkAssignment(assignment: Assignment): Outcome<undefined> {
  const problem = problemOf(assignment, assignment.actual, assignment.expected);
  return problem === undefined ? done(undefined) : failed(problem);
}

function problemOf(assignment: Assignment, actual: Shape, expected: Shape): string | undefined {
  if (actual.kind === 'dyn' || actual.kind === 'null' || isJson(expected, actual)) return undefined;
  if (actual.kind === 'list' && expected.kind === 'list')
    return problemOf(assignment, actual.element, expected.element);
  if (actual.kind === 'map' && expected.kind === 'map') {
    return (
      problemOf(assignment, actual.key, expected.key) ?? problemOf(assignment, actual.value, expected.value)
    );
  }
  if (isComposite(actual) || isComposite(expected)) return otherCardinality(assignment);
  if (actual.kind === 'message' && expected.kind === 'message') {
    return actual.type.typeName === expected.type.typeName
      ? undefined
      : otherMessage(assignment, actual.type, expected.type);
  }
  if (actual.kind === 'message' || expected.kind === 'message') return messageAndScalar(assignment);
  return isStorable(actual, expected) ? undefined : otherKind(assignment, actual, expected);
}

function isStorable(actual: Shape, expected: Shape): boolean {
  if (actual.kind === 'enum' && expected.kind === 'enum')
    return actual.type.typeName === expected.type.typeName;
  if (actual.kind === expected.kind) return true;
  if (expected.kind === 'enum') return actual.kind === 'string' || isNumeric(actual);
  return isNumeric(expected) && (isNumeric(actual) || actual.kind === 'enum');
}

/** `google.protobuf.Value` holds any JSON, Struct and ListValue hold maps and lists of it. */
function isJson(expected: Shape, actual: Shape): boolean {
  if (expected.kind !== 'message') return false;
  switch (expected.type.typeName) {
    case 'google.protobuf.Value':
      return true;
    case 'google.protobuf.Struct':
      return actual.kind === 'map' && (actual.key.kind === 'string' || actual.key.kind === 'dyn');
    case 'google.protobuf.ListValue':
      return actual.kind === 'list';
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
  const { source, actual, target, expected } = assignment;
  const into = `${subject(assignment)} (${describeShape(actual)}) into field "${target}" (${describeShape(expected)})`;
  if (actual.kind !== 'list') return `${into} requires matching cardinality`;
  const example =
    'pick' in source ? `, for example cel("${source.pick.replace(':', '.')}[0]")` : ' with cel(...)';
  return `${into} requires matching cardinality: pick one element${example}`;
}

function otherMessage(assignment: Assignment, actual: DescMessage, expected: DescMessage): string {
  return (
    `${subject(assignment)} maps message type "${actual.typeName}" into differently-typed message field ` +
    `"${assignment.target}" (type "${expected.typeName}"): map its fields one by one, or build the message with cel(...)`
  );
}

function messageAndScalar(assignment: Assignment): string {
  const { actual, target, expected } = assignment;
  return (
    `${subject(assignment)} (${describeShape(actual)}) into field "${target}" (${describeShape(expected)}): ` +
    'cannot convert between a message and a scalar: name a field of the message'
  );
}

function otherKind(assignment: Assignment, actual: Shape, expected: Shape): string {
  const mismatch = `${subject(assignment)} has type ${describeShape(actual)}, but field "${assignment.target}" has type ${describeShape(expected)}`;
  const hint = expected.kind === 'enum' ? '' : `: convert it with | cast("${expected.kind}")`;
  return `${mismatch}${hint}`;
}
