import { bracketed } from '../../layout/bracketed.ts';
import { commentLines } from '../typescript/doc-comment.ts';
import { importNames } from '../typescript/imports.ts';
import { callAssignment, indented, print } from '../typescript/layout.ts';
import type { TypeScriptNames } from '../typescript/names.ts';
import type { Operation } from '../typescript/operations-view.ts';
import { newClient } from '../typescript/program-opening.ts';
import { sampleStatement, strictInput } from '../typescript/programs.ts';

/** View of an example's script: it calls one member with ProtoJSON from the page. */
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
    output: print(
      indented(1, [
        callAssignment('const output', ['await ', bracketed(`client.${view.name}(`, ['input'], ')')]),
        ';',
      ]),
    ),
    result: print(indented(1, ['return ', bracketed('toJson(', [view.output.table, 'output'], ')'), ';'])),
  };
}

/** View of an example's page, which loads the script next to it. */
export function examplePageView(file: string): object {
  const line = `    <script type="module" src="./${file}.js"></script>`;
  const broken = ['    <script', '      type="module"', `      src="./${file}.js"`, '    ></script>'];
  return { script: line.length <= 80 ? line : broken.join('\n') };
}
