import type { FileView } from '../language.ts';
import type { GoSdk } from './go-sdk.ts';
import { callName } from './go-sdk.ts';
import { callStatements, importLines, sdkImports } from './program.ts';

/** `example_test.go`: the snippets that documentation shows beside each method; they are compiled with the tests. */
export function exampleTestFile(sdk: GoSdk): FileView {
  const examples = sdk.callable.map((member) => ({
    name: exampleName(callName(sdk, member) ?? ''),
    ...callStatements(sdk, member),
  }));
  const uses = (what: 'usesSvc' | 'usesTime'): boolean => examples.some(({ sample }) => sample[what]);
  return {
    path: 'example_test.go',
    template: 'example_test.go',
    view: {
      packageName: sdk.module.packageName,
      imports: importLines(
        ['context', 'fmt', 'log', ...(uses('usesTime') ? ['time'] : [])],
        sdkImports(sdk, { usesSvc: uses('usesSvc') }),
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
