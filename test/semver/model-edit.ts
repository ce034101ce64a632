import type { SdkMember } from '../../generator/model/sdk-model.ts';
import type { EnumModel, MessageModel } from '../../specs/messages/message-model.ts';
import type { ModelDraft } from './model-draft.ts';

/** Makes one change to a draft. Returns its description, or `undefined` if the draft has no place for it. */
type Edit = (draft: ModelDraft) => string | undefined;

/** Edits by kind. */
export type Edits = Readonly<Record<string, Edit>>;

export function editField(
  draft: ModelDraft,
  edit: (message: MessageModel, index: number) => string | undefined,
): string | undefined {
  const message = pickFrom(draft, draft.model.types.messages, ({ fields }) => fields.length > 0);
  return message && edit(message, draft.random.below(message.fields.length));
}

export function editEnum(
  draft: ModelDraft,
  edit: (each: EnumModel, name: string) => string | undefined,
): string | undefined {
  const { enums } = draft.model.types;
  return enums.length === 0 ? undefined : edit(draft.random.pick(enums), draft.identifier());
}

export function editMember(draft: ModelDraft, edit: (member: SdkMember) => string): string {
  return edit(draft.random.pick(draft.model.members));
}

export function pickFrom<Item>(
  { random }: ModelDraft,
  items: readonly Item[],
  isFit: (item: Item) => boolean,
): Item | undefined {
  const fit = items.filter(isFit);
  return fit.length === 0 ? undefined : random.pick(fit);
}
