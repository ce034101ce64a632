import type { SdkMember } from '../../model/sdk-model.ts';
import { callName } from '../../names/call-name.ts';
import type { Expression, Item } from './expressions.ts';
import { call, printAssigned, printExpression, widthOf } from './expressions.ts';
import { importLine } from './import-line.ts';
import type { PythonSdk } from './python-sdk.ts';
import { callOptions } from './reserved-names.ts';
import { lineWidth } from './line-width.ts';

/** Returns the smallest program that calls a member. */
export function snippet(sdk: PythonSdk, member: SdkMember): string {
  const name = callName(sdk, member);
  const { invocation, used, timeImport } = sampleCall(sdk, member, name);
  const opening = [...timeImport, importLine(sdk.names.module, ['Client', ...used]), ''];
  if (member.mode === 'pipeline') {
    const stream = printExpression(invocation, 4, 'with Client() as client, '.length, ' as stream:'.length);
    const flat = `with Client() as client, ${stream} as stream:`;
    const nested = ['with Client() as client:', ...withStream(invocation)];
    const loop = ['for output in stream:', '    print(output)'];
    return stream.includes('\n') || flat.length > lineWidth
      ? [...opening, ...nested, ...loop.map((line) => `        ${line}`), ''].join('\n')
      : [...opening, flat, ...loop.map((line) => `    ${line}`), ''].join('\n');
  }
  return [
    ...opening,
    'with Client() as client:',
    `    ${printAssigned('output', invocation, 4)}`,
    'print(output)',
    '',
  ].join('\n');
}

/**
 * Opens a stream in a `with` statement at one level of indentation. Ruff puts the whole into parentheses if its first line is too
 * long.
 */
function withStream(invocation: Expression): string[] {
  const statement = `    with ${printExpression(invocation, 4, 'with '.length, ' as stream:'.length)} as stream:`;
  if (widthOf(statement.replace(/\n.*/s, '')) <= lineWidth) return [statement];
  return [
    '    with (',
    `        ${printExpression(invocation, 8, 0, ' as stream'.length)} as stream`,
    '    ):',
  ];
}

/** Returns the program that calls a unary member from asyncio. */
export function asyncSnippet(sdk: PythonSdk, member: SdkMember): string {
  const { invocation, used, timeImport } = sampleCall(sdk, member, callName(sdk, member));
  return [
    'import asyncio',
    ...(timeImport.length > 0 ? timeImport : ['']),
    importLine(sdk.names.module, ['AsyncClient', ...used]),
    '',
    '',
    'async def main() -> None:',
    '    async with AsyncClient() as client:',
    `        ${printAssigned('output', invocation, 8, 'await ')}`,
    '    print(output)',
    '',
    '',
    'asyncio.run(main())',
  ].join('\n');
}

/** Returns a call with the member's sample, and what it imports. */
function sampleCall(
  sdk: PythonSdk,
  member: SdkMember,
  name: string,
): { invocation: Expression; used: string[]; timeImport: string[] } {
  const { expression, imports, times } = sdk.samples.ofRoot(member.input, member.sample);
  const invocation = call(`client.${name}`, argumentsOf(expression));
  const names = new Set(namesIn(invocation));
  const used = imports.filter((name) => names.has(name));
  return { invocation, used, timeImport: times.length > 0 ? [importLine('datetime', times), ''] : [] };
}

/** Returns the names that an expression begins with, and those of its items: `messages` of `messages.Color.RED`. */
function namesIn(expression: Expression): string[] {
  if (typeof expression !== 'string' && 'union' in expression) return expression.union;
  const text = typeof expression === 'string' ? expression : expression.open;
  const own = /^[A-Za-z_]\w*/.exec(text) ?? [];
  const items = typeof expression === 'string' ? [] : expression.items;
  return [...own, ...items.flatMap(({ value }) => namesIn(value))];
}

/**
 * Returns a time as a keyword argument, which also accepts the types of the standard library. Times within messages are
 * unchanged.
 */
function plainTimes(expression: Expression): Expression {
  if (typeof expression === 'string' || 'union' in expression) return expression;
  const [only] = expression.items;
  if (only && /^(Timestamp\.from_datetime|Duration\.from_timedelta)\($/.test(expression.open))
    return only.value;
  if (!/^[[{]$/.test(expression.open)) return expression;
  return {
    ...expression,
    items: expression.items.map((item) => ({ ...item, value: plainTimes(item.value) })),
  };
}

/**
 * Returns the fields of a message as keywords, unless one of them has the name of an option. Other inputs are
 * unchanged.
 */
function argumentsOf(input: Expression): Item[] {
  if (typeof input === 'string' || !('items' in input) || !input.open.startsWith('messages.'))
    return [{ value: input }];
  const isOption = ({ label = '' }: Item): boolean => callOptions.has(label.slice(0, -1));
  return input.items.some(isOption)
    ? [{ value: input }]
    : input.items.map((item) => ({ ...item, value: plainTimes(item.value) }));
}
