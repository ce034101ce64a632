import type { Context } from 'koa';
import { type DeclaredAnswer, declaredAnswer } from '../../../specs/operations/declared-answer.ts';
import type { Operation } from '../../../specs/operations/operation.ts';

/** Headers of HTTP itself and of what browsers may do: any answer has them, and no document tells of them. */
const undocumented =
  /^(content-(type|length|encoding|security-policy)|connection|vary|cache-control|x-content-type-options|referrer-policy|access-control-.*)$/;

/**
 * Holds an answer, be it the handler's or a refusal, to what its operation declares: status, media type, every field of a JSON
 * body and headers. Done outside production, so that the documents made from operations cannot drift from the code.
 *
 * @throws Error that names the operation and what it does not declare
 */
export function checkAnswer(operation: Operation, ctx: Context): void {
  const fail = (what: string): never => {
    throw new Error(`operation ${operation.id} answered ${ctx.status}: ${what}`);
  };
  const declared = declaredAnswer(operation, ctx.status);
  if (!declared) return fail('it does not declare this status');
  const problem = headerProblem(declared, ctx) ?? bodyProblem(declared, ctx);
  if (problem !== undefined) fail(problem);
}

function headerProblem({ headers }: DeclaredAnswer, ctx: Context): string | undefined {
  const declared = new Set(Object.keys(headers).map((name) => name.toLowerCase()));
  const sent = Object.keys(ctx.response.headers);
  const unknown = sent.find((name) => !declared.has(name) && !undocumented.test(name));
  if (unknown !== undefined) return `undeclared header ${unknown}`;
  const missing = Object.entries(headers).find(
    ([name, shape]) => !sent.includes(name.toLowerCase()) && !shape.safeParse(undefined).success,
  );
  return missing && `without the declared header ${missing[0]}`;
}

function bodyProblem({ content }: DeclaredAnswer, ctx: Context): string | undefined {
  const body = bodyText(ctx.body);
  if (body === undefined) return content.size > 0 ? 'no body, where one is declared' : undefined;
  const type = ctx.response.type;
  const declared = content.get(type) ?? content.get('*/*');
  if (!declared) return `undeclared media type "${type}"`;
  const { shapes } = declared;
  if (shapes.length === 0) return undefined;
  const json: unknown = JSON.parse(body());
  const problems = shapes.map((shape) => {
    const parsed = shape.safeParse(json);
    if (!parsed.success) return parsed.error.message;
    const lost = droppedField(json, parsed.data);
    return lost && `undeclared field ${lost}`;
  });
  return problems.includes(undefined) ? undefined : problems.join('; ');
}

/** Undefined when nothing is sent. A text is made of it only where it is read. */
function bodyText(body: unknown): (() => string) | undefined {
  if (typeof body === 'string') return () => body;
  return body instanceof Uint8Array ? () => new TextDecoder().decode(body) : undefined;
}

/** Where a shape that drops what it does not know has dropped a field, as `a[0].b`. */
function droppedField(given: unknown, kept: unknown, place = ''): string | undefined {
  if (typeof given !== 'object' || given === null || typeof kept !== 'object' || kept === null)
    return undefined;
  const isArray = Array.isArray(given);
  for (const [key, value] of Object.entries(given)) {
    const at = isArray ? `${place}[${key}]` : place === '' ? key : `${place}.${key}`;
    if (!Object.hasOwn(kept, key)) return at;
    const lost = droppedField(value, (kept as Record<string, unknown>)[key], at);
    if (lost !== undefined) return lost;
  }
  return undefined;
}
