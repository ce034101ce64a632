import { bracketed } from '../../layout/bracketed.ts';
import type { Layout } from '../../layout/print-layout.ts';
import { importNames } from './imports.ts';
import { assignment, print } from './layout.ts';
import type { TypeScriptNames } from './names.ts';

/** Terms of the programs of a package. */
export interface ProgramTerms {
  packageName: string;
  /** Statement that declares the `options` of the client; absent if it needs none. */
  options?: string;
}

/** Returns the lines that all programs of a package begin with: they import the client and create one. */
export function programOpening(names: TypeScriptNames, { packageName, options }: ProgramTerms): string {
  return [
    importNames([names.client], packageName) ?? '',
    '',
    ...(options === undefined ? [] : [options]),
    print(newClient(names, options === undefined ? [] : ['options'])),
  ].join('\n');
}

/** `const client = new TextClient();` */
export function newClient(names: TypeScriptNames, args: string[]): Layout {
  return [assignment('const client', bracketed(`new ${names.client}(`, args, ')')), ';'];
}
