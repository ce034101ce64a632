const languageFile = /^generator\/languages\/([^/]+)\/language\.ts$/;
const templateFolder = /^templates\/([^/]+)\//;

/** Of `templates/`, what belongs to no single language. */
const forAll = ['documents'];

/** A language is a folder in `generator/languages` and a folder of the same name in `templates`: one without the other is an error. */
export function languages(files: readonly string[]): string[] {
  const computed = namesIn(files, languageFile);
  const printed = namesIn(files, templateFolder).filter((id) => !forAll.includes(id));
  return [
    ...without(computed, printed).map((id) => `generator/languages/${id} has no folder templates/${id}`),
    ...without(printed, computed).map((id) => `templates/${id} has no generator/languages/${id}/language.ts`),
  ];
}

function namesIn(files: readonly string[], pattern: RegExp): string[] {
  return [...new Set(files.flatMap((file) => pattern.exec(file)?.slice(1, 2) ?? []))];
}

function without(names: readonly string[], others: readonly string[]): string[] {
  return names.filter((name) => !others.includes(name));
}
