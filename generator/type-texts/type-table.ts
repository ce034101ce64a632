import type { FieldType, Scalar, WellKnown } from '../../specs/messages/message-model.ts';
import { isWrapper, wrappedScalars, type Wrapper } from '../../specs/messages/wrapped-scalars.ts';

/** Texts of a language for the types that a model does not declare: scalars and well-known types. */
export interface TypeTable<Text> {
  scalars: Readonly<Record<Scalar, Text>>;
  /** A wrapper has the text of its scalar. */
  wellKnowns: Readonly<Record<Exclude<WellKnown, Wrapper>, Text>>;
}

/** Returns the text of a scalar or well-known type. */
export function tableText<Text>(
  { scalars, wellKnowns }: TypeTable<Text>,
  type: Extract<FieldType, { kind: 'scalar' | 'wellKnown' }>,
): Text {
  if (type.kind === 'scalar') return scalars[type.scalar];
  const { wellKnown } = type;
  return isWrapper(wellKnown) ? scalars[wrappedScalars[wellKnown]] : wellKnowns[wellKnown];
}
