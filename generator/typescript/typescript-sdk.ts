import type { SdkModel } from '../model/sdk-model.ts';
import { TypeIndex } from '../model/type-index.ts';
import { planNames, type TypeScriptNames } from './names.ts';
import { operationsOf } from './operations-of.ts';
import type { Operation } from './operations-view.ts';
import { ValueLiterals } from './value-literal.ts';

/** What programs of a package have to say before they call. */
export interface ProgramTerms {
  packageName: string;
  /** Statement that declares `options`, which clients are made with; they need none when absent. */
  options?: string;
}

/** One model in the words of TypeScript: what views and programs are made from. */
export interface TypeScriptSdk {
  model: SdkModel;
  names: TypeScriptNames;
  /** The members that can be called, in the order of the model. */
  operations: readonly Operation[];
  literals: ValueLiterals;
  program: ProgramTerms;
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
  };
}
