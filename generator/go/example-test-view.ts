import type { FileView } from '../language.ts';
import type { SdkMember } from '../model/sdk-model.ts';
import type { GoSdk } from './go-sdk.ts';
import { callName } from './go-sdk.ts';
import { callStatements, importLines, sdkImports } from './program.ts';

/** The snippet of a member there. */
export interface DocumentedCall {
  /** Name of the function, which says whose example it is. */
  name: string;
  text: string;
  usesSvc: boolean;
  usesTime: boolean;
}

export function documentedCall(sdk: GoSdk, member: SdkMember): DocumentedCall {
  const { text, sample } = callStatements(sdk, member);
  const { usesSvc, usesTime } = sample;
  return { name: exampleName(callName(sdk, member) ?? ''), text, usesSvc, usesTime };
}

/** `example_test.go`: the snippets that documentation shows beside each method; they are compiled with the tests. */
export function exampleTestFile(sdk: GoSdk, examples: readonly DocumentedCall[]): FileView {
  const usesSvc = examples.some((example) => example.usesSvc);
  const usesTime = examples.some((example) => example.usesTime);
  return {
    path: 'example_test.go',
    template: 'example_test.go',
    view: {
      packageName: sdk.module.packageName,
      imports: importLines(
        ['context', 'fmt', 'log', ...(usesTime ? ['time'] : [])],
        sdkImports(sdk, { usesSvc }),
      ),
      examples,
    },
  };
}

/** The tool reads a method from the name; one that has an underscore of its own becomes a mere remark behind it. */
function exampleName(method: string): string {
  return method.includes('_')
    ? `ExampleClient_call${method.replaceAll('_', 'n')}`
    : `ExampleClient_${method}`;
}
