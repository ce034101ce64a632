import type { SdkModel } from '../../model/sdk-model.ts';
import { TypeIndex } from '../../model/type-index.ts';
import { planNames, type TypeScriptNames } from './names.ts';
import { operationsOf } from './operations-of.ts';
import type { Operation } from './operations-view.ts';
import { type ProgramTerms, programOpening } from './program-opening.ts';
import { ValueLiterals } from './value-literal.ts';

/** A model with its TypeScript names and operations: the input of every view. */
export interface TypeScriptSdk {
  model: SdkModel;
  names: TypeScriptNames;
  /** The members that can be called, in the order of the model. */
  operations: readonly Operation[];
  literals: ValueLiterals;
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
    program,
    opening: programOpening(names, program),
  };
}
