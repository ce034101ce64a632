import { referenceView } from '../../documents/reference-view.ts';
import type { FileView } from '../../language.ts';
import type { PythonSdk } from './python-sdk.ts';
import { pythonTerms } from './terms.ts';

/** `REFERENCE.md`: that of all languages, then the classes of the runtime that the calls of this SDK return. */
export function referenceFile(sdk: PythonSdk): FileView {
  const { model, names, callable } = sdk;
  return {
    path: 'REFERENCE.md',
    template: 'REFERENCE.md',
    view: {
      ...referenceView(model, pythonTerms(sdk)),
      hasRuns: callable.some(({ type, mode }) => type === 'flow' && mode === 'unary'),
      hasStreams: callable.some(({ mode }) => mode === 'pipeline'),
      hasUploads: names.uploads.size > 0,
    },
  };
}
