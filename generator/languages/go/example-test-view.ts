import type { FileView } from '../../language.ts';
import { callName } from '../../names/call-name.ts';
import type { GoSdk } from './go-sdk.ts';
import { callStatements, importLines, sdkImports } from './program.ts';

/**
 * Returns `example_test.go`: the snippets that documentation shows with each method; they are compiled with the tests.
 */
export function exampleTestFile(sdk: GoSdk): FileView {
  const programs = sdk.model.members.map((member) => ({ member, ...callStatements(sdk, member) }));
  const usesSvc = programs.some(({ sample }) => sample.usesSvc);
  const usesTime = programs.some(({ sample }) => sample.usesTime);
  return {
    path: 'example_test.go',
    template: 'example_test.go',
    view: {
      packageName: sdk.module.packageName,
      imports: importLines(
        ['context', 'fmt', 'log', ...(usesTime ? ['time'] : [])],
        sdkImports(sdk, { usesSvc }),
      ),
      examples: programs.map(({ member, text }) => ({
        name: exampleName(callName(sdk, member)),
        text,
      })),
    },
  };
}

/**
 * Returns the name of the example of a method. godoc reads the method from this name, except for a method that contains
 * an underscore: its name becomes a suffix.
 */
function exampleName(method: string): string {
  return method.includes('_')
    ? `ExampleClient_call${method.replaceAll('_', 'n')}`
    : `ExampleClient_${method}`;
}
