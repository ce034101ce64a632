import { remembering } from '../../specs/remembering.ts';
import type { FileView } from '../language.ts';
import type { SdkMember } from '../model/sdk-model.ts';
import { createMemory } from '../remember.ts';
import { type CallView, callView } from './client-view.ts';
import { type DocumentedCall, documentedCall } from './example-test-view.ts';
import { exampleComment, exampleFile } from './example-view.ts';
import type { GoSdk } from './go-sdk.ts';
import { snippet } from './snippet.ts';
import { type ExchangedMessages, exchangedMessages, type TestedCall, testedCall } from './test-view.ts';

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
    new Map(sdk.callable.map((member) => [member, viewsOf(sdk, member)])),
);

function viewsOf(sdk: GoSdk, member: SdkMember): MemberViews {
  const { path, packageName } = sdk.module;
  const printed = printedMembers.recall(member, sdk.memberWords(member).all, () =>
    printedMember(sdk, member),
  );
  return views.recall(printed, `${path} ${packageName}`, () => ({
    call: printed.call,
    snippet: snippet(sdk, member),
    documented: documentedCall(sdk, member),
    tested: testedCall(sdk, member, printed.exchanged),
    example: exampleFile(sdk, member, printed.exampleComment),
  }));
}

/** By the module and its package. */
const views = createMemory<PrintedMember, MemberViews>();

/** What is said of a member in whatever package. */
interface PrintedMember {
  call: CallView;
  exchanged: ExchangedMessages;
  exampleComment: string;
}

const printedMembers = createMemory<SdkMember, PrintedMember>();

function printedMember(sdk: GoSdk, member: SdkMember): PrintedMember {
  return {
    call: callView(sdk, member),
    exchanged: exchangedMessages(sdk, member),
    exampleComment: exampleComment(sdk, member),
  };
}
