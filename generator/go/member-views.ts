import { remembering } from '../../specs/remembering.ts';
import type { FileView } from '../language.ts';
import type { SdkMember } from '../model/sdk-model.ts';
import { createMemory } from '../remember.ts';
import { type CallView, callView } from './client-view.ts';
import { type DocumentedCall, documentedCall } from './example-test-view.ts';
import { exampleFile } from './example-view.ts';
import type { GoSdk } from './go-sdk.ts';
import { snippet } from './snippet.ts';
import { type TestedCall, testedCall } from './test-view.ts';

/** All that the files of an SDK say of one member. */
export interface MemberViews {
  call: CallView;
  snippet: string;
  documented: DocumentedCall;
  tested: TestedCall;
  example: FileView;
}

/** By callable member, in their order. */
export const memberViews = remembering(
  (sdk: GoSdk): ReadonlyMap<SdkMember, MemberViews> =>
    new Map(
      sdk.callable.map((member) => [
        member,
        views.recall(member, wordsOf(sdk, member), () => viewsOf(sdk, member)),
      ]),
    ),
);

const views = createMemory<SdkMember, MemberViews>();

/** All names that the code about a member is written in: of its module, its methods and its program, and of the types of its samples. */
function wordsOf({ module, names, reachWords }: GoSdk, member: SdkMember): string | undefined {
  const { alias } = member;
  const [input, output] = [reachWords(member.input), reachWords(member.output)];
  if (input === undefined || output === undefined) return undefined;
  const { start, execution, warm } = names.flows.get(alias) ?? {};
  const methods = [names.calls.get(alias), start, execution, warm];
  const program = [module.path, module.packageName, names.examples.get(alias)];
  return [...program, ...methods, input, output].join('\n');
}

function viewsOf(sdk: GoSdk, member: SdkMember): MemberViews {
  return {
    call: callView(sdk, member),
    snippet: snippet(sdk, member),
    documented: documentedCall(sdk, member),
    tested: testedCall(sdk, member),
    example: exampleFile(sdk, member),
  };
}
