import type { SdkMember } from '../../model/sdk-model.ts';
import { callName } from '../../names/call-name.ts';
import type { GoSdk } from './go-sdk.ts';
import type { SampleValue } from './sample-values.ts';

/**
 * Returns the statements that create a client, call a member with its sample, and print the output. Each line but the first is
 * indented.
 */
export function callStatements(sdk: GoSdk, member: SdkMember): { text: string; sample: SampleValue } {
  const { packageName } = sdk.module;
  const sample = sdk.samples.ofRoot(member.input, member.sample);
  const text = [
    `client, err := ${packageName}.New()`,
    'if err != nil {',
    '\tlog.Fatal(err)',
    '}',
    `input := ${sample.text}`,
    ...(member.mode === 'pipeline'
      ? [
          `for output, err := range client.${callName(sdk, member)}(context.Background(), input) {`,
          '\tif err != nil {',
          '\t\tlog.Fatal(err)',
          '\t}',
          '\tfmt.Println(output)',
          '}',
        ]
      : [
          `output, err := client.${callName(sdk, member)}(context.Background(), input)`,
          'if err != nil {',
          '\tlog.Fatal(err)',
          '}',
          'fmt.Println(output)',
        ]),
  ].join('\n\t');
  return { text, sample };
}

/** Returns the imports of a program, sorted as goimports does: the standard library, then the SDK. */
export function importLines(standard: readonly string[], sdk: readonly string[]): string[] {
  const lines = [...new Set(standard)].sort().map((name) => `"${name}"`);
  return sdk.length === 0 ? lines : [...lines, '', ...sdk];
}

/** Imports of the SDK by a program. */
export function sdkImports({ module }: GoSdk, { usesSvc }: { usesSvc: boolean }): string[] {
  return [module.importLine, ...(usesSvc ? [`"${module.path}/svc"`] : [])];
}
