import type { SdkMember } from '../../model/sdk-model.ts';
import type { CsharpSdk } from './csharp-sdk.ts';
import { printExpression } from './expressions.ts';
import { jsonImports } from './json-imports.ts';

/**
 * Returns the sample input of a member.
 * @param indent Indentation of the line that it begins on, in steps.
 * @param before Characters before it on that line.
 */
export function inputText({ samples }: CsharpSdk, member: SdkMember, indent: number, before: number): string {
  return printExpression(samples.ofRoot(member.input, member.sample).expression, indent, before);
}

/** Returns the statement that declares a member's sample input: `var input = new Text { ... };`. */
export function inputStatement(sdk: CsharpSdk, member: SdkMember): string {
  const type = sdk.texts.types.rootType(member.input);
  // An initializer states its type; a literal does not.
  const opening = `${type.kind === 'message' ? 'var' : sdk.texts.of(type).type} input = `;
  return `${opening}${inputText(sdk, member, 0, opening.length)};`;
}

/**
 * Returns the namespaces that a program with the sample of a member imports, sorted as the formatter sorts: `System`
 * first.
 */
export function importsOf(sdk: CsharpSdk, member: SdkMember): string[] {
  const { namespace, messages } = sdk.package;
  const { imports } = sdk.samples.ofRoot(member.input, member.sample);
  const isMessage = sdk.texts.types.rootType(member.input).kind === 'message';
  const own = [namespace, ...(isMessage ? [messages] : [])];
  const standard = new Set(['System', ...imports, ...jsonImports(sdk.texts.ofRoot(member.input).type)]);
  return [...[...standard].sort(), ...own];
}
