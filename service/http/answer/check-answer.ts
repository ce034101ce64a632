import { z } from 'zod';
import {
  type DeclaredAnswer,
  declaredAnswer,
  type DeclaredContent,
  socketContent,
  streamTypes,
} from '../../../specs/operations/declared-answer.ts';
import type { Operation } from '../../../specs/operations/operation.ts';
import { describeIssues } from '../describe-issues.ts';
import type { AnyAnswer } from './answer.ts';
import { PartlyRaw } from './partly-raw.ts';
import { RawJson } from './raw-json.ts';

const jsonContent = 'application/json';

/** Headers that any response may have and no operation declares: headers of HTTP itself, of caches and of browser policies. */
const undocumented =
  /^(content-(type|length|encoding|security-policy)|connection|vary|cache-control|x-content-type-options|referrer-policy)$/;

/**
 * Compares responses with their operation: status, media type, every field of a JSON body, and headers. Each method returns what
 * differs, without values of the body, or undefined.
 */
export interface AnswerCheck {
  /**
   * Checks everything but the frames of a stream and the parts of a list. Each part is checked as a body.
   *
   * @param bodySize length of the body as sent; the fields of bodies larger than `maxBodySize` are not checked
   */
  answerProblem(answer: AnyAnswer, bodySize: number): string | undefined;
  /** Checks one frame of a stream, or one message of a WebSocket. `frameSize` corresponds to `bodySize`. */
  frameProblem(answer: AnyAnswer, frame: unknown, frameSize: number): string | undefined;
}

/** Creates the check of one operation. Bodies and frames of more than `maxBodySize` bytes are not checked field by field. */
export function createAnswerCheck(operation: Operation, maxBodySize: number): AnswerCheck {
  const known = new Map<number, Expected>();
  /** A message that many clients receive is one object, and is checked once. */
  const checked = new WeakSet<RawJson>();
  const expectedFor = (status: number): Expected | undefined => {
    const found = known.get(status);
    if (found) return found;
    const declared = declaredAnswer(operation, status);
    if (!declared) return undefined;
    const expected = expectedOf(declared);
    known.set(status, expected);
    return expected;
  };
  return {
    answerProblem: (answer, bodySize) => {
      const expected = expectedFor(answer.status);
      const problem = expected
        ? (headerProblem(expected, answer) ?? bodyProblem(expected, answer, bodySize <= maxBodySize))
        : 'it does not declare this status';
      return problem && `status ${answer.status}: ${problem}`;
    },
    frameProblem: (answer, frame, frameSize) => {
      const expected = expectedFor(answer.status);
      const content = expected && contentFor(expected, answer);
      if (!content) return undefined;
      if (RawJson.is(frame)) {
        if (checked.has(frame)) return undefined;
        checked.add(frame);
      }
      const problem = jsonProblem(content, frame, frameSize <= maxBodySize);
      return problem && `status ${answer.status}: frame: ${problem}`;
    },
  };
}

/** The declaration of one status, resolved once. Header names are lower-case. */
interface Expected {
  content: DeclaredAnswer['content'];
  headers: ReadonlySet<string>;
  required: readonly string[];
}

function expectedOf({ content, headers }: DeclaredAnswer): Expected {
  const names = Object.entries(headers).map(
    ([name, shape]) => [name.toLowerCase(), !shape.safeParse(undefined).success] as const,
  );
  return {
    content,
    headers: new Set(names.map(([name]) => name)),
    required: names.filter(([, isRequired]) => isRequired).map(([name]) => name),
  };
}

function headerProblem({ headers: declared, required }: Expected, answer: AnyAnswer): string | undefined {
  const sent = Object.keys(answer.headers ?? {}).map((name) => name.toLowerCase());
  const unknown = sent.find((name) => !declared.has(name) && !undocumented.test(name));
  if (unknown !== undefined) return `undeclared header ${unknown}`;
  const missing = required.find((name) => !sent.includes(name));
  return missing && `the declared header ${missing} is missing`;
}

function bodyProblem(expected: Expected, answer: AnyAnswer, isSmall: boolean): string | undefined {
  const type = mediaTypeOf(answer);
  if (type === undefined) return expected.content.size > 0 ? 'the declared body is missing' : undefined;
  const content = contentFor(expected, answer);
  if (!content) return `undeclared media type "${type}"`;
  if (answer.kind === 'bytes') return jsonProblem(content, new RawJson(answer.body), isSmall);
  return answer.kind === undefined ? jsonProblem(content, answer.body, isSmall) : undefined;
}

function contentFor({ content }: Expected, answer: AnyAnswer): DeclaredContent | undefined {
  return content.get(mediaTypeOf(answer) ?? '') ?? content.get('*/*');
}

/** Undefined for an empty body. The messages of a WebSocket have a name in place of a media type. */
function mediaTypeOf(answer: AnyAnswer): string | undefined {
  switch (answer.kind) {
    case 'bytes':
      return answer.contentType.split(';')[0];
    case 'events':
    case 'lines':
      return streamTypes[answer.kind];
    case 'socket':
      return socketContent;
    case 'list':
      return jsonContent;
    case undefined:
      return answer.body === undefined ? undefined : jsonContent;
  }
}

function jsonProblem({ shapes }: DeclaredContent, body: unknown, isSmall: boolean): string | undefined {
  // Nothing to compare: text, bytes, or a message of any type.
  if (!isSmall || shapes.length === 0 || shapes.some((shape) => shape instanceof z.ZodUnknown)) {
    return undefined;
  }
  const parsed = RawJson.is(body) ? parse(body) : { json: PartlyRaw.is(body) ? body.shown : body };
  if (!parsed) return 'the body is not JSON';
  const problems: string[] = [];
  for (const shape of shapes) {
    const checked = shape.safeParse(parsed.json);
    const dropped = checked.success ? droppedField(parsed.json, checked.data) : undefined;
    if (checked.success && dropped === undefined) return undefined;
    problems.push(checked.success ? `undeclared field ${String(dropped)}` : describeIssues(checked.error));
  }
  return problems.join('; or ');
}

/** Undefined for text that is not JSON. The parser's own message is dropped, because it quotes the body. */
function parse({ text }: RawJson): { json: unknown } | undefined {
  try {
    return { json: JSON.parse(text) as unknown };
  } catch {
    return undefined;
  }
}

/** Returns the path of the first field that the shape does not declare and therefore dropped, for example `a[0].b`. */
function droppedField(given: unknown, kept: unknown, place = ''): string | undefined {
  if (given === kept || typeof given !== 'object' || given === null) return undefined;
  if (typeof kept !== 'object' || kept === null) return undefined;
  const isArray = Array.isArray(given);
  for (const [key, value] of Object.entries(given)) {
    if (value === undefined) continue;
    const at = isArray ? `${place}[${key}]` : place === '' ? key : `${place}.${key}`;
    if (!Object.hasOwn(kept, key)) return at;
    const dropped = droppedField(value, (kept as Record<string, unknown>)[key], at);
    if (dropped !== undefined) return dropped;
  }
  return undefined;
}
