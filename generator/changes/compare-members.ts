import type { SdkMember } from '../model/sdk-model.ts';
import type { ChangeList } from './change-list.ts';

/** Compares two members with the same alias. */
export function compareMembers(before: SdkMember, after: SdkMember, changes: ChangeList): void {
  const call = `Call ${JSON.stringify(after.alias)}`;
  // Flows have additional methods, and SDKs for browsers have no nodes.
  if (before.type !== after.type) changes.broken(`${call} is a ${after.type} instead of a ${before.type}.`);
  if (before.mode !== after.mode) changes.broken(`${call} is ${after.mode} instead of ${before.mode}.`);
  if (before.input !== after.input)
    changes.broken(`${call} takes ${after.input} instead of ${before.input}.`);
  if (before.output !== after.output) {
    changes.broken(`${call} returns ${after.output} instead of ${before.output}.`);
  }
  if (pinText(before) !== pinText(after)) {
    changes.changed(`${call} runs ${pinText(after)} instead of ${pinText(before)}.`);
  }
  if (before.comment !== after.comment) changes.changed(`${call} has a new description.`);
}

/**
 * Returns a member in a sentence: `Call "tokenize" (node Tokenize of acme/text 1.0.0)`. The alias is untrusted text, in
 * quotes.
 */
export function describeMember(member: SdkMember): string {
  return `Call ${JSON.stringify(member.alias)} (${pinText(member)})`;
}

function pinText(member: SdkMember): string {
  if (member.type === 'flow') return `flow artifact ${member.pin.artifact}`;
  return `node ${member.pin.node} of ${member.pin.package} ${member.pin.version}`;
}
