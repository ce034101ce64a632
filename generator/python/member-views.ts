import { remembering } from '../../specs/remembering.ts';
import type { FileView } from '../language.ts';
import type { SdkMember } from '../model/sdk-model.ts';
import { createMemory } from '../remember.ts';
import { type CallView, callView } from './calls-view.ts';
import { exampleFile } from './example-view.ts';
import type { PythonSdk } from './python-sdk.ts';
import { snippet } from './snippet.ts';
import { type TestedCall, testedCall } from './test-view.ts';

/** All that the files of an SDK say of one member. */
export interface MemberViews {
  call: CallView;
  snippet: string;
  tested: TestedCall;
  example: FileView;
}

/** By callable member, in their order. */
export const memberViews = remembering(
  (sdk: PythonSdk): ReadonlyMap<SdkMember, MemberViews> =>
    new Map(
      sdk.callable.map((member) => [
        member,
        views.recall(member, wordsOf(sdk, member), () => viewsOf(sdk, member)),
      ]),
    ),
);

const views = createMemory<SdkMember, MemberViews>();

/** All names that the code about a member is written in: of its module, its methods and its program, and of the types of its samples. */
function wordsOf({ names, reachWords }: PythonSdk, member: SdkMember): string | undefined {
  const { alias } = member;
  const [input, output] = [reachWords(member.input), reachWords(member.output)];
  if (input === undefined || output === undefined) return undefined;
  const { start, execution, warm } = names.flows.get(alias) ?? {};
  const methods = [names.calls.get(alias), start, execution, warm];
  return [names.module, ...methods, names.examples.get(alias), input, output].join('\n');
}

function viewsOf(sdk: PythonSdk, member: SdkMember): MemberViews {
  return {
    call: callView(sdk, member),
    snippet: snippet(sdk, member),
    tested: testedCall(sdk, member),
    example: exampleFile(sdk, member),
  };
}
