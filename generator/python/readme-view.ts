import type { FileView } from '../language.ts';
import { describePin } from '../documents/describe-pin.ts';
import { foldParagraphs } from '../text/fold-lines.ts';
import { markdownBlock, markdownCode, markdownText } from '../text/markdown.ts';
import { call, printExpression } from './expressions.ts';
import { examplePath } from './example-view.ts';
import type { PythonSdk } from './python-sdk.ts';
import { callName } from './python-sdk.ts';
import { snippet } from './snippet.ts';

/** `README.md`: from the installation to a call of every member. */
export function readmeFile(sdk: PythonSdk): FileView {
  const { model, names, callable } = sdk;
  const [first] = callable;
  const name = (first && callName(sdk, first)) ?? 'name';
  const aliases = new Set(callable.map(({ alias }) => alias));
  return {
    path: 'README.md',
    template: 'README.md',
    view: {
      title: markdownText(model.client.name),
      paragraphs: foldParagraphs(model.client.description).map(markdownText),
      distribution: names.distribution,
      module: names.module,
      semver: model.semver,
      asyncCall: printCall('    ', 'answer = await ', `client.${name}`),
      rawCall: printCall('', 'answer = ', `raw.${name}`),
      firstSnippet: first ? markdownBlock(snippet(sdk, first), 'python') : '',
      calls: callable.map((member) => ({
        heading: markdownCode(callName(sdk, member) ?? ''),
        paragraphs: foldParagraphs(member.comment).map(markdownText),
        pin: describePin(member),
        snippet: markdownBlock(snippet(sdk, member), 'python'),
        example: examplePath(sdk, member.alias),
      })),
      flow: flowCalls(sdk),
      later: model.members
        .filter(({ alias }) => !aliases.has(alias))
        .map((member) => `${markdownCode(member.alias)}: ${describePin(member)}`),
    },
  };
}

/** How a run is started and found again, and how its flow is warmed. */
function flowCalls({ callable, names }: PythonSdk): object | undefined {
  const flow = names.flows.get(callable.find(({ type }) => type === 'flow')?.alias ?? '');
  if (flow === undefined) return undefined;
  const found = call(`client.${flow.execution}`, [{ value: 'execution_id' }]);
  return {
    start: printCall('', 'execution = ', `client.${flow.start}`),
    warm: printExpression(call(`client.${flow.warm}`, []), 0, 0, 0),
    find: `execution = ${printExpression(found, 0, 'execution = '.length, 0)}`,
  };
}

function printCall(margin: string, before: string, callee: string): string {
  const expression = call(callee, [{ value: 'message' }]);
  return `${margin}${before}${printExpression(expression, margin.length, before.length, 0)}`;
}
