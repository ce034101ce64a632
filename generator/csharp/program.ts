import type { SdkMember } from '../model/sdk-model.ts';
import type { CsharpSdk } from './csharp-sdk.ts';
import { printExpression } from './expressions.ts';

/** The statement that declares a member's sample input: `var input = new Text { ... };`. */
export function inputStatement({ samples, texts }: CsharpSdk, member: SdkMember): string {
  const { expression } = samples.ofRoot(member.input, member.sample);
  const type = texts.rootType(member.input);
  // An initializer tells its type itself; a literal does not.
  const declared = type.kind === 'message' ? 'var' : texts.of(type).type;
  const opening = `${declared} input = `;
  return `${opening}${printExpression(expression, 0, opening.length)};`;
}

/** The namespaces that a program with the sample of a member imports, sorted as the formatter sorts: `System` first. */
export function importsOf(sdk: CsharpSdk, member: SdkMember): string[] {
  const { namespace, messages } = sdk.package;
  const { imports } = sdk.samples.ofRoot(member.input, member.sample);
  const isMessage = sdk.texts.rootType(member.input).kind === 'message';
  const own = [namespace, ...(isMessage ? [messages] : [])];
  const needsNodes = /\bJson(Object|Array)\b/.test(sdk.texts.ofRoot(member.input).type);
  const standard = new Set(['System', ...imports, ...(needsNodes ? ['System.Text.Json.Nodes'] : [])]);
  return [...[...standard].sort(), ...own];
}
