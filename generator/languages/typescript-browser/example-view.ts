import { builders } from 'prettier/doc';
import { bracketed } from '../../layout/bracketed.ts';
import { commentLines } from '../typescript/doc-comment.ts';
import { importNames } from '../typescript/imports.ts';
import { indented, print } from '../typescript/layout.ts';
import type { TypeScriptNames } from '../typescript/names.ts';
import type { Operation } from '../typescript/operations-view.ts';
import { newClient } from '../typescript/program-opening.ts';
import { sampleStatement } from '../typescript/program-statements.ts';
import { eachOutput, outputStatement, strictInput } from '../typescript/programs.ts';

const { group, indent, line } = builders;

/** Returns the view of an example's script: it calls one member with ProtoJSON from the page. */
export function exampleView(operation: Operation, names: TypeScriptNames): object {
  const { member, view } = operation;
  return {
    heading: [
      ...commentLines(`Calls the member ${JSON.stringify(member.alias)} from a page.`),
      'Key, address and input come from its form or its query string.',
    ]
      .map((line) => `// ${line}`)
      .join('\n'),
    imports: importNames(
      [names.client, view.input.table, view.output.table, 'fromJson', 'toJson'],
      '../dist/esm/index.js',
    ),
    sample: sampleStatement(member.sample, 0),
    client: print(indented(1, newClient(names, ['options']))),
    input: strictInput(view.input.table),
    parameters: operation.type === 'stream' ? 'options, json, write' : 'options, json',
    output: print(indented(1, outputStatement(operation))),
    result: resultLines(operation),
  };
}

/** Returns the output, or adds each output of a stream to the page. */
function resultLines({ type, view }: Operation): string {
  const json = bracketed('toJson(', [view.output.table, 'output'], ')');
  if (type !== 'stream') return print(indented(1, ['return ', json, ';']));
  const add = group([eachOutput, indent([line, bracketed('write(', [json], ')'), ';'])]);
  return `${print(indented(1, add))}\n  return undefined;`;
}

/** Returns the view of an example's page, which loads the script next to it. */
export function examplePageView(file: string): object {
  const line = `    <script type="module" src="./${file}.js"></script>`;
  const broken = ['    <script', '      type="module"', `      src="./${file}.js"`, '    ></script>'];
  return { script: line.length <= 80 ? line : broken.join('\n') };
}
