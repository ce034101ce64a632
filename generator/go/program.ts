import type { SdkMember } from '../model/sdk-model.ts';
import { printExpression } from './expressions.ts';
import type { GoSdk } from './go-sdk.ts';
import { callName } from './go-sdk.ts';
import type { SampleValue } from './sample-values.ts';

/** The statements that make a client, call a member with its sample, and print the output; each line but the first indented. */
export function callStatements(sdk: GoSdk, member: SdkMember): { text: string; sample: SampleValue } {
  const { packageName } = sdk.module;
  const sample = sdk.samples.ofRoot(member.input, member.sample);
  const text = [
    `client, err := ${packageName}.New()`,
    'if err != nil {',
    '\tlog.Fatal(err)',
    '}',
    `input := ${inputText(sdk, member)}`,
    `output, err := client.${callName(sdk, member) ?? ''}(context.Background(), input)`,
    'if err != nil {',
    '\tlog.Fatal(err)',
    '}',
    'fmt.Println(output)',
  ].join('\n\t');
  return { text, sample };
}

/** The sample input of a member as the value of a variable, which has the type that the call takes. */
export function inputText({ samples, texts }: GoSdk, member: SdkMember): string {
  const { expression } = samples.ofRoot(member.input, member.sample);
  const type = texts.rootType(member.input);
  const printed = printExpression(expression, 1, 'input := '.length);
  if (type.kind !== 'wellKnown') return printed;
  const { type: text } = texts.of(type);
  return literalTypes.has(text) ? `${text}(${printed})` : printed;
}

/** Types whose literals Go would give another type, or that a variable has to be told. */
const literalTypes: ReadonlySet<string> = new Set(['any', 'float32', 'int32', 'int64', 'uint32', 'uint64']);

/** The imports of a program, sorted as goimports does: the standard library, then the SDK. */
export function importLines(standard: readonly string[], sdk: readonly string[]): string[] {
  const lines = [...new Set(standard)].sort().map((name) => `"${name}"`);
  return sdk.length === 0 ? lines : [...lines, '', ...sdk];
}

/** Imports of the SDK by a program. */
export function sdkImports(
  { module }: GoSdk,
  { usesPackage, usesSvc }: { usesPackage: boolean; usesSvc: boolean },
): string[] {
  return [...(usesPackage ? [module.importLine] : []), ...(usesSvc ? [`"${module.path}/svc"`] : [])];
}
