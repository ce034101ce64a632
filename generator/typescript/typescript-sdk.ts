import type { MessageModel } from '../../specs/messages/message-model.ts';
import type { SdkModel } from '../model/sdk-model.ts';
import { TypeIndex } from '../model/type-index.ts';
import { createDeclarationWords } from '../names/reach-words.ts';
import { planNames, typeNames, type TypeScriptNames } from './names.ts';
import { operationsOf } from './operations-of.ts';
import type { Operation } from './operations-view.ts';
import { type ProgramTerms, programOpening } from './program-opening.ts';
import { ValueLiterals } from './value-literal.ts';

/** One model in the words of TypeScript: what views and programs are made from. */
export interface TypeScriptSdk {
  model: SdkModel;
  names: TypeScriptNames;
  /** The members that can be called, in the order of the model. */
  operations: readonly Operation[];
  literals: ValueLiterals;
  /** Words that the declaration of a message is remembered by. */
  declarationWords: (message: MessageModel) => string;
  program: ProgramTerms;
  /** Lines that programs begin with: the import of the client, and the client. */
  opening: string;
}

/** Plans the SDK of a model. */
export function typescriptSdk(model: SdkModel, program: ProgramTerms): TypeScriptSdk {
  const names = planNames(model);
  return {
    model,
    names,
    operations: operationsOf(model, names),
    literals: new ValueLiterals(new TypeIndex(model.types), names),
    declarationWords: createDeclarationWords(typeNames(names)),
    program,
    opening: programOpening(names, program),
  };
}
